"""Portuguese."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

PORTUGUESE = Vocabulary(
    language="pt",
    nouns=words(
        "cidade casa escola universidade montanha praia ilha rua estrada estação mulher menina professora lei notícia "
        "língua canção loja moeda empresa semana manhã noite chuva flor maçã família mãe irmã vida saúde sociedade "
        "cultura história economia educação janela mesa carta pergunta resposta biblioteca cozinha garrafa porta "
        "praça igreja região fronteira população polícia imprensa revista ciência pesquisa fábrica máquina luz voz "
        "mão cabeça mala página sopa salada bebida conta entrega festa visita exposição música dança pintura poesia "
        "primavera colher camisa horta aldeia viagem ponte floresta informação decisão canoa"
    ),
    verbs=words(
        "chega fica faz come bebe dorme compra vende dá toma vê olha ouve fala lê escreve aprende ensina joga caminha "
        "corre dirige abre fecha começa termina ama quer ajuda pensa sabe entende lembra esquece encontra usa "
        "constrói muda envia visita trabalha diz pergunta guarda mostra"
    ),
    modifiers=words(
        "pequena boa bonita nova velha quente fria rápida lenta alta longa cara barata fácil difícil importante "
        "engraçada limpa jovem forte tranquila diferente"
    ),
    functions=words("e ou mas com desde por para quando se onde sem sobre entre depois também sempre até segundo"),
    patterns=(
        "a N A V F a N em uma N",
        "não há uma N que V cada N da N",
        "nós já vimos que esta N V com a N mais A",
        "uma N da N V muito mais do que as outras",
        "isto não é a N mas uma N muito A que V a N",
        "ela V hoje mesmo F a N e a N A da N",
    ),
    legacy=("iso-8859-1", "windows-1252"),
)
