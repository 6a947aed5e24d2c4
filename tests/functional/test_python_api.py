"""The functions of `import exonym` do what their docstrings say, in scripts and in notebooks."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import exonym as ex
from exonym.practice import PracticeWeb, running_practice_web
from exonym.testing.live import write_crawl


class Mine(ex.Rule):
    """Links of relevant pages first; remembers how many pages it has seen."""

    def __init__(self, weight: float = 0.5) -> None:
        self.weight = weight
        self.pages = 0

    def score(self, links: ex.LinkBatch) -> NDArray[np.float64]:
        return np.where(links.source_relevant, self.weight, 0.0)

    def learn(self, pages: ex.PageBatch) -> NDArray[np.uint64]:
        self.pages += len(pages)
        return np.empty(0, np.uint64)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> ex.Graph:
    return ex.generate_graph(tmp_path_factory.mktemp("graph") / "web", pages=1_000, seed=5)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of 30 pages that `run_crawl` has made."""
    directory, practice = tmp_path_factory.mktemp("crawl"), PracticeWeb(seed=3, pages=200)
    with running_practice_web(practice) as address:
        write_crawl(directory, practice, address, {"limits": {"pages": 30}})
        said: list[tuple[str, int, int]] = []
        crawl = ex.run_crawl(directory, progress=lambda what, done, total: said.append((what, done, total)))
    assert (crawl.status.reason, crawl.status.totals.pages) == ("pages", 30)
    assert {total for _, _, total in said} == {30}
    return directory


# Crawls and graphs


def test_a_crawl_that_has_ended_is_opened_at_once(crawled: Path) -> None:
    before = ex.open_crawl(crawled).journal(["url"])
    assert ex.run_crawl(str(crawled)).journal(["url"]) == before


def test_a_script_without_main_guard_imports_a_graph_and_simulates_in_processes(crawled: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import exonym as ex\n"
        f"graph = ex.import_graph({str(tmp_path / 'graph')!r}, {str(crawled)!r})\n"
        "runs = ex.simulate(graph, ['bfs', 'soft'], jobs=2)\n"
        "print(graph.manifest.fetched, len(runs))\n"
    )
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    fetched = sum(row.outcome == ex.Outcome.PAGE for row in ex.open_crawl(crawled).rows())
    assert (ran.stdout, ran.stderr) == (f"{fetched} 2\n", "")


def test_a_graph_is_named_by_its_directory_too(web: ex.Graph) -> None:
    assert ex.analyse(str(web.directory), "languages") == ex.analyse(web, "languages")


def test_an_analysis_that_is_not_there_is_refused_with_those_that_are(web: ex.Graph) -> None:
    with pytest.raises(ex.ExonymError, match=r"no analysis 'language'. Choose from: facts, servers, languages"):
        ex.analyse(web, "language")


# Simulations


def same(runs: ex.Results) -> list[object]:
    """Results without what a simulation cost."""
    return [replace(run, seconds=0.0, peak_mb=0.0) for run in runs]


def test_the_same_call_gives_the_same_results_here_and_in_processes(web: ex.Graph) -> None:
    strategies = ["bfs", "lswc:S=3,T=5", "soft"]
    here = ex.simulate(web, strategies, k=8)
    assert same(ex.simulate(web.directory, strategies, k=8)) == same(here)
    in_processes = ex.simulate(web, strategies, k=8, jobs=2)
    assert same(in_processes) == same(here)
    assert in_processes.traces == here.traces


def test_a_name_a_class_and_an_object_of_one_strategy_find_the_same(web: ex.Graph) -> None:
    soft = ex.STRATEGIES["soft"]
    runs = ex.simulate(web, ["soft", soft, soft()], k=8)
    assert [run.strategy for run in runs] == ["soft", soft.__name__, f"{soft.__name__} 2"]
    assert len({(run.coverage, run.area) for run in runs}) == 1


def test_an_object_learns_nothing_from_being_simulated(web: ex.Graph) -> None:
    mine = Mine()
    first = ex.simulate(web, mine, budget=100)
    assert (mine.pages, first[0].pages) == (0, 100)
    assert same(ex.simulate(web, mine, budget=100)) == same(first)


def test_a_dictionary_gives_labels(web: ex.Graph) -> None:
    runs = ex.simulate(web, {"much": Mine(0.9), "little": Mine(0.1), "paper": "soft"}, ex.Plan(budget=50), jobs=2)
    assert [run.strategy for run in runs] == ["much", "little", "paper"]
    assert set(runs.traces["strategy"].to_pylist()) == {"much", "little", "paper"}


def test_what_is_no_strategy_is_refused(web: ex.Graph) -> None:
    class Empty:
        pass

    with pytest.raises(ex.ExonymError, match=r"Empty has no group. Derive it from exonym.Rule"):
        ex.simulate(web, [Empty])  # type: ignore[list-item]
    with pytest.raises(ex.ExonymError, match="lswd"):
        ex.simulate(web, "lswd:S=3")


def test_progress_of_simulations_counts_strategies(web: ex.Graph) -> None:
    said: list[tuple[int, int]] = []
    ex.simulate(web, ["bfs", Mine], progress=lambda what, done, total: said.append((done, total)))
    assert set(said) == {(0, 2), (1, 2)}


# Judges and models


def test_the_judge_of_a_crawl_judges_as_the_crawl_did(crawled: Path) -> None:
    crawl = ex.open_crawl(crawled)
    rows = [row for row in crawl.rows() if row.outcome == ex.Outcome.PAGE and row.language]
    for judge in (ex.load_judge(crawled), ex.load_judge(crawled / "crawl.toml")):
        for row in rows:
            document = crawl.page(row).document()
            assert document is not None
            assert judge.judge(document).language == row.language


def test_a_topic_model_is_trained_written_and_judges(tmp_path: Path) -> None:
    for topic, words in (("sea", "ferry, beach and coral reef"), ("motor", "piston, valve and gearbox")):
        (tmp_path / topic).mkdir()
        for number in range(12):
            text = f"<p>Page {number} of the guide on every {words} that there is."
            (tmp_path / topic / f"{number}.html").write_text(text)
    model = ex.train_topic(tmp_path / "sea", [tmp_path / "motor"], output=tmp_path / "sea.topic")
    loaded = ex.load_model(tmp_path / "sea.topic")
    assert isinstance(loaded, type(model))
    assert (model.name, model.terms) == ("sea", loaded.terms)
    assert model.provenance["validations"]
    beach, engine = ex.read_page(b"<p>A beach with a coral reef."), ex.read_page(b"<p>A valve and a piston.")
    bare = (tmp_path / "sea.topic").rename(tmp_path / "a model without a suffix")
    for judge in (ex.load_judge(model), ex.load_judge(bare)):
        assert judge.judge(beach).relevant
        assert not judge.judge(engine).relevant
