"""`exonym model table` and `exonym experiment haprc` as users run them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Said, run_here

from exonym.experiments.haprc.agreement import DecisionAgreement, agreement
from exonym.experiments.haprc.published import Decision, decisions_in, published_decisions
from exonym.experiments.haprc.relevance import JudgedQuery, held_out_qualities
from exonym.experiments.haprc.small_corpus import small_corpus, small_decisions, small_query_log

Run = Callable[..., Said]
CORPUS = """# 1
Ships and harbours. A ship is a ship.
# 2
The harbour.
# 3
Bread and salt, 1978 22 8.
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs commands in an empty directory with a corpus and a log in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "log.txt").write_text("ship\nships in harbours\n", encoding="utf-8")
    return run_here


def build(run: Run, *words: str) -> Said:
    return run("model", "table", "train", "--corpus", "corpus.txt", "--query-log", "log.txt", "-o", "t.json", *words)


def test_table_is_built_by_the_rule(run: Run) -> None:
    code, out, _ = build(run, "--query", "a ship", "--alpha", "0.5", "--json")
    assert code == 0
    assert json.loads(out)["queries"] == [{"query": "a ship", "entered": ["ship"], "changed": [], "left": []}]
    shown = json.loads(run("model", "table", "show", "t.json", "--json")[1])
    # Only document 1 has it, three times; the log twice: 0.5·2 + 0.5·(3·1).
    assert shown["terms"] == {
        "ship": {"weight": 2.5, "term_frequency": 3, "document_frequency": 1, "query_frequency": 2}
    }
    assert shown["threshold"] == 3.75  # half of 3·2.5


def test_second_build_updates_the_table(run: Run) -> None:
    build(run, "--query", "ship", "--alpha", "0.5")
    code, out, _ = build(run, "--query", "ship harbour")
    assert code == 0
    # ship: 0.5·2 + 0.5·3 + 0.5·2.5; harbour: 0.5·1 + 0.5·(2·2).
    assert "entered  harbour 2.5\n" in out
    assert "changed  ship 3.8\n" in out
    assert "2; the last: harbour ship" in run("model", "table", "show", "t.json")[1]


def test_table_judges_documents_and_pages(run: Run, tmp_path: Path) -> None:
    build(run, "--query", "ship", "--alpha", "0.5")
    judged = run("model", "table", "judge", "t.json", "--corpus", "corpus.txt", "--json")[1].splitlines()
    assert [(row["page"], row["download"], row["weight"]) for row in map(json.loads, judged)] == [
        ("1", True, 7.5),
        ("2", False, 0.0),
        ("3", False, 0.0),
    ]
    (tmp_path / "page.html").write_text("<title>Ships</title><p>harbour", encoding="utf-8")
    code, out, _ = run("model", "table", "judge", "t.json", "page.html")
    assert (code, out) == (0, "  page.html  download: weight 7.5, more than 3.8: ship 100 %\n")


def test_small_corpus_is_there_without_any_file(run: Run) -> None:
    assert run("model", "table", "train", "-o", "t.json", "--query", "library catalogue")[0] == 0
    out = run(
        "model", "table", "judge", "t.json", "--small-corpus", "--document", "library-1", "--document", "cooking-1"
    )[1]
    assert [line.split()[1] for line in out.splitlines()] == ["download:", "do"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["model", "table", "train", "-o", "t.json", "--query", "1978"], "no term"),
        (["model", "table", "train", "-o", "t.json", "--query", "x", "--alpha", "0.7"], "alpha"),
        (["model", "table", "train", "-o", "t.json", "--query", "x", "--corpus", "log.txt"], "log.txt, line 1"),
        (["model", "table", "train", "-o", "corpus.txt", "--query", "x"], "no weight table"),
        (["model", "table", "train", "-o", "t.json", "--query", "x", "--language", "Thai"], "--no-stem"),
        (["model", "table", "train", "-o", "no/t.json", "--query", "ship"], "cannot be used"),
        (["model", "table", "show", "none.json"], "cannot be used"),
        (["model", "table", "judge", "none.json"], "one of the three"),
        (["experiment", "haprc", "--corpus", "corpus.txt"], "--query-log"),
        (["experiment", "haprc", "--decisions", "log.txt"], "log.txt, line 1"),
        (["experiment", "haprc", "--alpha", "nan"], "alpha"),
    ],
)
def test_wrong_use_is_told_in_one_line(run: Run, words: list[str], why: str, tmp_path: Path) -> None:
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err
    assert {path.name for path in tmp_path.iterdir()} == {"corpus.txt", "log.txt"}


