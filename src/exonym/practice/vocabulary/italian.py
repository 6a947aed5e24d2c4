"""Italian."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

ITALIAN = Vocabulary(
    language="it",
    nouns=words(
        "città casa scuola montagna spiaggia strada macchina stazione donna ragazza maestra legge notizia lingua "
        "fotografia canzone bottega banca ditta giornata settimana mattina notte pioggia mela famiglia madre sorella "
        "vita salute società cultura storia economia barca finestra tavola lettera domanda risposta biblioteca cucina "
        "bottiglia camera porta piazza chiesa campagna foresta regione provincia frontiera popolazione polizia "
        "politica stampa rivista scienza ricerca tecnica fabbrica luce voce mano testa gamba valigia carta pagina "
        "minestra carne bevanda fattura consegna festa passeggiata visita mostra musica danza pittura poesia stagione "
        "primavera camicia forchetta bicicletta"
    ),
    verbs=words(
        "viene resta mangia beve dorme compra vende prende vede guarda sente parla legge scrive impara insegna gioca "
        "cammina corre guida apre chiude comincia finisce vuole aiuta pensa capisce ricorda dimentica trova usa "
        "costruisce cambia manda visita lavora dice chiede tiene porta mostra"
    ),
    modifiers=words(
        "piccola buona bella nuova vecchia calda fredda rapida lenta alta lunga cara facile difficile importante "
        "buffa pulita giovane forte tranquilla diversa"
    ),
    functions=words("e o ma con da per quando se dove senza sopra tra dopo prima anche sempre presso sotto mentre"),
    patterns=(
        "la A N V F la N nella N",
        "c'è una N che V ogni N della N",
        "abbiamo visto che questa N V con la A N",
        "una N della N V molto più degli altri",
        "non è la N ma una A N che V la N",
        "lei V oggi F la N e la A N della N",
    ),
    legacy=("iso-8859-1", "windows-1252"),
)
