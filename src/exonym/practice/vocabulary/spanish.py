"""Spanish."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

SPANISH = Vocabulary(
    language="es",
    nouns=words(
        "ciudad casa escuela universidad montaña playa isla calle carretera estación mujer niña maestra ley noticia "
        "lengua canción tienda moneda empresa semana mañana noche lluvia flor manzana familia madre hermana vida "
        "salud sociedad cultura historia economía educación ventana mesa carta pregunta respuesta biblioteca cocina "
        "botella habitación puerta plaza iglesia región frontera población policía prensa revista ciencia "
        "investigación fábrica máquina luz voz mano cabeza maleta página sopa ensalada bebida factura entrega fiesta "
        "visita exposición música danza pintura poesía primavera leche cuchara camisa huerta aldea biografía"
    ),
    verbs=words(
        "llega queda hace come bebe duerme compra vende da toma ve mira oye habla lee escribe aprende enseña juega "
        "camina corre conduce abre cierra empieza termina ama quiere ayuda piensa sabe entiende recuerda olvida "
        "encuentra utiliza construye cambia envía visita trabaja dice pregunta guarda muestra"
    ),
    modifiers=words(
        "pequeña buena hermosa nueva vieja caliente fría rápida lenta alta larga cara barata fácil difícil importante "
        "graciosa limpia joven fuerte tranquila diferente"
    ),
    functions=words("y o pero con desde por para cuando si donde sin sobre entre después también siempre hacia según"),
    patterns=(
        "la N A V F la N en una N",
        "hay una N que V cada N de la N",
        "nosotros hemos visto que esta N V con la N más A",
        "una N de la N V mucho más que los otros",
        "no es la N sino una N muy A que V la N",
        "ella V hoy mismo F la N y la N A",
    ),
    legacy=("iso-8859-1", "windows-1252"),
)
