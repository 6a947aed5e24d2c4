"""Results and traces of simulations, worked out by hand on a web of a dozen pages."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from browser import chromium
from hypothesis import given
from hypothesis import strategies as st

from exonym.batches import Outcome, language_code
from exonym.errors import ConfigError, DirectoryError, ExonymError
from exonym.report.figures import short_number
from exonym.simulation.measuring import Cost, Setting, finished, relevant_pages_of
from exonym.simulation.plan import Plan, Run
from exonym.simulation.report_directory import Report, check_target, document_of, save_report
from exonym.simulation.report_page import origin_note
from exonym.simulation.results import Finished, Results
from exonym.simulation.side_by_side import SimulationRequest
from exonym.simulation.start import found_seeds
from exonym.simulation.traces import Trace, counts_at, figure_of, interesting_end, moments, traces_parquet
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.graph import KNOWN
from exonym.webgraph.manifest import Manifest

TH, EN = language_code("th"), language_code("en")
PAGE, FAILED, REDIRECT = int(Outcome.PAGE), int(Outcome.FAILED), int(Outcome.REDIRECT)

# Ten pages, of which 0 2 4 6 are relevant; 10 failed, 11 was never asked for, 12 leads elsewhere.
OUTCOMES = [PAGE] * 10 + [FAILED, KNOWN, REDIRECT]
RELEVANT = [node in (0, 2, 4, 6, 11) for node in range(13)]  # of 11 nobody can know
VISITS = [0, 1, 12, 10, 2, 11, 4, 3]
HOSTILE = "mine.py:</script><b>$x$\x1b[31m"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    directory = tmp_path_factory.mktemp("web") / "graph"
    with GraphWriter(directory) as writer:
        nodes = len(OUTCOMES)
        for name, values in {
            "server": [0] * nodes,
            "segment": [0] * nodes,
            "domain": [0] * nodes,
            "outcome": OUTCOMES,
            "language": [TH if relevant else EN for relevant in RELEVANT],
            "relevant": RELEVANT,
            "offsets": [0] * (nodes + 1),
            "targets": [],
            "seeds": [0],
        }.items():
            writer.put(name, np.array(values))
        writer.put_texts("url", [f"http://a.th/{node}" for node in range(nodes)])
        provenance = {"method": "generated", "seed": 7, "profile": "<small>", "command": "exonym graph generate"}
        writer.finish(Manifest(languages=["th"], domains=["th"], provenance=provenance))
    return Graph.open(directory)


def measured(graph: Graph, plan: Plan | None = None, strategy: str = "soft", is_oracle: bool = False) -> Finished:
    """The visits of VISITS; in simulated time one every half hour."""
    plan = plan or Plan(k=1)
    nodes = np.array(VISITS, dtype=np.uint32)
    run = Run(
        nodes=nodes,
        is_page=graph.outcome[nodes] != REDIRECT,
        relevant=graph.relevant[nodes],
        seconds=np.linspace(0.0, 1800.0 * 7, 8) if plan.is_timed else None,
        reason="empty frontier",
        waiting=0,
    )
    return finished(run, Setting(strategy, is_oracle, graph, plan), Cost(1.5, 20.25))


def report_of(graph: Graph, *results: Finished) -> Report:
    return Report(
        SimulationRequest(graph.directory, tuple(one.result.strategy for one in results)), results, "exonym simulate …"
    )


# Figures


def test_only_pages_that_were_found_can_be_relevant(graph: Graph) -> None:
    assert relevant_pages_of(graph) == 4  # not page 11, which nobody has seen


def test_requests_that_fail_are_pages_and_redirects_are_not(graph: Graph) -> None:
    result = measured(graph).result
    # 0 1 10 2 11 4 3 are pages; of these 10 and 11 found none.
    assert (result.pages, result.documents, result.relevant) == (7, 5, 3)
    assert result.coverage == 0.75
    assert result.harvest == pytest.approx(3 / 7)


def test_harvest_is_over_shares_of_the_pages_of_the_graph(graph: Graph) -> None:
    result = measured(graph).result
    # The graph has 10 pages: 1 % to 10 % is one page, 25 % two, 50 % five (0 1 10 2 11), 100 % what there was.
    assert result.harvest_at == {
        "1%": 1.0, "5%": 1.0, "10%": 1.0, "25%": 0.5, "50%": pytest.approx(2 / 5), "100%": pytest.approx(3 / 7)
    }  # fmt: skip
    assert result.harvest_first_million == pytest.approx(3 / 7)
    # Documents are 0 1 2 4 3.
    assert result.documents_harvest_at["50%"] == pytest.approx(3 / 5)
    assert result.documents_harvest_first_million == pytest.approx(3 / 5)


def test_pages_for_coverage_and_area_are_those_of_the_pages(graph: Graph) -> None:
    result = measured(graph).result
    assert result.pages_for_coverage == {"50%": 4, "90%": None, "95%": None, "99%": None}
    # R = 4, 8 pages: found as 1st, 4th, 6th, so (8 + 5 + 3) / 4; ideal (8 + 7 + 6 + 5) / 4.
    assert result.area == pytest.approx(16 / 26)


def test_row_says_under_what_conditions_it_was_had(graph: Graph) -> None:
    result = measured(graph, Plan(k=64, judge_seed=3)).result
    assert (result.k, result.seed, result.judge_seed) == (64, 7, 3)
    assert (result.seconds, result.peak_mb, result.reason) == (1.5, 20.25, "empty frontier")
    assert result.languages == {"th": 3, "en": 2}


def test_names_of_the_row_stay(graph: Graph) -> None:
    values = measured(graph).result.values()
    names = "strategy pages relevant coverage harvest_at pages_for_coverage area seconds peak_mb k seed"
    assert set(values) >= set(names.split())
    assert list(values["harvest_at"]) == ["1%", "5%", "10%", "25%", "50%", "100%"]
    assert list(values["pages_for_coverage"]) == ["50%", "90%", "95%", "99%"]
    assert "hours" not in values


def test_simulated_time_is_measured_in_hours(graph: Graph) -> None:
    result = measured(graph, Plan(delay_seconds=1.0, connections=5)).result
    # Visits 0 … 7 begin every half hour, the last page after 3.5; relevant pages after 0, 2 and 3 hours.
    assert result.hours == 3.5
    assert result.relevant_per_hour == pytest.approx(3 / 3.5)
    assert result.hours_for_coverage == {"50%": 2.0, "90%": None, "95%": None, "99%": None}
    assert result.k == 5
    assert result.values()["hours"] == 3.5


def test_crawl_that_visited_nothing_has_a_row(graph: Graph) -> None:
    nothing = np.zeros(0, dtype=np.bool_)
    for seconds in (None, np.zeros(0)):
        run = Run(np.zeros(0, np.uint32), nothing, nothing, seconds, "empty frontier", 0)
        result, trace = finished(run, Setting("hard", False, graph, Plan()), Cost(0.0, 1.0))
        assert (result.pages, result.coverage, result.harvest, result.area, len(trace.pages)) == (0, 0, 0, 0, 0)
        assert result.harvest_at["100%"] == 0.0
        assert Results([Finished(result, trace)]).figure("coverage").svg


# Traces


def test_trace_counts_relevant_pages_at_each_moment(graph: Graph) -> None:
    trace = measured(graph).trace
    assert trace.pages.tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert trace.relevant.tolist() == [1, 1, 1, 2, 2, 3, 3]
    assert trace.coverage.tolist() == [0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]
    assert trace.harvest.tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 2, 2 / 5, 1 / 2, 3 / 7])


@given(st.integers(0, 1 << 40))
def test_moments_are_few_in_order_and_end_with_the_last_page(pages: int) -> None:
    chosen = moments(pages)
    assert len(chosen) <= 2_000
    assert len(chosen) == pages or len(chosen) >= 1_000
    assert bool((np.diff(chosen) > 0).all())
    assert (chosen[0], chosen[-1]) == (1, pages) if pages else not len(chosen)


def test_moments_are_denser_at_the_beginning() -> None:
    chosen = moments(1_000_000)
    assert np.count_nonzero(chosen <= 1_000) > 200
    assert int(np.diff(chosen).max()) <= 1_002


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_counts_are_those_of_counting(crawl: list[bool]) -> None:
    at = np.arange(1, len(crawl) + 1)
    assert counts_at(np.array(crawl, dtype=np.bool_), at).tolist() == np.cumsum(crawl).tolist()


def test_traces_are_rows_of_a_parquet_table(graph: Graph) -> None:
    timed = Plan(delay_seconds=1.0, connections=5)
    written = traces_parquet([measured(graph).trace, measured(graph, timed, HOSTILE).trace])
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(written))
    assert table.column_names == ["strategy", "pages", "relevant", "harvest", "coverage", "hours"]
    assert table["strategy"].to_pylist() == ["soft"] * 7 + [HOSTILE] * 7
    assert table["pages"].to_pylist() == 2 * [1, 2, 3, 4, 5, 6, 7]
    assert table["coverage"].to_pylist() == 2 * [0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]
    # The third of the eight visits, a redirect, is no page.
    assert table["hours"].to_pylist() == [None] * 7 + [0.0, 0.5, 1.5, 2.0, 2.5, 3.0, 3.5]


# Files


def test_csv_has_a_column_for_every_figure(graph: Graph) -> None:
    rows = list(csv.DictReader(io.StringIO(Results([measured(graph), measured(graph, strategy="a,b")]).table.csv())))
    assert [row["strategy"] for row in rows] == ["soft", "a,b"]
    assert rows[0]["harvest_at_25%"] == "0.5"
    assert (rows[0]["pages_for_coverage_50%"], rows[0]["pages_for_coverage_90%"]) == ("4", "")


def test_table_shows_oracles_as_such_and_what_was_never_reached(graph: Graph) -> None:
    results = Results([measured(graph), measured(graph, strategy="perfect", is_oracle=True)])
    text = "\n".join(table.text() for table in results.tables)
    assert "perfect (oracle)" in text
    assert re.search(r"soft +4 +– +– +–\n", text)
    assert "Simulated time" not in text
    timed = Results([measured(graph, Plan(delay_seconds=1.0, connections=5))])
    assert re.search(r"soft +0\.86 +3\.50 +2\.00", "\n".join(table.text() for table in timed.tables))


class Elements(HTMLParser):
    """Which elements a page has, and what the one with id `data` holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.outside: list[str] = []
        self.data: list[str] = []
        self._is_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self._is_data = ("type", "application/json") in attributes
        self.outside += [value or "" for name, value in attributes if name in ("src", "href") and tag != "use"]

    def handle_data(self, text: str) -> None:
        if self._is_data:
            self.data.append(text)

    def handle_endtag(self, tag: str) -> None:
        self._is_data = False


