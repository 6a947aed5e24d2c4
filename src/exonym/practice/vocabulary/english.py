"""English."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

ENGLISH = Vocabulary(
    language="en",
    nouns=words(
        "country city house school university hotel food rice water sea mountain river temple road car train "
        "plane people child woman man teacher student doctor police government law news book newspaper language "
        "picture song sport football game market shop product price money bank company work time day month year "
        "morning evening night weather rain tree flower animal horse cat dog fish chicken fruit apple coffee tea "
        "friend family mother father son brother sister life love health hospital medicine computer telephone "
        "website information society culture history economy education travel village island beach boat bridge "
        "garden window table letter question answer number world week street museum library"
    ),
    verbs=words(
        "goes comes stays makes eats drinks sleeps buys sells gives takes sees watches hears speaks reads writes "
        "learns teaches plays walks runs drives opens closes starts finishes loves likes wants helps thinks knows "
        "understands remembers forgets finds uses builds changes sends visits works tells asks keeps brings shows"
    ),
    modifiers=words(
        "big small good beautiful new old hot cold fast slow high long expensive cheap easy difficult important "
        "funny clean young early late strong quiet different"
    ),
    functions=words("and or but because with from of by for when if which while through about between after before"),
    patterns=(
        "the A N V the N in the N",
        "there is a N F the N which V every N",
        "we have seen that this N V with A N and the N",
        "they would like to know how the N V F the A N",
        "a N of the N V more than the other N",
        "it was not the N but the A N that V the N",
    ),
)