def test_words_read_otherwise_are_not_mixed_into_a_table(run: Run) -> None:
    build(run, "--query", "ship")
    code, _, err = build(run, "--query", "ship", "--no-stem")
    assert (code, "other word settings" in err) == (2, True)


def test_experiment_runs_on_the_small_corpus(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("experiment", "haprc", "-o", "report")
    assert code == 0
    assert {"report.html", "report.json", "decisions.csv"} <= {path.name for path in (tmp_path / "report").iterdir()}
    assert "Agreement compared with rules that need no table" in out
    found = json.loads(run("experiment", "haprc", "--json")[1])
    assert found["claims"] == []  # they are about the paper's table
    assert found["agreement"]["decided"] == 37
    assert found["agreement"]["download_all"] == 18
    assert found["queries"][-1]["retrieved"] == []


def test_experiment_shows_the_rule_of_the_paper_and_ours(run: Run) -> None:
    found = json.loads(run("experiment", "haprc", "--json")[1])
    assert (found["rule"], found["retrieval"], found["keep_numbers"]) == ("paper", "paper", True)
    ours = json.loads(
        run("experiment", "haprc", "--rule", "weighted", "--retrieval", "lucene", "--no-numbers", "--json")[1]
    )
    assert found["agreement_ours"] == ours["agreement"] == ours["agreement_ours"]
    assert found["agreement"] != ours["agreement"]
    queries = [one["query"] for one in found["queries"]]
    assert [row[0] for row in found["held_out_settings"]["rows"]] == [*queries, "Total"]


def test_table_decides_by_the_rule_that_it_was_trained_with_or_another(run: Run, tmp_path: Path) -> None:
    build(run, "--query", "ship harbour", "--rule", "paper", "--retrieval", "paper", "--numbers")
    shown = json.loads(run("model", "table", "show", "t.json", "--json")[1])
    assert (shown["settings"]["rule"], shown["threshold"]) == ("paper", 1.0)
    assert (shown["reading"]["keep_numbers"], shown["provenance"]["retrieval"]) == (True, "paper")
    judge = ("model", "table", "judge", "t.json", "--corpus", "corpus.txt")
    lines = run(*judge)[1].splitlines()
    assert [line.split(None, 1)[1] for line in lines] == [
        "download: ship 3.0, more than 1.0",
        "do not download: harbour 1.0, not more than 1.0",
        "do not download: none of the table's terms",
    ]
    weighted = [json.loads(line) for line in run(*judge, "--rule", "weighted", "--json")[1].splitlines()]
    assert weighted[0]["weight"] > 3.0


TWICE = """# 1
A ship, a ship and the sea.
# 2
One ship of the sea.
# 3
Salt and bread.
# 4
More bread.
# 5
A coat.
"""


def test_experiment_decides_by_the_rule_of_the_paper_a_term_at_a_time(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text(TWICE, encoding="utf-8")
    rows = "ship sea\t1\tdownload\nship sea\t2\tskip\n"
    (tmp_path / "decisions.tsv").write_text(rows, encoding="utf-8")
    files = ["--corpus", "corpus.txt", "--query-log", "log.txt", "--decisions", "decisions.tsv", "--json"]
    found = json.loads(run("experiment", "haprc", *files)[1])
    # Document 2 has each term once, 1 has one of them twice.
    assert [(one["weight"], one["downloads"]) for one in found["queries"][0]["decisions"]] == [
        (2.0, True),
        (1.0, False),
    ]
    assert (found["agreement"]["agreed"], found["queries"][0]["threshold"]) == (2, 1.0)


def test_experiment_is_compared_with_judgements_of_relevance(run: Run, tmp_path: Path) -> None:
    topics = "<DOC>\n<DOCNO> {} </DOCNO>\n{}\n</DOC>\n"
    (tmp_path / "queries.txt").write_text(
        topics.format(1, "ships") + topics.format(2, "harbours") + topics.format(3, "salt"), encoding="utf-8"
    )
    # 3 has no relevant document, and is left out.
    (tmp_path / "judged.txt").write_text("1 Q0 X-1 1\n2 Q0 X-1 1\n2 Q0 X-2 1\n3 Q0 X-3 0\n", encoding="utf-8")
    (tmp_path / "decisions.tsv").write_text("ship\t1\tdownload\n", encoding="utf-8")
    files = ["--corpus", "corpus.txt", "--query-log", "log.txt", "--decisions", "decisions.tsv"]
    judged = ["--judged-queries", "queries.txt", "--judgements", "judged.txt"]
    found = json.loads(run("experiment", "haprc", *files, *judged, "--retrieval", "lucene", "--json")[1])
    names = ["the paper's rule, a term at a time", "ours, the weighted sum", "the first documents of the ranking"]
    rows = found["relevance"]["rows"]
    assert [row[0] for row in rows] == names
    # By the paper's rule with threshold 0, which is best for the other query each time, all is found and nothing else.
    assert rows[0][1:4] == ["1.000"] * 3
    code, _, error = run("experiment", "haprc", *files, *judged[:2])
    assert (code, "belong together" in error) == (2, True)
    (tmp_path / "judged.txt").write_text("1 Q0 X-1\n", encoding="utf-8")
    code, _, error = run("experiment", "haprc", *files, *judged)
    assert (code, "judged.txt, line 1" in error) == (2, True)


def test_held_out_threshold_is_chosen_on_the_other_queries() -> None:
    judged = [JudgedQuery("a", frozenset("1")), JudgedQuery("b", frozenset("2")), JudgedQuery("c", frozenset("3"))]
    downloads = {(0, 1.0): "1", (1, 1.0): "2", (2, 1.0): "", (0, 2.0): "", (1, 2.0): "", (2, 2.0): "3"}
    found, chosen = held_out_qualities(judged, (1.0, 2.0), lambda at, least: frozenset(downloads[at, least]))
    # For a and b both thresholds are as good on the others: the first. For c the first is best on a and b, and misses.
    assert chosen == [1.0, 1.0, 1.0]
    assert [one.f1 for one in found] == [1.0, 1.0, 0.0]


def test_experiment_counts_agreement_with_decisions_given(run: Run, tmp_path: Path) -> None:
    rows = "query\tdocument\tdecision\nship\t1\tdownload\nship\t2\tdownload\nship\t9\tskip\nvolcano\t-\tnone\n"
    (tmp_path / "decisions.tsv").write_text(rows, encoding="utf-8")
    files = ["--corpus", "corpus.txt", "--query-log", "log.txt", "--decisions", "decisions.tsv"]
    found = json.loads(run("experiment", "haprc", *files, "--stem", "--json")[1])
    # 1 is downloaded, 2 has no ship in it, 9 is not in the corpus.
    assert [one["downloads"] for one in found["queries"][0]["decisions"]] == [True, False, None]
    assert (found["queries"][0]["in_common"], found["queries"][0]["listed"]) == (1, 3)
    assert {name: found["agreement"][name] for name in ("decided", "agreed", "download_all")} == {
        "decided": 2,
        "agreed": 1,
        "download_all": 2,
    }


def test_published_table_has_its_36_rows() -> None:
    rows = published_decisions()
    counts = {decision: sum(row.decision == decision for row in rows) for decision in ("download", "skip", "unclear")}
    assert (len(rows), counts) == (36, {"download": 25, "skip": 9, "unclear": 1})
    assert Decision("solut of polynomi equat", "1599", "unclear") in rows


def test_decisions_are_read_from_lines_of_three() -> None:
    assert decisions_in("a  b\t1\tskip\n", "x") == [Decision("a b", "1", "skip")]


def test_kappa_is_as_worked_out_by_hand() -> None:
    rows = [Decision("q", str(number), "download" if number < 6 else "skip") for number in range(8)]
    found = agreement(rows, lambda row: int(row.document) in (0, 1, 2, 6))
    assert found == DecisionAgreement(both_download=3, both_skip=1, only_listed=3, only_ours=1)
    # Chance: 6/8 · 4/8 + 2/8 · 4/8 = 1/2; agreed 4/8.
    assert (found.by_chance, found.kappa) == (0.5, 0.0)


def test_small_corpus_holds_together() -> None:
    names = {document.identifier for document in small_corpus()}
    assert len(names) == 40
    assert len(small_query_log()) == 16
    assert {row.document for row in small_decisions()} - names == {"-"}
