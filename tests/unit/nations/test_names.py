"""A nation's names in foreign text: the thesis' examples, and the laws that matchers keep."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.cli.program import main
from exonym.errors import ConfigError
from exonym.nations.matching.matcher import KINDS, FoundNames, Matcher, MatcherKind, matcher_of
from exonym.nations.matching.matcher_evaluation import Variant, evaluated, material_of
from exonym.nations.matching.sound import joined, respelling, skeleton
from exonym.nations.matching.spans import spans_of_runs
from exonym.nations.matching.text_words import Words
from exonym.nations.matching.tokens import folded, plain_words
from exonym.nations.nation import ALTERNATE, SHORT, Name, Nation

PLACES = ["Nakhon Pathom", "Pattaya", "Thailand", "Koh Samui", "Samui", "Chiang Mai", "Krabi", "Wat Pho"]
Run = Callable[..., tuple[int, str, str]]


def texts_of(found: FoundNames) -> list[str]:
    return [match.text for match in found.names]


# The thesis


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("default", "Nakon patom"),
        ("default", "NakornPrathom"),
        ("default", "Nakhon Pratom"),
        ("classic", "Nakon patom"),  # n, k 2, n 5, p 1: N251, as Nakhon Pathom
        ("classic", "Nakhon Pratom"),
    ],
)
def test_spellings_in_the_thesis_are_one_name(kind: MatcherKind, written: str) -> None:
    (match,) = Matcher(["Nakhon Pathom"], kind).find(written).names
    assert match == (0, len(written), written, "Nakhon Pathom", True)


def test_soundex_does_not_hear_nakorn_for_nakhon() -> None:
    # The thesis' third spelling is one that its own method misses: n, k 2, r 6, n 5 is N265.
    assert not Matcher(["Nakhon Pathom"], "classic").find("NakornPrathom").names


@pytest.mark.parametrize("kind", KINDS)
def test_shares_are_those_of_figure_8(kind: MatcherKind) -> None:
    # Stop words as there. 3 of 5 words: Pattaya, beach, Thailand, hotel, Pattaya; 2 of 2 in the path.
    matcher = Matcher(["Pattaya", "Thailand"], kind, ["is", "a", "in", "http", "html"])
    anchor = matcher.find("Pattaya is a beach in Thailand: a hotel in Pattaya")
    path = matcher.find("http:///thailand/pattaya.html")
    assert (anchor.words_in_names, anchor.words, anchor.share) == (3, 5, 0.6)
    assert path.share == 1.0


def test_classic_takes_whatever_has_the_soundex_of_a_name() -> None:
    # Pattaya is P, t 3, and no more: P300. So is "pit", while "body" is B300.
    found = Matcher(["Pattaya"], "classic").find("a pit and a body")
    assert texts_of(found) == ["pit"]
    assert not Matcher(["Pattaya"]).find("a pit and a body").names


def test_classic_match_is_no_longer_than_a_name() -> None:
    # N251 is full after "Nakhon Path": in the thesis all that follows would be of the name too.
    found = Matcher(["Nakhon Pathom"], "classic").find("Nakhon Pathom has buses every hour")
    assert texts_of(found) == ["Nakhon Pathom"]


# What is found


@pytest.mark.parametrize("kind", KINDS)
def test_longest_name_wins_and_takes_its_words(kind: MatcherKind) -> None:
    assert texts_of(Matcher(PLACES, kind).find("Off Koh Samui.")) == ["Koh Samui"]


@pytest.mark.parametrize(
    "written", ["KOH SAMUI", "koh samui", "Koh-Samui", "koh_samui", "Köh  Sämui", "Ko\u0308h\nSamui"]
)
def test_case_diacritics_and_what_parts_words_do_not_matter(written: str) -> None:
    (match,) = Matcher(PLACES, "exact").find(f"to {written}!").names
    assert (match.text, match.name, match.by_sound) == (written, "Koh Samui", False)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Chiangmai", "Chiang Mai"),
        ("Chiengmai", "Chiang Mai"),
        ("Grabi", "Krabi"),
        ("Pataya", "Pattaya"),
        ("Phattaya", "Pattaya"),
        ("Ko Samui", "Koh Samui"),
    ],
)
def test_other_spelling_is_found_by_sound(written: str, name: str) -> None:
    (match,) = Matcher([place for place in PLACES if place != "Samui"]).find(f"We went to {written} by bus.").names
    assert (match.text, match.name, match.by_sound) == (written, name, True)


def test_spelling_stands_for_the_name_that_is_given_with_it() -> None:
    matcher = Matcher({"Koh Samui": "Koh Samui", "Samui": "Koh Samui"})
    assert [match.name for match in matcher.find("Samui, koh samui").names] == ["Koh Samui"] * 2


def test_part_of_a_word_is_no_name() -> None:
    assert not Matcher(["Nan", "Tak"], "exact").find("nanotubes, intake, 'takes'").names


def test_word_written_small_elsewhere_in_the_text_is_no_name_by_sound() -> None:
    matcher = Matcher(["Sa Bot"])
    assert matcher.find("Sabot").names
    assert not matcher.find("Sabot, or a sabot").names


def test_word_without_capital_is_no_name_by_sound_unless_nothing_has_one() -> None:
    matcher = Matcher(["Krabi"])
    assert not matcher.find("We saw a grabi there.").names
    assert texts_of(matcher.find("beaches/grabi/index.html")) == ["grabi"]


def test_stop_word_is_no_name_by_itself_and_counts_only_within_a_name() -> None:
    matcher = Matcher(["In", "Bank of Thailand"], stop_words=["in", "of", "the"])
    found = matcher.find("In the Bank of Thailand of old")
    assert texts_of(found) == ["Bank of Thailand"]
    assert (found.words_in_names, found.words) == (3, 4)


@pytest.mark.parametrize("text", ["", " ", "…", "\0\ud800", "__--", "ไทย ประเทศไทย", "ß" * 50])
@pytest.mark.parametrize("kind", KINDS)
def test_text_without_names_has_none(kind: MatcherKind, text: str) -> None:
    assert Matcher(PLACES, kind).find(text).names == ()
    assert Matcher([], kind).find(text).share == 0.0


def test_odd_names_do_no_harm() -> None:
    odd = ["", " ", "!", "a", "1", "7-Eleven", "ไทย", "x" * 500, "a b " * 50, "\ud800"]
    for kind in KINDS:
        assert texts_of(Matcher(odd, kind, []).find("at 7-Eleven ไทย")) == ["7-Eleven", "ไทย"]


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(ConfigError, match="default, classic, exact"):
        Matcher([], "soundex")  # type: ignore[arg-type]


# Laws

words = st.sampled_from(
    ["koh", "Samui", "Krabi", "grabi", "the", "Chiang", "Mai", "wat", "pho", "é", "ﬁ", "2", "–", "\u0301"]
)
some_text = st.text() | st.lists(words).map(" ".join)


@given(some_text, st.sampled_from(KINDS))
def test_matches_are_in_order_and_apart_and_say_what_stands_there(text: str, kind: MatcherKind) -> None:
    found = Matcher(PLACES, kind).find(text)
    end = 0
    for match in found.names:
        assert end <= match.start < match.end
        assert match.text == text[match.start : match.end]
        assert match.name in PLACES
        end = match.end
    assert sum(len(plain_words(match.text)) for match in found.names) == found.words_in_names <= found.words


@given(some_text)
def test_words_stand_where_they_are_said_to_stand(text: str) -> None:
    ready = folded(text)
    cased, plain = ready.cased.split(), ready.plain.split()
    spans = spans_of_runs(text, ready, Words(cased, plain), [(place, place + 1) for place in range(len(plain))])
    assert len(cased) == len(plain) == len(spans)
    assert plain == plain_words(text)
    for word, (start, end) in zip(plain, spans, strict=True):
        assert word in plain_words(text[start:end])


@given(st.lists(words, max_size=12).map(" ".join))
def test_exact_matcher_finds_what_a_plain_search_finds(text: str) -> None:
    """The thesis' quadratic loop, with exact names alone."""
    known = {tuple(plain_words(name)) for name in PLACES}
    tokens = tuple(plain_words(text))
    expected, at = [], 0
    while at < len(tokens):
        ends = [end for end in range(at + 1, len(tokens) + 1) if tokens[at:end] in known]
        expected += [tokens[at : ends[-1]]] if ends else []
        at = ends[-1] if ends else at + 1
    assert [tuple(plain_words(match.text)) for match in Matcher(PLACES, "exact").find(text).names] == expected


