"""Czech."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

CZECH = Vocabulary(
    language="cs",
    nouns=words(
        "země škola univerzita voda řeka hora cesta ulice žena dívka učitelka lékařka vláda zpráva kniha řeč písnička "
        "hra cena banka práce doba noc zima květina kočka ryba ovoce kavárna přítelkyně rodina matka sestra láska "
        "nemocnice společnost kultura výchova vesnice pláž loď zahrada otázka odpověď knihovna kuchyně láhev místnost "
        "věž kostel příroda skupina možnost budoucnost věda továrna barva ruka hlava taška stránka polévka mléčná "
        "snídaně večeře účtenka výstava hudba báseň jar neděle středa hranice obec městečko policie krajina cihla "
        "střecha židle skříň žárovka tužka sklenice lžíce vidlička"
    ),
    verbs=words(
        "jde přichází zůstává dělá jí pije spí kupuje prodává dává bere vidí slyší mluví čte píše učí hraje běží řídí "
        "otevírá zavírá začíná končí miluje chce pomáhá myslí ví rozumí pamatuje zapomíná hledá používá staví mění "
        "posílá navštěvuje pracuje říká ptá ukazuje přináší"
    ),
    modifiers=words(
        "velká malá dobrá krásná nová stará horká studená rychlá pomalá vysoká dlouhá drahá levná snadná těžká "
        "důležitá veselá čistá mladá silná tichá"
    ),
    functions=words("a nebo ale protože když jestli která mezi před také ještě už vždycky potom přes podle kde jak"),
    patterns=(
        "A N V F jedna N je na konci",
        "tady je N , která se každý den V",
        "viděli jsme , že tato N V a že A N také V",
        "jedna N V více než všechny ostatní",
        "to není N , ale A N , která V",
        "dnes se N V F A N něco V",
    ),
    legacy=("windows-1250", "iso-8859-2"),
)
