"""`exonym report` and `exonym status`: their figures are those of the journal, and their files need nothing else."""

import csv
import json
import re
import shutil
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from commands import json_here, printed_here, refused_here
from crawls_to_look_at import DEAD_SEED, divided_crawl, whole_crawl

from exonym.batches import Outcome
from exonym.testing.live import rows_of
from exonym.urls import server_of

TABLES = {"countries", "domains", "failures", "frontier", "languages", "seeds", "segments", "servers", "statuses"} | {
    *("statuses-by-server", "budget-reached", "resting", "sample-relevant", "sample-irrelevant", "sample-failed"),
}


@pytest.fixture
def crawl(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl"))


def table_in(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_report_has_the_figures_of_the_journal(crawl: Path) -> None:
    said = printed_here("report", crawl)
    folder = crawl / "report"
    assert str(folder / "report.html") in said
    assert {path.stem for path in folder.glob("*.csv")} == TABLES
    rows = rows_of(crawl)
    pages = [row for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)]
    servers = {row["server"]: int(row["pages"]) for row in table_in(folder / "servers.csv") if int(row["pages"])}
    assert servers == Counter(server_of(row.url) for row in pages)
    languages = {row["language"]: int(row["pages"]) for row in table_in(folder / "languages.csv")}
    assert languages == Counter(row.language or "unknown" for row in rows if row.outcome == Outcome.PAGE)
    dead = [row["seed"] for row in table_in(folder / "seeds.csv") if row["state"] == "dead"]
    assert dead == [DEAD_SEED]
    full = {row["server"] for row in table_in(folder / "budget-reached.csv")}
    assert full == {name for name, count in servers.items() if count >= 25}
    evidence = {row.url: row.why for row in rows}
    sample = table_in(folder / "sample-relevant.csv")
    assert len(sample) == 10
    assert all(evidence[row["page"]] == row["evidence"] for row in sample)
    document = json.loads((folder / "report.json").read_text())
    assert document["facts"]["totals"]["pages"] == len(pages) == document["timeline"]["pages"][-1]


def test_tables_count_what_the_journal_has(crawl: Path) -> None:
    printed_here("report", crawl)
    rows = [row for row in rows_of(crawl) if row.outcome != Outcome.FORBIDDEN]
    pages = [row for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)]

    def written(name: str, key: str, value: str) -> dict[str, int]:
        return {row[key]: int(row[value]) for row in table_in(crawl / "report" / f"{name}.csv") if int(row[value])}

    def directory_of(url: str) -> str:
        return url.partition("?")[0].rpartition("/")[0] + "/"

    relevant = [row.url for row in pages if row.relevant]
    assert written("statuses", "status", "visits") == Counter(str(row.status) for row in rows)
    assert written("domains", "domain", "pages") == Counter(server_of(row.url).rpartition(".")[2] for row in pages)
    assert written("domains", "domain", "relevant") == Counter(server_of(url).rpartition(".")[2] for url in relevant)
    assert written("segments", "segment", "pages") == Counter(directory_of(row.url) for row in pages)
    assert written("segments", "segment", "relevant") == Counter(map(directory_of, relevant))
    failed = Counter(row.failure for row in rows if row.outcome == Outcome.FAILED)
    assert written("failures", "failure", "visits") == failed
    for status in (200, 404):
        answers = Counter(server_of(row.url) for row in rows if row.status == status)
        assert written("statuses-by-server", "server", f"status_{status}") == answers
    received = Counter[str]()
    for row in rows:
        received[server_of(row.url)] += row.length
    assert written("servers", "server", "bytes") == +received


