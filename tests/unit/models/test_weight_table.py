"""HAPRC's weight table: the rule worked out by hand, its laws, what is retrieved, and the files that keep tables."""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError, ExonymError
from exonym.extract.document import Document
from exonym.judges.base import Verdict
from exonym.judges.weight_table import WeightTableJudge
from exonym.models.weight_table import (
    LARGEST,
    TableSettings,
    WeightedTerm,
    WeightTable,
    deciding,
    grown,
    log_frequencies,
    new_weight,
    updated,
)
from exonym.models.weight_table_file import load_table, save_table, serialised, table_in
from exonym.models.weight_table_words import TextToTerms, WordReader
from exonym.training.corpus import documents_in, queries_in, read_corpus
from exonym.training.retrieval import RANKINGS, Retrieval

HALF = WeightTable(TableSettings(alpha=0.5, url_weight=2, title_weight=3, body_weight=1))
DOCUMENTS = [["a", "a", "b"], ["a", "c"]]
LOG = log_frequencies([["a", "b"], ["a"]])


def test_rule_is_the_algorithm_and_not_the_equation() -> None:
    # 0.75·2 + 0.75·(6·3) + 0.25·8; equation 3.1 would leave the old weight whole: 23.
    assert new_weight(0.25, (6, 3, 2), 8.0) == 17.0


def test_query_puts_its_terms_into_the_table() -> None:
    change = updated(HALF, ["a", "z"], LOG, DOCUMENTS)
    # a: qf 2, tf 3, df 2: 0.5·2 + 0.5·6; z is nowhere.
    assert change.table.terms == {"a": WeightedTerm(4.0, 3, 2, 2)}
    assert (change.entered, change.changed, change.left) == (("a",), (), ())
    assert (change.table.queries_seen, change.table.documents_seen) == (1, 2)
    # The documents weigh 2·4 and 1·4: 6 is typical, half of it the threshold.
    assert (change.table.typical_weight, change.table.threshold) == (6.0, 3.0)


def test_next_query_changes_weights_and_leaves_other_terms_alone() -> None:
    first = updated(HALF, ["a", "b"], LOG, DOCUMENTS).table
    second = updated(first, ["a"], LOG, [["a"]])
    # a: 0.5·2 + 0.5·1 + 0.5·4; b as before: 0.5·1 + 0.5·1.
    assert {term: one.weight for term, one in second.table.terms.items()} == {"a": 3.5, "b": 1.0}
    assert (second.entered, second.changed, second.left) == ((), ("a",), ())


def test_terms_enter_only_above_the_threshold_and_leave_at_it() -> None:
    strict = replace(HALF, settings=replace(HALF.settings, term_threshold=4.0))
    assert updated(strict, ["a"], LOG, DOCUMENTS).table.terms == {}
    lower = replace(HALF, settings=replace(HALF.settings, term_threshold=3.9))
    entered = updated(lower, ["a"], LOG, DOCUMENTS).table
    assert updated(entered, ["a"], LOG, [["a"]]).left == ("a",)


def test_query_without_documents_keeps_the_threshold() -> None:
    first = updated(HALF, ["a"], LOG, DOCUMENTS).table
    assert updated(first, ["nothing"], LOG, []).table.threshold == first.threshold


def test_rule_of_the_paper_takes_the_heaviest_term_and_no_weights() -> None:
    first = updated(HALF, ["a", "b"], LOG, DOCUMENTS).table
    table = replace(first, settings=replace(first.settings, rule="paper"))
    # a: 1·2 + 1·3 + 1·1, b: 4·1; the weights 4 and 1 of the terms, and the sum of both, do not matter.
    contributions = table.contributions(["a"], ["a", "x"], ["a", *"bbbb"])
    assert contributions == {"a": 6.0, "b": 4.0}
    assert table.weight(contributions) == 6.0
    assert table.weight({}) == 0.0
    # In a body of weight 1, some term must occur twice.
    assert table.threshold == 1.0
    assert table.page_weight([], [], ["a", "b"]) == 1.0
    assert table.page_weight([], [], ["a", "a"]) == 2.0


def test_rule_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ConfigError, match="rule must be weighted or paper, got 'sum'"):
        TableSettings(rule="sum")  # type: ignore[arg-type]


def test_page_weight_counts_each_place_by_its_weight() -> None:
    table = updated(HALF, ["a"], LOG, DOCUMENTS).table
    # (1·2 + 2·3 + 3·1)·4
    assert table.page_weight(["a", "x"], ["a", "a"], Counter({"a": 3, "y": 9})) == 44.0
    assert table.page_weight(["x"], [], []) == 0.0


