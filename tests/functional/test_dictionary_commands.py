"""`exonym nation collect|review`: from list pages, saved or served, to names that a nation takes."""

import csv
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import commands
import pytest
from commands import EXONYM, refused_here
from quiet_server import served
from waiting import wait_until

from exonym.config import Settings
from exonym.config.settings import Network, PolitenessSettings
from exonym.fetch.one_by_one import fetching
from exonym.nations import load_nation, with_names
from exonym.nations.dictionary.category_walk import CategoryWalk, WalkLimits

OPERATOR = "https://exonym.example/tests"
PAGE = """<!DOCTYPE html><html><head><meta charset="UTF-8"><title>List of temples of Nowhere - Wikipedia</title>
<link rel="canonical" href="https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere">
<link rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/deed.en"></head><body>
<nav><ul><li><a href="/wiki/Main_Page">Main page</a></li></ul></nav><div class="mw-parser-output"><ul>
<li><a href="/wiki/Wat_Nonesuch">Wat Nonesuch</a>, <a href="/wiki/1782">1782</a></li>
<li><a href="/wiki/Wat_Arun">Wat Arun</a>, <a href="/wiki/Myanmar">Myanmar</a></li>
<li><a href="/wiki/Wat_Nonesuch">Wat Nonesuch</a>, <a href="/wiki/Koh_Utopia_(island)">Koh Utopia (island)</a></li>
<li><a href="/w/index.php?title=Wat_Red&amp;action=edit&amp;redlink=1" class="new">Wat Red</a></li></ul></div></body>
</html>
"""

