"""`exonym model table` and `exonym experiment haprc` as users run them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Said, run_here

from exonym.experiments.haprc.agreement import DecisionAgreement, agreement
from exonym.experiments.haprc.published import Decision, decisions_in, published_decisions
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
    assert found["agreement"]["decided"] == 37
    assert found["agreement"]["download_all"] == 18
    assert found["queries"][-1]["retrieved"] == []


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