def test_terms_that_decided_come_with_their_shares() -> None:
    terms = {"a": WeightedTerm(3.0, 1, 1, 1), "b": WeightedTerm(1.0, 1, 1, 1)}
    table = WeightTable(terms=terms)
    assert deciding(table.contributions([], [], ["a", "b", "c"])) == [("a", 0.75), ("b", 0.25)]


def test_table_grows_from_relevant_pages() -> None:
    table = updated(HALF, ["a", "z"], LOG, DOCUMENTS).table
    larger = grown(table, [["z", "z"], ["z", "a"]])
    # a: 0.5·2 + 0.5·1 + 0.5·4; z, of the last query: 0.5·(3·2).
    assert {term: one.weight for term, one in larger.terms.items()} == {"a": 3.5, "z": 3.0}
    assert larger.typical_weight == 6.25  # of 2·3 and 3 + 3.5
    assert larger.queries_seen == table.queries_seen
    assert grown(table, []) == table


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"alpha": 0.6}, "alpha"),
        ({"alpha": math.nan}, "alpha"),
        ({"documents": 0}, "documents"),
        ({"url_weight": -1.0}, "url_weight"),
        ({"page_threshold": math.inf}, "page_threshold"),
    ],
)
def test_settings_that_the_rule_has_no_answer_for_are_refused(settings: dict[str, float], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        TableSettings(**settings)  # type: ignore[arg-type]


words = st.sampled_from(["alpha", "beta", "gamma", "delta"])
texts = st.lists(st.lists(words, max_size=6), max_size=4)
settings = st.builds(
    TableSettings,
    alpha=st.floats(0, 0.5),
    url_weight=st.floats(0, 100),
    term_threshold=st.floats(0, 20),
    page_threshold=st.none() | st.floats(0, LARGEST),
)


@st.composite
def tables(draw: st.DrawFn) -> WeightTable:
    table = WeightTable(
        draw(settings), TextToTerms(stem=draw(st.booleans())), provenance={"corpus": draw(st.text("aไ \n"))}
    )
    for query in draw(st.lists(st.lists(words, max_size=3), max_size=3)):
        table = updated(table, query, log_frequencies(draw(texts)), draw(texts)).table
    return grown(table, draw(texts))


@given(tables())
def test_weights_are_finite_and_above_the_threshold(table: WeightTable) -> None:
    for one in table.terms.values():
        assert math.isfinite(one.weight)
        assert one.weight > table.settings.term_threshold >= 0
    assert math.isfinite(table.threshold)
    assert table.threshold >= 0


@given(tables(), st.lists(words), texts, st.randoms(use_true_random=False))
def test_order_of_terms_and_documents_does_not_matter(table: WeightTable, query, documents, random) -> None:  # type: ignore[no-untyped-def]
    mixed = [random.sample(document, len(document)) for document in documents]
    random.shuffle(mixed)
    one = updated(table, query, LOG, documents)
    other = updated(table, random.sample(query, len(query)), LOG, mixed)
    assert one == other
    for document, shuffled in zip(documents, [random.sample(text, len(text)) for text in documents], strict=True):
        assert table.page_weight([], [], document) == table.page_weight([], [], shuffled)


@given(tables())
def test_table_is_the_same_after_saving_and_loading(table: WeightTable) -> None:
    assert table_in(serialised(table)) == table
    assert serialised(table_in(serialised(table))) == serialised(table)


def test_file_of_a_table_stays_readable_and_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    save_table(updated(HALF, ["a", "c"], LOG, DOCUMENTS).table, path)
    assert path.read_text(encoding="utf-8") == (
        '{\n"format": "exonym-weight-table",\n"version": 1,\n'
        '"settings": {"alpha": 0.5, "documents": 7, "url_weight": 2, "title_weight": 3, "body_weight": 1, '
        '"term_threshold": 0.0, "page_threshold": null},\n'
        '"reading": {"language": "en", "stem": true, "drop_stop_words": true, "keep_numbers": false},\n'
        '"queries_seen": 1,\n"documents_seen": 2,\n"typical_weight": 6.25,\n"provenance": {},\n'
        '"last_query": {"a": 2, "c": 0},\n"terms": {\n'
        '"a": {"weight": 4.0, "term_frequency": 3, "document_frequency": 2, "query_frequency": 2},\n'
        '"c": {"weight": 0.5, "term_frequency": 1, "document_frequency": 1, "query_frequency": 0}\n}\n}\n'
    )
    assert [one.name for one in tmp_path.iterdir()] == ["table.json"]


def test_file_of_a_table_with_the_rule_of_the_paper_is_refused_by_programs_that_do_not_know_it(tmp_path: Path) -> None:
    table = updated(replace(HALF, settings=replace(HALF.settings, rule="paper")), ["a"], LOG, DOCUMENTS).table
    save_table(table, tmp_path / "table.json")
    kept = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert (kept["version"], kept["settings"]["rule"]) == (2, "paper")  # version 0.1.0 reads version 1 alone
    assert load_table(tmp_path / "table.json") == table


SOUND = serialised(updated(HALF, ["a", "c"], LOG, DOCUMENTS).table)


def refusal(data: bytes, directory: Path) -> str:
    """What is said of a file with these bytes; "" if it is a table."""
    (directory / "given").write_bytes(data)
    try:
        load_table(directory / "given")
    except ExonymError as error:
        return str(error)
    return ""


@given(st.binary(max_size=200) | st.integers(0, len(SOUND)).map(lambda end: SOUND[:end]))
def test_any_bytes_are_a_table_or_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    said = refusal(data, tmp_path_factory.getbasetemp())
    assert "\n" not in said
    assert said or table_in(data)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('"version": 1', '"version": 9', "version is 9"),
        ("exonym-weight-table", "other", "another program"),
        ('"alpha": 0.5', '"alpha": 5', "alpha"),
        ('"alpha": 0.5', '"alpha": NaN', "cut short"),
        ('"weight": 4.0', '"weight": -1', "weight"),
        ('"weight": 4.0', '"weight": 1e300', "weight"),
        ('"weight": 4.0', '"weight": "x"', "float"),
        ('"term_frequency": 3', '"term_frequency": -3', "count"),
        ('"a": {', '"\\u001b[31m": {', "no term"),
        ('"typical_weight": 6.25', '"typical_weight": -6', "weight"),
        ('"terms": {', '"terms": [' * 100_000, "cut short"),
    ],
)
def test_damaged_table_is_refused_with_the_reason(before: str, after: str, why: str, tmp_path: Path) -> None:
    said = refusal(SOUND.decode().replace(before, after, 1).encode(), tmp_path)
    assert why in said
    assert said.isprintable()


def test_missing_table_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ExonymError, match="cannot be used"):
        load_table(tmp_path / "none")


def reference_scores(documents: list[list[str]], query: list[str]) -> list[float]:
    """BM25 as Lucene has it, by its formula."""
    mean = sum(map(len, documents)) / len(documents)
    scores = [0.0] * len(documents)
    for term in query:
        holding = sum(term in document for document in documents)
        inverse = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for place, document in enumerate(documents):
            tf = document.count(term)
            scores[place] += inverse * tf / (tf + 1.5 * (1 - 0.75 + 0.75 * len(document) / mean)) if tf else 0
    return scores


@given(st.lists(st.lists(words, max_size=8), min_size=1, max_size=8), st.lists(words, max_size=3), st.integers(1, 5))
def test_best_documents_are_those_of_the_formula(documents: list[list[str]], query: list[str], most: int) -> None:
    found = Retrieval(documents).top(query, most)
    scores = reference_scores(documents, query) if any(documents) else [0.0] * len(documents)
    expected = sorted((score for score in scores if score > 0), reverse=True)[:most]
    assert [scores[place] for place in found] == pytest.approx(expected)
    assert Retrieval(documents).top(query[::-1], most) == found


@pytest.mark.parametrize("name", RANKINGS)
def test_equal_documents_come_in_their_order(name: str) -> None:
    documents = [["x"], ["a", "b"], ["y"], ["b", "a"], ["z"], ["a", "b"], ["u", "v"]]
    assert Retrieval(documents, RANKINGS[name]).top(["a"], 2) == [1, 3]
    assert Retrieval(documents, RANKINGS[name]).top(["unknown"], 2) == []
    assert Retrieval([[], []], RANKINGS[name]).top(["a"], 2) == []


def test_ranking_of_the_paper_is_classic_bm25() -> None:
    documents = [["a", "a", "b", "c"], ["a"], ["b", "b", "b"], ["c"], ["d", "d"], ["e"], ["e", "f", "f", "f", "f"]]
    query, k1, b = ["a", "b"], 1.0, 0.5
    mean = sum(map(len, documents)) / len(documents)

    def score(document: list[str]) -> float:
        total = 0.0
        for term in query:
            n, f = sum(term in other for other in documents), document.count(term)
            idf = math.log((len(documents) - n + 0.5) / (n + 0.5))
            total += idf * f * (k1 + 1) / (f + k1 * (1 - b + b * len(document) / mean))
        return total

    expected = sorted((place for place in range(7) if score(documents[place])), key=lambda i: -score(documents[i]))
    assert Retrieval(documents, RANKINGS["paper"]).top(query, 7) == expected == [0, 2, 1]


