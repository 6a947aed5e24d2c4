"""Names in scripts that put no blanks between words."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.nations.matching import unspaced
from exonym.nations.matching.matcher import KINDS, FoundNames, Matcher, MatcherKind
from exonym.nations.matching.tokens import plain_words
from exonym.nations.matching.unspaced import Begins, UnspacedNames, words_in

NAMES = [
    *("เชียงใหม่", "เชียงราย", "ใหม่", "ไทย", "เลย", "สมุย", "คง", "ชะอำ"),
    *("東京", "東京都", "京都", "日本", "大分", "市", "さいたま", "いわき", "トヨタ", "チバ", "ガボン"),
    *("서울", "부산", "대한민국", "구리", "가"),
    *("ລາວ", "ກໍາພູ", "កំពត", "ရန်ကုန်", "Bangkok", "เกาะ สมุย"),
]


def texts_of(found: FoundNames) -> list[str]:
    return [match.text for match in found.names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("เที่ยวเชียงใหม่สนุก", ["เชียงใหม่"]),
        ("จากเชียงรายไปเชียงใหม่", ["เชียงราย", "เชียงใหม่"]),  # the longest: ใหม่ is a name as well
        ("東京都に行く", ["東京都"]),
        ("日本の京都へ", ["日本", "京都"]),
        ("서울에서 부산까지", ["서울", "부산"]),
        ("서울특별시의 대한민국", ["서울", "대한민국"]),
        ("ไปBangkokกัน", ["Bangkok"]),  # another script beside it
        ("東京2020", ["東京"]),
        ("ไปชะอํากัน", ["ชะอํา"]),  # sara am written as two characters
        ("ປະເທດລາວ", ["ລາວ"]),
        ("ខេត្តកំពតនៅ", ["កំពត"]),
        ("မြို့ရန်ကုန်သို့", ["ရန်ကုန်"]),
        ("ไปเกาะสมุย", ["สมุย"]),
        ("ไป เกาะ สมุย", ["เกาะ สมุย"]),
        ("𠮷野家と東京", ["東京"]),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_names_are_found_within_runs(kind: MatcherKind, text: str, names: list[str]) -> None:
    found = Matcher(NAMES, kind).find(text)
    assert texts_of(found) == names
    assert not any(match.by_sound for match in found.names)


@pytest.mark.parametrize(
    "text",
    [
        "ไม่เป็นไรเลยครับ",  # เลย is "at all" here
        "คงจะไป",
        "ได้เชียงรายา",  # another syllable: the last letter has a vowel
        "แสมุย",  # and here the first
        "市長",  # one letter
        "大分よくなった",  # "greatly"
        "こいわきの",  # three kana
        "アトヨタイ",  # within a longer word in katakana
        "カボンの",  # without its voicing mark
        "부산하다",  # "to be restless"
        "구리는",  # copper
        "한서울",  # not at the beginning of a word
        "가는",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert texts_of(Matcher(NAMES).find(text)) == []


@pytest.mark.parametrize("text", ["เลย", "คง", "大分", "市", "いわき", "구리"])
def test_between_blanks_every_name_is_found(text: str) -> None:
    assert texts_of(Matcher(NAMES).find(f"a {text}, b")) == [text]


@pytest.mark.parametrize("name", ["東京", "さいたま", "ガボン", "서울", "เชียงใหม่", "ရန်ကုန်"])
def test_letters_may_be_written_whole_or_in_parts(name: str) -> None:
    for form in ("NFC", "NFD"):
        written = unicodedata.normalize(form, name)
        (match,) = Matcher([name]).find(f"x {written}。").names
        assert (match.text, match.name) == (written, name)


def test_words_of_a_run_are_counted_by_its_letters() -> None:
    # เที่ยว 6 letters, เชียงใหม่ 9, สนุก 4: two words, two, one. With "fun in" of which one is a stop word.
    found = Matcher(NAMES).find("fun in เที่ยวเชียงใหม่สนุก")
    assert (found.words_in_names, found.words) == (2, 6)
    assert words_in("日本語で") == 2
    found = Matcher(NAMES).find("서울에서 만나요")
    assert (found.words_in_names, found.words) == (1, 2)


def test_runs_count_as_small_letters_for_what_is_heard_beside_them() -> None:
    matcher = Matcher(["Krabi", "東京"])
    assert texts_of(matcher.find("beaches grabi 東京へ")) == ["grabi", "東京"]
    assert texts_of(matcher.find("The beaches grabi 東京へ")) == ["東京"]


def test_matches_stand_where_they_are_said_to_stand_in_a_long_run() -> None:
    text = "กเชียงใหม่ข" * 3_000
    found = Matcher(NAMES).find(text)
    # From the first letter of the text on a name unspaced after every 1 + 9 + 1 letters.
    assert [match.start for match in found.names] == list(range(1, len(text), 11))
    assert set(texts_of(found)) == {"เชียงใหม่"}


letters = st.sampled_from(
    [*"กเชียงใหม่รไทยสมุ東京都日本に서울에부산 a", "เชียงใหม่", "東京都", "서울에서", "Bangkok", "\u200b", "é"]
)
some_text = st.lists(letters, max_size=40).map("".join)


@given(some_text, st.sampled_from(KINDS))
def test_laws_of_matches_hold_in_all_scripts(text: str, kind: MatcherKind) -> None:
    found = Matcher(NAMES, kind).find(text)
    end = 0
    for match in found.names:
        assert end <= match.start < match.end
        assert match.text == text[match.start : match.end]
        assert plain_words(match.text)
        end = match.end
    assert 0 <= found.words_in_names <= found.words
    assert bool(found.words_in_names) == bool(found.names)


@given(st.text("東京都日本に", max_size=30))
def test_names_in_han_are_what_a_plain_search_finds(run: str) -> None:
    known, expected, at = {"東京", "東京都", "京都", "日本"}, [], 0
    while at < len(run) and run not in known:
        end = max((at + len(name) for name in known if run.startswith(name, at)), default=0)
        expected += [(at, end)] if end else []
        at = end or at + 1
    spans = UnspacedNames(known).spans_in([run]) if run else {}
    assert spans.get(0, []) == expected


@given(st.lists(st.text("東京都日本に เชียง", min_size=1, max_size=12), min_size=1), st.integers(0, 60))
def test_much_and_little_text_are_searched_alike(texts: list[str], much: int) -> None:
    names = ["東京都", "日本", "เชียง"]
    places = [
        (number, place)
        for number, text in enumerate(texts)
        for place, pair in enumerate(map("".join, pairwise(text)))
        if pair in {name[:2] for name in names}
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unspaced, "_MUCH", much)
        found = list(Begins(name[:3] for name in names).places_in(texts))
    # NumPy looks at three letters where a name has three; nothing that may be a name is missed.
    assert found == sorted(found)
    whole = [(n, p) for n, p in places if texts[n][p:].startswith(("東京都", "日本", "เชี"))]
    assert set(whole) <= set(found)
