"""What link models take of links: the thesis' example, and the laws of reading."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from link_examples import READING, made_examples
from slow_terms import terms_by_name

from exonym.errors import ConfigError
from exonym.models.links.features import LinkTexts, domain_of, path_text_of, places_of, steps_of, text_of
from exonym.models.links.link_reader import LinkReader, NameCounter, ReadOptions, read_options_of
from exonym.models.terms import Fields, TermOptions, TermReader
from exonym.nations.matching.matcher import KINDS, Matcher, MatcherKind, matcher_of
from exonym.nations.matching.tokens import ENGLISH_STOP_WORDS
from exonym.nations.nation_file import load_nation
from exonym.training.links.link_examples import LinkExamples


def one_link(url: str = "", anchor: str = "", around: str = "") -> LinkTexts:
    return LinkTexts([url], [anchor], [around], ["com"], ["TH"], ["US"])


def reader_with(numbers: dict[str, int], options: ReadOptions = READING) -> LinkReader:
    return LinkReader(options, lambda term: numbers.setdefault(term, len(numbers)))


# Shares of names


@pytest.mark.parametrize("kind", KINDS)
def test_shares_are_those_of_figure_8(kind: MatcherKind) -> None:
    # Names and stop words as there: 3 of the 5 words, and 2 of the 2 in the path.
    options = ReadOptions(("Pattaya", "Thailand"), kind, ("is", "a", "in", "http", "html"))
    link = one_link(
        "http://www.example.com/thailand/pattaya.html", "hotel in Pattaya", "Pattaya is a beach in Thailand"
    )
    assert reader_with({}, options).read(link).shares.tolist() == [[0.6, 1.0]]


def test_host_name_is_no_part_of_the_share() -> None:
    shares = reader_with({}).read(one_link("http://thailand.pattaya.com/recipes/page")).shares
    assert shares.tolist() == [[0.0, 0.0]]


def test_link_without_texts_has_no_names_and_no_words() -> None:
    links = reader_with({}).read(one_link())
    assert (links.shares.tolist(), links.words.tolist(), links.lengths.tolist()) == ([[0.0, 0.0]], [], [0])


def test_no_links_are_read_too() -> None:
    links = reader_with({}).read(LinkTexts([], [], [], [], [], []))
    assert (links.shares.shape, links.words.tolist(), links.lengths.tolist()) == ((0, 2), [], [])


pieces = st.sampled_from(
    ["Koh", "Samui", "samui", "Pattaya", "pataya", "the", "in", "hotel", "ไทย", "–", "x9", "\ud800"]
)


@settings(deadline=None)
@given(st.text() | st.lists(pieces).map(" ".join), st.sampled_from(KINDS))
def test_words_in_names_are_those_that_the_matcher_finds(text: str, kind: MatcherKind) -> None:
    found = Matcher(READING.names, kind).find(text)
    counted = NameCounter(READING.names, kind, ENGLISH_STOP_WORDS).counted(text)
    assert counted == (found.words_in_names, found.words)


def test_nation_is_read_with_its_own_matcher() -> None:
    nation = load_nation("IS")
    options = read_options_of(nation)
    counter, matcher = NameCounter(options.names, options.matcher, options.stop_words), matcher_of(nation)
    for text in ("From Reykjavik to Akureyri by bus", "Long way to Reykjavík", "nothing of that kind"):
        found = matcher.find(text)
        assert counter.counted(text) == (found.words_in_names, found.words)


def test_names_are_those_of_one_line_and_a_known_matcher() -> None:
    with pytest.raises(ConfigError, match="on one"):
        ReadOptions(("Koh\nSamui",))
    with pytest.raises(ConfigError, match="default, classic, exact"):
        ReadOptions(matcher="soundex")  # type: ignore[arg-type]


# Words


def test_words_are_those_of_anchor_surroundings_and_path_stemmed_and_without_stop_words() -> None:
    numbers: dict[str, int] = {}
    link = one_link("http://www.example.com/dive-trips/reefs-12.html", "Diving trips", "and the best hotels")
    links = reader_with(numbers).read(link)
    # By hand: html, and, the are stop words, and "best" is one of stopwordsiso's; 12 is a number.
    assert sorted(list(numbers)[word] for word in links.words) == ["dive", "dive", "hotel", "reef", "trip", "trip"]


def test_words_are_the_terms_that_topic_models_read() -> None:
    numbers: dict[str, int] = {}
    texts = made_examples(40).texts
    links = reader_with(numbers, ReadOptions(stop_words=())).read(texts)
    rows, columns, counts = links.word_counts(len(numbers))
    terms, reader = list(numbers), TermReader(TermOptions("en"))
    for row in range(40):
        body = f"{text_of(texts.anchors[row], texts.around[row])} {path_text_of(texts.urls[row])}"
        read = {terms[columns[place]]: counts[place] for place in np.flatnonzero(rows == row)}
        assert read == terms_by_name(reader, Fields(body=body))


def test_escapes_in_a_url_are_read_as_the_letters_that_they_mean() -> None:
    assert path_text_of("http://a.com/%E0%B9%84%E0%B8%97%E0%B8%A2/koh%20samui?q=a+b") == "ไทย/koh samui?q=a+b"
    assert path_text_of("http://a.com/%FF%zz") == "\ufffd%zz"
    assert [path_text_of(odd) for odd in ("", "http://a.com", "x", "http://a.com/")] == ["", "", "", ""]


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=5))
def test_links_are_read_alike_alone_and_together_and_again(links: list[tuple[str, str, str]]) -> None:
    numbers: dict[str, int] = {}
    reader = reader_with(numbers)
    urls, anchors, around = (list(column) for column in zip(*links, strict=True)) if links else ([], [], [])
    rest = [[""] * len(links)] * 3
    whole = reader.read(LinkTexts(urls, anchors, around, *rest))
    singly = [reader_with(numbers).read(one_link(*link)) for link in links]
    assert whole.shares.tolist() == [read.shares[0].tolist() for read in singly]
    assert whole.words.tolist() == [word for read in singly for word in read.words.tolist()]


# Steps and places


def test_numbers_are_cut_into_ten_steps() -> None:
    values = [0.0, 0.05, 0.1, 0.3, 0.1 + 0.2, 0.7, 0.8999, 0.9, 1.0]
    assert steps_of(np.array(values)).tolist() == [0, 0, 1, 3, 3, 7, 8, 9, 9]


@settings(deadline=None)
@given(st.integers(1, 300), st.integers(0, 300))
def test_step_of_a_share_is_that_of_whole_numbers(whole: int, part: int) -> None:
    part = min(part, whole)
    assert steps_of(np.array([part / whole])).tolist() == [min(10 * part // whole, 9)]


@settings(deadline=None)
@given(st.lists(st.floats(width=64)))
def test_any_number_has_a_step(values: list[float]) -> None:
    assert set(steps_of(np.array(values, np.float64)).tolist()) <= set(range(10))


def test_domain_is_that_of_the_url_and_unknown_is_one_too() -> None:
    urls = ["http://www.a.co.th/x", "https://a.com:8080/", "http://10.0.0.1/", "", "mailto:x", "http://[::1]/"]
    assert [domain_of(url) for url in urls] == ["th", "com", "", "", "", ""]
    assert places_of(one_link("http://a.org/")) == [["TH"], ["US"], ["com"], ["org"]]


# Examples


@pytest.mark.parametrize(("links", "degrees"), [(1, 1), (1, 3), (3, 1), (3, 3)])
def test_examples_have_columns_of_one_length(links: int, degrees: int) -> None:
    texts = LinkTexts(*([""] * links for _ in range(6)))
    columns = (np.zeros(degrees), np.zeros(3, np.bool_), np.zeros(3, np.int64))
    if links == degrees == 3:
        assert len(LinkExamples(texts, *columns)) == 3
    else:
        with pytest.raises(ConfigError, match="one length"):
            LinkExamples(texts, *columns)
