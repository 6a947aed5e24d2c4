"""Pages made to cost time: matches by sound stay the same, and memory that is full of made-up words is emptied."""

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from jellyfish import levenshtein_distance

from exonym.nations.matching.by_sound import SoundNames
from exonym.nations.matching.sound import respelling

NAMES = ["Bang Kaeo", "Bang Khae", "Nakhon Pathom", "Phang Nga", "Pai", "Ban Na", "Bangkok", "Pattaya", "Phatthalung"]
HEARD = SoundNames({name: name for name in NAMES}, frozenset())


def may_be(name: str, letters: str) -> bool:
    """The rule of nearness in full, without a look at lengths first."""
    spelt, respelt, own = name.replace(" ", "").lower(), respelling(letters), respelling(name.replace(" ", "").lower())
    shorter = min(len(own), len(respelt))
    allowed = 0 if shorter < 5 else 1 if shorter < 8 else 2
    near = levenshtein_distance(own, respelt) <= allowed
    return near and own[:1] == respelt[:1] and levenshtein_distance(spelt, letters) <= len(spelt) / 2


@settings(max_examples=300, deadline=None)
@given(st.text("bpkghnatiouey", min_size=1, max_size=14))
def test_what_is_heard_is_near_by_the_whole_rule(word: str) -> None:
    found = HEARD.match([word], 0)
    assert not found.words or may_be(found.name, word)


def test_respellings_of_names_are_heard_still() -> None:
    told = {word: HEARD.match([word], 0).name for word in ("bangkhok", "nakornpathom", "patthaya", "pangnga", "x" * 60)}
    assert told == {
        "bangkhok": "Bangkok",
        "nakornpathom": "Nakhon Pathom",
        "patthaya": "Pattaya",
        "pangnga": "Phang Nga",
        "x" * 60: "",
    }


def test_made_up_words_leave_no_trace_in_what_is_heard_afterwards() -> None:
    names = {name: name for name in ("Bang Kaeo", "Pattaya")}
    used, fresh = (SoundNames(names, frozenset()) for _ in range(2))
    vowels = [first + second for first, second in product(("a", "e", "i", "o", "u", "ai", "ao", ""), repeat=2)]
    words = [f"b{one}n{two}k{three}" for one, two, three in product(vowels, vowels[:60], vowels[:30])]
    assert len(words) > 100_000  # more than are remembered
    for word in words:
        used.match([word], 0)
    for word in ("bangkaew", "bangkeo", "patthaya", "bank", *words[:100]):
        assert used.match([word], 0) == fresh.match([word], 0)
