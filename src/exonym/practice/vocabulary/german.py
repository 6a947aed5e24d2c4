"""German."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

GERMAN = Vocabulary(
    language="de",
    nouns=words(
        "Stadt Schule Universität Straße Küche Zeitung Sprache Musik Firma Arbeit Zeit Woche Nacht Blume Katze "
        "Frucht Familie Mutter Schwester Liebe Gesundheit Gesellschaft Kultur Geschichte Wirtschaft Bildung Reise "
        "Insel Brücke Frage Antwort Welt Bücherei Regierung Nachricht Wohnung Kirche Zukunft Wissenschaft "
        "Forschung Gemeinde Natur Technik Gruppe Entwicklung Möglichkeit Freundin Lehrerin Ärztin Bank Tür Wand "
        "Tasche Karte Seite Sonne Luft Farbe Stimme Hand Landschaft Grenze Behörde Polizei Bevölkerung Werkstatt "
        "Verwaltung Ausstellung Veranstaltung Wanderung Burg Altstadt Haltestelle Speisekarte Kartoffel Suppe "
        "Milch Butter Rechnung Bestellung Lieferung Größe"
    ),
    verbs=words(
        "geht kommt bleibt macht isst trinkt schläft kauft verkauft gibt nimmt sieht hört spricht liest schreibt "
        "lernt lehrt spielt läuft fährt öffnet schließt beginnt endet liebt möchte hilft denkt weiß versteht "
        "vergisst findet braucht baut ändert schickt besucht arbeitet sagt fragt zeigt bringt hält"
    ),
    modifiers=words(
        "große kleine gute schöne neue alte heiße kalte schnelle langsame hohe lange teure billige einfache "
        "schwierige wichtige lustige saubere junge frühe späte starke ruhige"
    ),
    functions=words(
        "und oder aber weil mit von durch für wenn obwohl während über zwischen nach vor auch nicht noch schon"
    ),
    patterns=(
        "die A N V F die N in der N",
        "es gibt eine N , die jede N V",
        "wir haben gesehen , dass diese N mit der A N V",
        "eine N der N V mehr als die andere N",
        "das ist nicht die N , sondern eine A N",
        "man V heute die N F die A N",
    ),
    legacy=("iso-8859-1", "windows-1252"),
)