@pytest.fixture(scope="module")
def saved(graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("some") / "where" / "results"
    results = [measured(graph), measured(graph, strategy=HOSTILE, is_oracle=True)]
    assert save_report(directory, report_of(graph, *results)) == directory / "report.html"
    return directory


def test_report_has_every_file_and_leaves_no_draft(saved: Path) -> None:
    names = {"results.json", "results.csv", "traces.parquet", "report.html"}
    figures = {f"{name}.{kind}" for name in ("coverage", "harvest") for kind in ("svg", "png")}
    assert {path.name for path in saved.iterdir()} == names | figures
    assert [path.name for path in saved.parent.iterdir()] == ["results"]
    assert (saved / "coverage.png").read_bytes().startswith(b"\x89PNG")


def test_document_says_how_to_get_the_same(saved: Path, graph: Graph) -> None:
    document = json.loads((saved / "results.json").read_text())
    assert document["command"] == "exonym simulate …"
    assert document["graph"]["relevant"] == 4
    assert document["graph"]["provenance"]["seed"] == 7
    assert document["plan"]["k"] == 256
    assert [row["strategy"] for row in document["results"]] == ["soft", HOSTILE]
    assert document == document_of(report_of(graph, measured(graph), measured(graph, strategy=HOSTILE, is_oracle=True)))


def test_page_needs_no_other_file_and_no_name_breaks_it(saved: Path) -> None:
    text = (saved / "report.html").read_text()
    page = Elements(text)
    assert [place for place in page.outside if not place.startswith("#")] == []
    assert page.names.count("script") == 3  # the data of two charts, and the script that draws them
    assert "<b>$x$" not in text
    coverage, harvest = (json.loads(data)[0] for data in page.data)
    assert [line["label"] for line in coverage["lines"]] == ["soft", f"{HOSTILE} (oracle)"]
    assert coverage["lines"][0]["y"] == [0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75]  # of four relevant pages
    assert harvest["lines"][0]["y"][:3] == [1, 0.5, 0.333333]


def test_page_shows_the_values_of_the_traces_in_a_browser(graph: Graph, tmp_path: Path) -> None:
    timed = Plan(k=1, delay_seconds=1.0, connections=1)
    results = [measured(graph, timed), measured(graph, timed, HOSTILE, is_oracle=True)]
    written = save_report(tmp_path / "results", report_of(graph, *results))
    messages: list[str] = []
    with chromium() as browser:
        shown = browser.new_page()
        shown.on("console", lambda message: messages.append(message.text))
        shown.on("pageerror", lambda error: messages.append(str(error)))
        shown.goto(written.as_uri())
        legends = shown.locator(".chart-legend")
        assert legends.count() == 2
        assert legends.first.locator("button").nth(1).inner_text().endswith("(oracle)\n75.0%")
        assert legends.nth(1).locator("output").all_inner_texts() == ["42.9%"] * 2  # 3 of 7 pages
        shown.locator(".chart-plot").nth(1).press("Home")
        assert legends.nth(1).locator("output").first.inner_text() == "100.0%"
        shown.get_by_role("button", name="against hours").first.click()
        shown.locator(".chart-plot").first.press("End")
        # The seventh page, after a redirect, is the eighth visit: 7 × 1,800 s.
        assert shown.locator(".chart-place").first.inner_text() == "hours of simulated time 3.5"
    assert messages == []


def test_figures_end_soon_after_the_finds_if_much_would_be_empty() -> None:
    # One crawl finds its 100 relevant pages among the first 100, the other every tenth page up to the thousandth.
    pages = np.arange(1, 10_001)
    focused = Trace("lswc", False, 100, pages[:100], pages[:100], None)
    broad = Trace("bfs", False, 100, pages, np.minimum(pages // 10, 100), None)
    assert interesting_end([focused]) == 100
    assert interesting_end([focused, broad]) == 950  # where the second crawl has 95 of its 100
    assert figure_of("coverage", [focused, broad]).x_end == 950
    # A crawl that finds evenly to its end is shown to its end.
    assert interesting_end([Trace("bfs", False, 100, pages[:1_000], pages[:1_000] // 10, None)]) == 1_000


def test_page_says_where_the_graph_comes_from_and_how_it_was_run(saved: Path) -> None:
    text = (saved / "report.html").read_text()
    assert "profile &lt;small&gt;, seed 7" in text
    assert "exonym graph generate\nexonym simulate …" in text


def test_oracle_is_labelled(saved: Path) -> None:
    assert "(oracle)" in (saved / "coverage.svg").read_text()


@pytest.mark.parametrize(
    ("provenance", "said"),
    [
        ({}, "does not say who collected it"),
        ({"collected": "a broad crawl by us"}, "Collected: a broad crawl by us."),
        ({"collected": ""}, "every strategy looks better"),
        ({"method": "generated"}, "other webs fit them as well"),
    ],
)
def test_page_says_what_the_origin_of_a_graph_means(provenance: dict[str, str], said: str) -> None:
    assert said in origin_note(provenance)


def test_other_things_are_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(DirectoryError, match="no results of simulations"):
            check_target(tmp_path, force)
    with pytest.raises(DirectoryError, match="no results of simulations"):
        check_target(tmp_path / "thesis.tex", True)


def test_place_where_nothing_can_be_written_is_told_before_time_is_spent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DirectoryError, match="no directory that can be written to"):
        check_target(tmp_path / "file" / "below" / "results")


def test_results_are_replaced_only_when_asked(saved: Path, graph: Graph, tmp_path: Path) -> None:
    report = report_of(graph, measured(graph))
    target = tmp_path / "results"
    target.mkdir()  # an empty directory is free
    save_report(target, report)
    with pytest.raises(DirectoryError, match="--force"):
        save_report(target, report)
    (target / "mine.txt").write_text("")
    save_report(target, report, force=True)
    assert not (target / "mine.txt").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (999, "999"), (1_500, "1.5 k"), (2_500_000, "2.5 M"), (14e6, "14 M")]
)
def test_numbers_of_axes_are_short(number: float, text: str) -> None:
    assert short_number(number) == text


# Seeds


def test_seeds_are_found_by_address_and_in_files_each_once(graph: Graph, tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text("# mine\nhttp://a.th/4\n\nA.th/5\nhttp://a.th/99\n", encoding="utf-8")
    found = found_seeds(graph, ["http://a.th/7", str(file), "HTTP://a.th:80/4"])
    assert found.nodes == (7, 4, 5)
    assert found.missing == ("http://a.th/99",)
    assert found.as_http == ("http://a.th/5",)


def test_note_behind_a_seed_is_no_part_of_its_address(graph: Graph, tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text("http://a.th/4 # note\na.th/5\t# note\nhttps://a.th/6\na.th/98\n", encoding="utf-8")
    found = found_seeds(graph, [str(file)])
    assert found.nodes == (4, 5)
    assert found.missing == ("https://a.th/6", "https://a.th/98")  # who writes https means it


def test_without_seeds_those_of_the_graph_stay(graph: Graph) -> None:
    assert found_seeds(graph, []).nodes == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nowhere.txt", "cannot be read"),
        ("http://b.th/", "none of 1 addresses"),
        ("ftp://a.th/", "ftp"),
        ("a\0b", "cannot be read"),
    ],
)
def test_seeds_that_lead_nowhere_are_told_in_one_line(graph: Graph, text: str, said: str) -> None:
    with pytest.raises(ExonymError, match=said) as refusal:
        found_seeds(graph, [text])
    assert len(str(refusal.value).splitlines()) == 1


def test_file_that_is_no_text_is_told(graph: Graph, tmp_path: Path) -> None:
    for content in (b"\xff\xfe\x00", b""):
        (tmp_path / "seeds").write_bytes(content)
        with pytest.raises(ConfigError, match=r"not UTF-8|none of 0"):
            found_seeds(graph, [str(tmp_path / "seeds")])
