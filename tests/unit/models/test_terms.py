"""Terms of pages: words and groups of letters, weighed by where they are."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_terms import terms_by_name

from exonym.errors import ConfigError
from exonym.models.terms import MOST_CHARACTERS, Fields, TermOptions, TermReader, term_needs, words_of
from exonym.models.terms_by_number import UNKNOWN, TokenPlaces, counted


def terms(text: str, options: TermOptions = TermOptions()) -> dict[str, float]:  # noqa: B008
    return terms_by_name(TermReader(options), Fields(body=text))


def test_words_are_stemmed_and_stop_words_left_out() -> None:
    assert terms("The hotels and the Hotel, on beaches!") == {"hotel": 2, "beach": 1}


def test_stemming_and_stop_words_can_be_switched_off() -> None:
    options = TermOptions(stem=False, stop_words=False)
    assert terms("The hotels and the Hotel", options) == {"the": 2, "hotels": 1, "and": 1, "hotel": 1}


def test_numbers_single_letters_and_endless_words_are_no_terms() -> None:
    assert terms("2020 x b2b hotel's " + "q" * 41) == {"b2b": 1, "hotel": 1}


def test_both_halves_of_a_shortened_word_are_stop_words() -> None:
    assert terms("don't we'll isn't") == {}


def test_curly_quotes_and_wide_letters_change_nothing() -> None:
    assert terms("“Hotels” – the ｂｅａｃｈ") == terms('"hotels" - the beach') == {"hotel": 1, "beach": 1}


def test_vowel_signs_belong_to_the_word() -> None:
    assert words_of("हिन्दी में") == ["हिन्दी", "में"]


def test_fields_are_weighed() -> None:
    options = TermOptions(title_weight=3, body_weight=1, anchor_weight=0.5)
    found = terms_by_name(TermReader(options), Fields("beach hotel", "hotel", "hotel\ndiving"))
    assert found == {"beach": 3, "hotel": 3 + 1 + 0.5, "dive": 0.5}


def test_field_of_weight_0_is_not_read() -> None:
    assert terms_by_name(TermReader(TermOptions(anchor_weight=0)), Fields("", "hotel", "beach")) == {"hotel": 1}


def test_thai_is_read_in_groups_of_letters_and_foreign_words_whole() -> None:
    found = terms("โรงแรม Hotel the", TermOptions("th"))
    pairs = {"โร": 1, "รง": 1, "งแ": 1, "แร": 1, "รม": 1}
    triples = {"โรง": 1, "รงแ": 1, "งแร": 1, "แรม": 1}
    assert found == {**pairs, **triples, "hotel": 1, "the": 1}


def test_groups_of_letters_do_not_run_over_spaces() -> None:
    assert terms("海 海岸。酒", TermOptions("zh")) == {"海": 1, "海岸": 1, "酒": 1}


def test_sizes_of_groups_can_be_chosen() -> None:
    assert terms("海岸酒店", TermOptions("zh", shortest_gram=4, longest_gram=4)) == {"海岸酒店": 1}


@pytest.mark.parametrize("language", ["th", "lo", "km", "my", "ja", "zh", "zh-Hant", "zh_TW"])
def test_unspaced_languages_are_read_in_characters(language: str) -> None:
    assert TermOptions(language).units == "characters"


@pytest.mark.parametrize("language", ["en", "en-GB", "ko", "vi", "de", "", "tlh"])
def test_other_languages_are_read_in_words(language: str) -> None:
    assert TermOptions(language).units == "words"
    assert terms("qualle qualle", TermOptions(language, stem=False)) == {"qualle": 2}


def test_kind_can_be_forced() -> None:
    assert TermOptions("th", kind="words").units == "words"
    assert terms("плохо", TermOptions("ru", kind="characters", longest_gram=2)) == {"пл": 1, "ло": 1, "ох": 1, "хо": 1}


def test_norwegian_by_either_name_has_the_same_stems() -> None:
    assert terms("hotellene", TermOptions("nb")) == terms("hotellene", TermOptions("nn")) == {"hotell": 1}


def test_what_comes_after_very_much_text_is_not_read() -> None:
    assert terms("the " * (MOST_CHARACTERS // 4) + "hotel") == {}


def test_needs_say_which_libraries_read_the_terms() -> None:
    assert set(term_needs(TermOptions("en"))) == {"language", "terms", "PyStemmer", "stopwordsiso"}
    assert term_needs(TermOptions("lo")) == {"language": "lo", "terms": "characters"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "letters"},
        {"title_weight": -1.0},
        {"body_weight": float("nan")},
        {"anchor_weight": float("inf")},
        {"title_weight": 0.0, "body_weight": 0.0, "anchor_weight": 0.0},
        {"shortest_gram": 0},
        {"shortest_gram": 4},
        {"longest_gram": 7},
    ],
)
def test_wrong_options_are_told(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        TermOptions(**wrong)  # type: ignore[arg-type]


def test_pickled_reader_reads_the_same() -> None:
    reader = TermReader(TermOptions("de"))
    page = Fields("Strände", "Die Häuser am Strand", "")
    assert terms_by_name(pickle.loads(pickle.dumps(reader)), page) == terms_by_name(reader, page)


@given(st.text(), st.sampled_from(["en", "th", "hi", "tr", "xx"]), st.sampled_from(["auto", "words", "characters"]))
def test_terms_of_any_text_are_words_without_spaces(text: str, language: str, kind: str) -> None:
    found = terms(text, TermOptions(language, kind))  # type: ignore[arg-type]
    assert all(term and not any(map(str.isspace, term)) and count > 0 for term, count in found.items())
    "".join(found).encode()  # no half characters


@given(
    st.tuples(st.text("ab é海岸\U00020000 \n\0"), st.text(), st.text("กิ1 the")),
    st.sampled_from(["en", "th", "de"]),
    st.sampled_from([(1, 1), (1, 3), (2, 3), (3, 3), (2, 4), (5, 6)]),
    st.sampled_from([(1, 1, 1), (2, 2, 2), (3, 1, 0.5), (0, 1, 0)]),
)
def test_terms_counted_by_number_are_those_read_by_name(
    texts: tuple[str, str, str], language: str, sizes: tuple[int, int], weights: tuple[float, float, float]
) -> None:
    options = TermOptions(language, "auto", *weights, shortest_gram=sizes[0], longest_gram=sizes[1])
    reader, names = TermReader(options), list[str]()

    def number(token: str) -> int:
        term = reader.term_of(token)
        if term and term not in names:
            names.append(term)
        return names.index(term) if term else UNKNOWN

    places, values = counted(reader, Fields(*texts), TokenPlaces(number))
    assert {names[place]: value for place, value in zip(places, values, strict=True)} == terms_by_name(
        reader, Fields(*texts)
    )


@given(st.text("ab é\n"), st.text("ab é\n"), st.text("ab é\n"), st.sampled_from(["en", "th"]))
def test_a_page_is_the_weighted_sum_of_its_fields(title: str, body: str, anchors: str, language: str) -> None:
    plain = TermReader(TermOptions(language))
    weighed = TermReader(TermOptions(language, title_weight=2, body_weight=0.25, anchor_weight=8))
    expected: dict[str, float] = {}
    for weight, text in ((2, title), (0.25, body), (8, anchors)):
        for term, count in terms_by_name(plain, Fields(body=text)).items():
            expected[term] = expected.get(term, 0) + weight * count
    assert terms_by_name(weighed, Fields(title, body, anchors)) == expected