def test_page_loads_nothing_and_shows_every_section(crawl: Path) -> None:
    printed_here("report", crawl)
    page = (crawl / "report" / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=", page)
    headings = ("What was asked", "How it went", "Status codes by server", "Dead seeds", "Sample pages", "Audit")
    for heading in (*headings, "Servers whose budget is reached", "Servers that turn us away", "Versions and settings"):
        assert heading in page
    assert "pages in Thai" in page
    assert "[politeness]" in page  # crawl.toml


def test_tables_for_readers_leave_out_what_is_empty(crawl: Path) -> None:
    tables = {table["name"]: table for table in json_here("report", crawl)["tables"]}
    answered = {row.status for row in rows_of(crawl) if row.outcome != Outcome.FORBIDDEN}
    named = [int(name) for name in tables["statuses-by-server"]["columns"] if name.isdigit()]
    assert named
    assert set(named) <= answered
    assert len(table_in(crawl / "report" / "statuses-by-server.csv")[0]) > len(tables["statuses-by-server"]["columns"])
    assert all(table["note"] for table in tables.values() if not table["rows"])
    assert tables["seeds-dead"]["rows"]


def test_same_crawl_gives_the_same_sample(crawl: Path, tmp_path: Path) -> None:
    samples = []
    for name in ("one", "two"):
        printed_here("report", crawl, "-o", tmp_path / name)
        samples.append([(tmp_path / name / f"sample-{kind}.csv").read_text() for kind in ("relevant", "failed")])
    assert samples[0] == samples[1]


def test_json_is_what_the_file_has(crawl: Path) -> None:
    document = json_here("report", crawl)
    assert document.pop("report") == str(crawl / "report" / "report.html")
    assert document == json.loads((crawl / "report" / "report.json").read_text())


def test_audit_is_shown_if_it_is_of_this_crawl(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exonym.crawl_directory.visited_pages import CrawlPages
    from exonym.labelling.audit_sample import draw_from, header_of

    monkeypatch.chdir(tmp_path)
    assert json_here("report", crawl)["audit"] is None
    pages = CrawlPages(crawl)
    draw = draw_from(pages, "both", 10, 0)
    urls = pages.urls(draw.sample)
    lines = [header_of(draw), *({"url": url, "label": "yes"} for url in urls)]
    (crawl / "audit.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = json_here("report", crawl)["audit"]
    expected = json_here("audit", crawl, "--labels", crawl / "audit.jsonl")
    assert found["labelled"] == len(urls)
    assert found["harvest_rate"] == expected["harvest_rate"]
    other = {**header_of(draw)}
    next(iter(other.values()))["visits"] = 10**6  # the sample of another crawl
    (tmp_path / "other.jsonl").write_text(json.dumps(other) + "\n")
    assert "another crawl" in refused_here("report", crawl, "--audit", tmp_path / "other.jsonl")


def test_crawls_are_compared(crawl: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    divided = Path(shutil.copytree(divided_crawl(tmp_path_factory), tmp_path / "divided"))
    document = json_here("report", crawl, divided, "-o", tmp_path / "both", "--figure", tmp_path / "harvest.svg")
    assert set(document["crawls"]) == {"crawl", "divided"}
    totals = table_in(tmp_path / "both" / "totals.csv")
    assert [row["crawl"] for row in totals] == ["crawl", "divided"]
    pages = sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in rows_of(crawl))
    assert [int(row["pages"]) for row in totals] == [pages, pages]
    languages = table_in(tmp_path / "both" / "languages.csv")
    counted = Counter(row.language for row in rows_of(crawl) if row.outcome == Outcome.PAGE)
    assert int(languages[0]["crawl"]) == counted["th"]
    assert float(languages[0]["crawl, share"]) == counted["th"] / counted.total()
    assert [row["difference"] for row in languages] == [*["+0.00"] * (len(languages) - 1), "–"]
    assert languages[-1]["language"] == "Total"
    assert [int(languages[-1][name]) for name in ("crawl", "divided")] == [counted.total(), counted.total()]
    assert "<svg" in (tmp_path / "harvest.svg").read_text()


def test_crawls_of_one_name_are_named_by_where_their_paths_differ(crawl: Path, tmp_path: Path) -> None:
    for place in ("control", "rule/of/2010"):
        shutil.copytree(crawl, tmp_path / place / "crawl")
    found = json_here(
        "report", *(tmp_path / place / "crawl" for place in ("control", "rule/of/2010")), "-o", tmp_path / "x"
    )
    assert set(found["crawls"]) == {"control/crawl", "rule/of/2010/crawl"}


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_figure_is_drawn(crawl: Path, tmp_path: Path, ending: str) -> None:
    printed_here("report", crawl, "--figure", tmp_path / f"harvest.{ending}")
    begin = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[ending]
    assert (tmp_path / f"harvest.{ending}").read_bytes().startswith(begin)


def test_what_cannot_be_reported_is_refused_in_one_line(crawl: Path, tmp_path: Path) -> None:
    assert "-o" in refused_here("report", crawl, crawl)
    assert "named twice" in refused_here("report", crawl, crawl, "-o", tmp_path / "x")
    assert "no directory" in refused_here("report", tmp_path / "missing")
    assert "--figure" in refused_here("report", crawl, "--figure", tmp_path / "x.gif")
    assert "--audit" in refused_here("report", crawl, tmp_path, "-o", tmp_path / "x", "--audit", tmp_path / "y")
    (tmp_path / "file").write_text("")
    assert refused_here("report", crawl, "-o", tmp_path / "file")


def test_title_from_the_web_is_text(tmp_path: Path) -> None:
    from exonym.archive import ArchiveOptions
    from exonym.batches import Group
    from exonym.config import CONFIG_NAME, template
    from exonym.crawl_directory.crawl_writer import CrawlWriter
    from exonym.frontier.disk import DiskFrontier
    from exonym.journal import JournalRow

    evil = "<script>alert(1)</script>"
    settings = {"target": {"languages": ["th"]}, "seeds": {"urls": ["http://a.example/"]}}
    (tmp_path / CONFIG_NAME).write_text(template(settings), encoding="utf-8")
    writer = CrawlWriter(tmp_path, ArchiveOptions())
    frontier = DiskFrontier(writer.store, tmp_path / "state" / "seen", Group.SERVER)
    facts = {"title": evil, "why": evil, "relevant": True, "language": "th"}
    writer.add(JournalRow(0, "http://a.example/", 1e9, Outcome.PAGE, 200, **facts))
    writer.add(JournalRow(1, "http://b.example/", 1e9, Outcome.FAILED, 0, failure=evil))
    writer.commit(frontier, dict, writer.totals, "pages")
    writer.close()
    printed_here("report", tmp_path)
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert evil not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in printed_here("status", tmp_path)


# exonym status


def test_status_says_what_when_and_how_it_ended(crawl: Path) -> None:
    found = json_here("status", crawl)
    rows = rows_of(crawl)
    assert found["dead_seeds"] == [DEAD_SEED]
    good = Counter(server_of(row.url) for row in rows if row.relevant)
    assert {row["server"]: row["relevant"] for row in found["best_servers"]} == dict(good.most_common(5))
    assert (found["target"], found["seeds"]) == ("pages in Thai", 4)
    assert (found["finished"], found["is_running"]) == (True, False)
    assert found["began"] <= min(row.when for row in rows) <= found["ended"]
    assert sum(found["failure_kinds"].values()) == found["failures"]
    shown = printed_here("status", crawl)
    began = datetime.fromtimestamp(found["began"]).astimezone().strftime("%Y-%m-%d %H:%M %Z")
    for line in ("pages in Thai", "dead seeds       1 of 4", "no link is left to follow", "best servers", began):
        assert line in shown


def test_divided_crawl_has_the_same_status(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    one, other = json_here("status", crawl), json_here("status", divided_crawl(tmp_path_factory))
    for name in ("pages", "relevant", "best_servers", "dead_seeds", "failure_kinds", "target"):
        assert one[name] == other[name]