@given(st.text("abcdefghijklmnopqrstuvwxyz"), st.text("abcdefghijklmnopqrstuvwxyz"))
def test_skeleton_has_no_vowel_but_first_and_nothing_twice_in_a_row(one: str, other: str) -> None:
    key = skeleton(respelling(one))
    assert not set(key[1:]) & set("aeiou")
    assert all(first != second for first, second in pairwise(key))
    both = joined(key, skeleton(respelling(other)))
    assert all(first != second for first, second in pairwise(both))


@given(st.lists(st.sampled_from(PLACES), min_size=1, max_size=5), st.sampled_from(KINDS))
def test_every_name_is_found_as_it_is_spelt(names: list[str], kind: MatcherKind) -> None:
    found = Matcher(PLACES, kind).find(" 0 ".join(names))
    assert texts_of(found) == names
    assert not any(match.by_sound for match in found.names)


# Nations

SAMUI = Nation(
    "TH",
    "Thailand",
    names=(
        Name("Koh Samui", "island", "hand"),
        Name("Samui", "island", "hand", SHORT, "Koh Samui"),
        Name("Ko Samooy", "island", "hand", ALTERNATE, "Koh Samui"),
        Name("Long", "district", "hand"),
    ),
    stop_words=("long",),
)


def test_nation_is_found_in_all_forms_but_not_by_ordinary_words() -> None:
    found = matcher_of(SAMUI).find("Long ago, Ko Samooy and Samui")
    assert [(match.text, match.name) for match in found.names] == [("Ko Samooy", "Koh Samui"), ("Samui", "Koh Samui")]


def test_variants_are_what_the_dictionary_does_not_have() -> None:
    names = [*SAMUI.names, Name("Amphoe Koh Samui", "district", "hand", ALTERNATE, "Koh Samui")]
    material = material_of(names, ["Nothing here."])
    assert material.variants == (Variant("Ko Samooy", "Koh Samui"),)
    scores = {score.kind: score for score in evaluated(material)}
    # K, s 2, m 5: K250 both. The exact matcher cannot know.
    assert {kind: score.recall for kind, score in scores.items()} == {"default": 1.0, "classic": 1.0, "exact": 0.0}
    assert {score.exact_recall for score in scores.values()} == {1.0}
    assert {score.false_alarms for score in scores.values()} == {0.0}


def test_nation_without_variants_cannot_be_evaluated() -> None:
    with pytest.raises(ConfigError, match="no other spellings"):
        material_of([Name("Koh Samui", "island", "hand")], [])


# The command


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(list(map(str, arguments)))
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return run


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<html><p>From Pattaya to Naakhon Pathome \x1b[31m&amp; on.</p></html>", encoding="utf-8")
    return path


def test_command_tells_exact_names_from_those_by_sound(run: Run, page: Path) -> None:
    code, output, _ = run("identify", "names", page)
    assert code == 0
    assert "From [Pattaya] to [Naakhon Pathome ≈ Nakhon Pathom] & on." in output
    assert "1 exact, 1 by sound" in output
    assert "3, 75.0% of words"  # "31m" is the fourth in output


def test_command_prints_json(run: Run, page: Path) -> None:
    code, output, _ = run("identify", "names", "--json", "--matcher", "exact", page)
    found: dict[str, Any] = json.loads(output)
    assert code == 0
    assert set(found) >= {"source", "words", "words_in_names", "share", "names"}
    (name,) = found["names"]
    assert (name["text"], name["name"], name["by_sound"]) == ("Pattaya", "Pattaya", False)


def test_command_takes_names_of_ones_own(run: Run, page: Path, tmp_path: Path) -> None:
    own = tmp_path / "names.txt"
    own.write_text("-Pattaya\nFrom Pattaya\n", encoding="utf-8")
    assert "[From Pattaya]" in run("identify", "names", page, "--names", own)[1]


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file"], ["-", "--nation", "XX"], ["-", "--matcher", "soundex"], ["-", "--names", "no-such-file"]],
)
def test_wrong_use_is_told_in_one_line(run: Run, arguments: list[str]) -> None:
    code, output, said = run("identify", "names", *arguments)
    assert (code, output) == (2, "")
    assert len(said.splitlines()) == 1


def test_evaluation_is_a_table_or_json(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "english.txt"
    text.write_text("Nothing of the kind is in this text, I should say.", encoding="utf-8")
    code, output, _ = run("nation", "evaluate", "--nation", "KR", "--text", text)
    assert code == 0
    assert "false alarms per 1,000 words" in output
    figures = json.loads(run("nation", "evaluate", "--nation", "KR", "--text", text, "--json")[1])
    assert set(figures["matchers"]) == {"default", "classic", "exact"}
    assert figures["words"] == 11


@pytest.mark.parametrize(("text", "name"), [("Thingvellir", "Þingvellir"), ("Hafnarfjordur", "Hafnarfjörður")])
def test_icelandic_letters_are_found_as_foreigners_write_them(text: str, name: str) -> None:
    found = Matcher([name], "exact").find(f"We drove to {text} in June.")
    assert [match.name for match in found.names] == [name]