def test_corpus_is_parted_at_its_ids(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("# 1\nfirst\n#hashtag is text\n\n#2\r\nsecond\r\n# 3\n", encoding="utf-8")
    found = read_corpus(tmp_path / "corpus.txt")
    assert [(one.identifier, one.text) for one in found] == [
        ("1", "first\n#hashtag is text"),
        ("2", "second"),
        ("3", ""),
    ]


@pytest.mark.parametrize(
    ("text", "why"), [("", "no document"), ("words", "line 1"), ("# 1\na\n# 1\nb", "two documents")]
)
def test_corpus_of_another_format_is_refused(text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        documents_in(text, "corpus.txt")


@given(st.text(alphabet="#ab 1\n\r\x00\x85ก"))
def test_any_text_is_a_corpus_or_refused_in_one_line(text: str) -> None:
    said = ""
    try:
        assert documents_in(text, "corpus.txt")
    except ConfigError as error:
        said = str(error)
    assert "\n" not in said


def test_query_log_has_a_query_a_line() -> None:
    assert queries_in("one  two\n\n three \r\n") == ["one two", "three"]


def test_numbers_are_no_terms_and_words_are_stemmed_if_asked() -> None:
    text = "The Libraries of 1978, ca581203: 8 28 pm"
    plain = WordReader(TextToTerms(stem=False, drop_stop_words=False))
    assert plain.counts(text) == Counter(["the", "libraries", "of", "ca581203", "pm"])
    assert WordReader(TextToTerms()).counts(text) == Counter(["librari", "ca581203", "pm"])
    assert WordReader(TextToTerms(keep_numbers=True)).counts("8 28 8") == Counter({"8": 2, "28": 1})
    assert WordReader(TextToTerms()).url_counts("http://x.org/Thai_library%20books") == Counter(
        ["http", "x", "org", "thai", "librari", "book"]
    )


class Allowing:
    def __init__(self, relevant: bool = True) -> None:
        self._relevant = relevant

    def judge(self, document: Document) -> Verdict:
        return Verdict(0.9, self._relevant, "en", {"en": 0.9}, "English")


def page(title: str, blocks: str) -> Document:
    return Document("http://example.org/", title, blocks)


TABLE = WeightTable(
    TableSettings(title_weight=3, body_weight=1, page_threshold=10.0),
    terms={"librari": WeightedTerm(4.0, 1, 1, 1), "book": WeightedTerm(2.0, 1, 1, 1)},
)


def test_judge_finds_pages_relevant_above_the_threshold() -> None:
    verdict = WeightTableJudge(TABLE, Allowing()).judge(page("Libraries", "two books, one library"))
    # Title 3·4, body 4 + 2: 18 of 28.
    assert (verdict.relevant, verdict.relevance) == (True, pytest.approx(18 / 28))
    assert verdict.evidence == "weight 18.0, more than 10.0: librari 89 %, book 11 %"


def test_judge_does_not_find_pages_relevant_at_the_threshold() -> None:
    verdict = WeightTableJudge(TABLE, Allowing()).judge(page("", "library book book book"))
    assert (verdict.relevant, verdict.relevance) == (False, 0.5)
    assert WeightTableJudge(TABLE, Allowing(), threshold=9.0).judge(page("", "library book book book")).relevant


def test_judge_names_the_term_that_decided_by_the_rule_of_the_paper() -> None:
    settings = replace(TABLE.settings, rule="paper", page_threshold=None)
    judge = WeightTableJudge(replace(TABLE, settings=settings), Allowing())
    verdict = judge.judge(page("", "books on books and books in a library"))
    assert (verdict.relevant, verdict.relevance) == (True, 0.75)
    assert verdict.evidence == "book 3.0, more than 1.0"
    once = judge.judge(page("", "a book in a library"))
    assert (once.relevant, once.evidence) == (False, "book 1.0, not more than 1.0")


def test_judge_asks_for_the_language_first() -> None:
    verdict = WeightTableJudge(TABLE, Allowing(False)).judge(page("Libraries", "libraries"))
    assert (verdict.relevant, verdict.relevance, verdict.evidence) == (False, 0.0, "English")


@pytest.mark.parametrize("threshold", [-1.0, math.nan, math.inf, "high"])
def test_judge_refuses_a_threshold_that_is_none(threshold: float) -> None:
    with pytest.raises(ConfigError, match=r"target\.table\.threshold"):
        WeightTableJudge(TABLE, Allowing(), threshold)


def test_table_file_is_json_for_any_program() -> None:
    assert json.loads(SOUND)["terms"]["a"]["weight"] == 4.0
