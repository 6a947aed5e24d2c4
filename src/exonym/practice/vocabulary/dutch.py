"""Dutch."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

DUTCH = Vocabulary(
    language="nl",
    nouns=words(
        "stad school universiteit straat keuken krant taal muziek onderneming tijd week nacht bloem kat vrucht "
        "familie moeder zuster liefde gezondheid samenleving geschiedenis reis brug vraag wereld boekhandel regering "
        "woning kerk toekomst wetenschap gemeente natuur techniek groep ontwikkeling mogelijkheid vriendin lerares "
        "deur muur tas kaart bladzijde zon lucht kleur stem hand grens politie bevolking werkplaats tentoonstelling "
        "wandeling haven gracht halte aardappel soep melk boter rekening bestelling levering grootte fiets trein boot "
        "tuin tafel stoel winkel markt prijs hond vis appel koffie vriend vader broer dokter leraar verzekering"
    ),
    verbs=words(
        "gaat komt blijft maakt eet drinkt slaapt koopt verkoopt geeft neemt ziet hoort spreekt leest schrijft leert "
        "speelt loopt rijdt opent sluit begint eindigt houdt helpt denkt weet begrijpt vergeet vindt gebruikt bouwt "
        "verandert stuurt bezoekt werkt zegt vraagt toont brengt"
    ),
    modifiers=words(
        "grote kleine goede mooie nieuwe oude hete koude snelle langzame hoge lange dure goedkope eenvoudige "
        "moeilijke belangrijke vrolijke schone jonge vroege late sterke rustige"
    ),
    functions=words("en of maar omdat met van door voor als hoewel terwijl over tussen naar ook niet nog toen sinds"),
    patterns=(
        "de A N V F de N in de N",
        "er is een N die elke N van de N V",
        "wij hebben gezien dat deze N met de A N V",
        "een N van de N V meer dan de andere N",
        "het is niet de N maar een A N die V",
        "men V vandaag de N F de A N",
    ),
    legacy=("iso-8859-1", "windows-1252"),
)