run, told = partial(commands.run, "nation"), partial(commands.printed, "nation")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A directory with two saved pages."""
    (tmp_path / "one.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "two.html").write_text("<ul><li><a href='/wiki/Wat_Elsewhere'>Wat Elsewhere</a>", encoding="utf-8")
    return tmp_path


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def decide(sheet: Path, copy: Path, **decisions: str) -> None:
    """Save a copy as a German spreadsheet does, with some decisions in it."""
    rows = [row | {"decision": decisions.get(row["name"].split(" ")[-1], "")} for row in cells(sheet)]
    with copy.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=";")
        table.writeheader()
        table.writerows(rows)


def test_saved_pages_become_a_sheet_and_sheets_become_names(saved: Path) -> None:
    words = ["collect", "--nation", "TH", "--name-kind", "temple", "--from-html", "one.html", "two.html", "--json"]
    result = json.loads(told(*words, cwd=saved))
    assert (result["output"], result["names"], result["short"]) == ("names.csv", 9, 4)
    assert result["proposed"] == {"yes": 7, "no": 1, "known": 1}
    assert [page["title"] for page in result["pages"]] == ["List of temples of Nowhere", "two.html"]
    rows = {row["name"]: row for row in cells(saved / "names.csv")}
    assert (rows["Wat Nonesuch"]["seen"], rows["Wat Nonesuch"]["kind"]) == ("2", "temple")
    assert (rows["Utopia"]["form"], rows["Utopia"]["of"], rows["Utopia"]["kind"]) == ("short", "Koh Utopia", "island")
    assert (rows["Myanmar"]["proposed"], rows["Myanmar"]["why"]) == ("no", "another country")
    assert "https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere" in rows["Arun"]["source"]
    assert (rows["Arun"]["licence"], rows["Elsewhere"]["licence"]) == ("CC BY-SA 4.0", "licence not stated")
    assert list(rows)[-1] == "Wat Arun"  # known ones stand last

    decide(saved / "names.csv", saved / "anna.csv", Arun="no", Utopia="yes", Nonesuch="yes")
    decide(saved / "names.csv", saved / "boris.csv", Arun="n", Elsewhere="no", Nonesuch="yes", Utopia="yes")
    decide(saved / "names.csv", saved / "chai.csv", Arun="yes", Elsewhere="no", Nonesuch="yes", Utopia="?")
    review = json.loads(told("review", "anna.csv", "boris.csv", "chai.csv", "--json", cwd=saved))
    assert (review["accepted"], review["rejected"], review["ties"], review["open"]) == (4, 3, [], ["Myanmar"])
    # Wat Nonesuch and Nonesuch have three votes, Arun too, not all the same; the four others have two, the same.
    agreement = review["agreement"]
    assert (agreement["rows"], agreement["unanimous"], agreement["kappa_rows"]) == (7, 6, 3)
    assert {counts["to_decide"] for counts in review["sheets"].values()} == {8}
    # Arun, without Wat Arun, which is known; and two names each that end in Nonesuch, Utopia and Elsewhere.
    assert [counts["votes"] for counts in review["sheets"].values()] == [5, 7, 5]
    written = (saved / "names.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in written if not line.startswith("#")] == ["Wat Nonesuch|~Nonesuch", "Koh Utopia|~Utopia"]
    assert "# Under CC BY-SA 4.0" in written
    named = {name.text: name.of for name in with_names(load_nation("TH"), saved / "names.txt").names}
    assert named["Nonesuch"] == "Wat Nonesuch"
    assert "Utopia" in told("show", "TH", "--names", "names.txt", "--json", cwd=saved)


def test_ties_are_left_out_unless_wanted_and_files_are_kept_unless_forced(saved: Path) -> None:
    said = told("collect", "--from-html", "two.html", "-o", "sheet.tsv", cwd=saved)
    assert "sheet.tsv" in said
    assert "yes 2" in said
    (saved / "a.csv").write_text("name,decision,proposed\nWat Arun,yes,yes\nWat Elsewhere,yes,yes\n", encoding="utf-8")
    (saved / "b.csv").write_text("name,decision,proposed\nWat Arun,no,yes\nWat Elsewhere,yes,yes\n", encoding="utf-8")
    said = told("review", "a.csv", "b.csv", "-o", "names.txt", cwd=saved)
    assert "1 left out: Wat Arun" in said
    assert "50.0% of 2 names with two or more votes" in said
    assert "Cohen's kappa 0.00, over the 2 names that all voted on" in said
    again = run("review", "a.csv", "b.csv", "--ties", "yes", cwd=saved)
    assert (again.returncode, "names.txt exists" in again.stderr) == (2, True)
    told("review", "a.csv", "b.csv", "--ties", "yes", "--force", cwd=saved)
    assert (saved / "names.txt").read_text(encoding="utf-8").splitlines()[-2:] == ["Wat Arun", "Wat Elsewhere"]


def test_names_without_a_vote_are_counted_and_accepted_only_if_wanted(saved: Path) -> None:
    rows = "name,decision,proposed\nWat Arun,yes,yes\nWat Elsewhere,,yes\nMyanmar,,no\n"
    (saved / "a.csv").write_text(rows, encoding="utf-8")
    said = told("review", "a.csv", cwd=saved)
    assert "voted on 1 of 3 names" in said
    assert "2 left out: Wat Elsewhere, Myanmar" in said
    assert (saved / "names.txt").read_text(encoding="utf-8").splitlines()[1:] == ["Wat Arun"]
    said = told("review", "a.csv", "--unvoted", "proposed", "--force", cwd=saved)
    assert "2, 1 accepted as proposed: Wat Elsewhere, Myanmar" in said
    assert (saved / "names.txt").read_text(encoding="utf-8").splitlines()[1:] == ["Wat Arun", "Wat Elsewhere"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["collect"], "Which pages?"),
        (["collect", "missing.html"], "missing.html cannot be read"),
        (["collect", "."], "cannot be read"),
        (["collect", "empty.html"], "empty.html: no links to articles in lists or tables"),
        (["collect", "one.html", "-o", "two.html"], "two.html exists"),
        (["collect", "one.html", "-o", "nowhere/a.csv"], "nowhere/a.csv cannot be used"),
        (["collect", "one.html", "--nation", "Narnia"], "is no nation"),
        (["collect", "one.html", "--name-kind", "Temple!"], "--name-kind must be"),
        (["collect", "one.html", "--names", "missing.txt"], "missing.txt does not exist"),
        (["collect", "--from-wikipedia", "List of temples"], "--operator"),
        (["collect", "--from-wikipedia", "List of temples", "--operator", "me"], "--operator must be"),
        (["collect", "--from-wikipedia", "A|B", "--operator", OPERATOR], "no title"),
        (["collect", "--from-wikipedia", "A", "--operator", OPERATOR, "--wiki", "wiki"], "--wiki must be"),
        (["review", "missing.csv"], "missing.csv cannot be read"),
        (["review", "one.html"], "one.html:1: no column 'name'"),
        (["review", "sheet.csv", "sheet.csv"], "given twice"),
        (["review", "sheet.csv", "--ties", "maybe"], "--ties must be"),
        (["review", "sheet.csv"], "sheet.csv:3: the decision 'perhaps' is neither yes nor no"),
        (["review", "nothing.csv"], "No name has a majority"),
        (["review", "blank.csv"], "a blank decision is none"),
        (["review", "blank.csv", "--unvoted", "yes"], "--unvoted must be"),
        (["review"], "SHEET"),
    ],
)
def test_wrong_use_is_told_in_one_line_and_writes_nothing(
    words: list[str], said: str, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (saved / "empty.html").write_bytes(b"")
    (saved / "sheet.csv").write_text("name,decision,proposed\nWat Pho,yes,\nWat Arun,perhaps,yes\n", encoding="utf-8")
    (saved / "nothing.csv").write_text("name,decision,proposed\nWat Pho,no,yes\n", encoding="utf-8")
    (saved / "blank.csv").write_text("name,decision,proposed\nWat Pho,,yes\n", encoding="utf-8")
    before = sorted(saved.iterdir())
    monkeypatch.chdir(saved)
    assert said in refused_here("nation", *words)
    assert sorted(saved.iterdir()) == before


# Online


class Wiki(BaseHTTPRequestHandler):
    """Serves one list page, a redirect to it, and nothing else."""

    asked: ClassVar[list[str]] = []
    asked_one: ClassVar[threading.Event] = threading.Event()
    hanging: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path == "/wiki/Slow":
            self.asked_one.set()
            self.hanging.wait()
        moved = self.path == "/wiki/Temples_of_Nowhere"
        bodies = {"/wiki/List_of_temples_of_Nowhere": PAGE, "/robots.txt": "User-agent: *\nDisallow: /w/\n"}
        body = bodies.get(self.path, "").encode()
        self.send_response(301 if moved else 200 if body else 404)
        if moved:
            self.send_header("Location", "/wiki/List_of_temples_of_Nowhere")
        self.send_header("Content-Type", "text/html; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:
        return None


def ignore(_: str) -> None:
    return None


@contextmanager
def serving() -> Iterator[str]:
    Wiki.asked.clear()
    Wiki.asked_one.clear()
    Wiki.hanging.clear()
    with served(Wiki) as address:
        try:
            yield address
        finally:
            Wiki.hanging.set()


def test_titles_are_fetched_one_by_one_with_a_rest_between_and_redirects_are_followed() -> None:
    rests: list[float] = []
    with serving() as address:
        polite = PolitenessSettings(operator=OPERATOR, delay_seconds=5.0)
        with fetching(Settings(politeness=polite, network=Network(connect_to=address)), rests.append) as fetcher:
            titles = ["Temples of Nowhere", "Gone", "http://wiki.example/w/Closed"]
            read = list(CategoryWalk("http://wiki.example", fetcher.content, WalkLimits(), ignore).pages(titles))
    assert [one.why for one in read] == ["", "status 404", "robots.txt forbids it"]
    texts = ["Wat Nonesuch", "Wat Arun", "Myanmar", "Wat Nonesuch", "Koh Utopia"]
    assert [name.text for name in read[0].page.names] == texts
    assert Wiki.asked == [
        *["/robots.txt", "/wiki/Temples_of_Nowhere", "/wiki/List_of_temples_of_Nowhere", "/wiki/Gone"]
    ]
    assert [round(one) for one in rests] == [5, 5, 5]
    source = read[0].source()
    assert source.about.startswith(
        "List of temples of Nowhere, https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere, 2"
    )
    assert source.licence == "CC BY-SA 4.0"


def test_served_page_becomes_a_sheet(tmp_path: Path) -> None:
    with serving() as address:
        words = ["collect", "--from-wikipedia", "List of temples of Nowhere", "--wiki", f"http://{address}"]
        refused = run(*words, "--operator", OPERATOR, cwd=tmp_path)
        ran = run(*words, "--operator", OPERATOR, "--allow-private", "--json", cwd=tmp_path)
    assert refused.returncode == 2
    assert "Add --allow-private" in refused.stderr
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["proposed"] == {"yes": 5, "no": 1, "known": 1}
    assert "Wat Nonesuch" in [row["name"] for row in cells(tmp_path / "names.csv")]


def test_interrupted_fetch_ends_cleanly_and_writes_nothing(tmp_path: Path) -> None:
    with serving() as address:
        words = ["nation", "collect", "--from-wikipedia", "Slow", "--wiki", f"http://{address}", "--operator", OPERATOR]
        with subprocess.Popen(
            [EXONYM, *words, "--allow-private"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        ) as process:
            wait_until(Wiki.asked_one.is_set, process)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []
