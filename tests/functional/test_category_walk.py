"""`exonym nation collect --from-wikipedia Category:…` on a wiki of our own, whose pages have the shape of MediaWiki's.

Category:Nowhere-related lists
├── Category:Lists of buildings in Nowhere: two pages; contains the first category again
│   └── Category:Lists of towers in Nowhere
├── Category:Nowhere geography-related lists: a list that the first category has too, and one that fails
└── List of islands of Nowhere, Nowhere (an article that is no list)
"""

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

import pytest
from commands import EXONYM, run
from hypothesis import given
from hypothesis import strategies as st
from quiet_server import served
from waiting import wait_until

from exonym.config import Settings
from exonym.config.settings import Network, PolitenessSettings
from exonym.fetch.one_by_one import fetching
from exonym.nations.dictionary.category_walk import CategoryWalk, WalkLimits, read_category
from exonym.nations.dictionary.named_pages import PageRead

OPERATOR = "https://exonym.example/tests"
ROOT = "Category:Nowhere-related lists"
BUILDINGS, TOWERS = "Category:Lists of buildings in Nowhere", "Category:Lists of towers in Nowhere"
GEOGRAPHY = "Category:Nowhere geography-related lists"
ISLANDS, TEMPLES, BRIDGES = "List of islands of Nowhere", "List of temples of Nowhere", "List of bridges in Nowhere"
TALLEST, LOST = "List of tallest towers in Nowhere", "List of lost towns of Nowhere"


def path_of(title: str) -> str:
    return "/wiki/" + title.replace(" ", "_")


def members(titles: list[str]) -> str:
    links = "".join(f'<li><a href="{path_of(one)}" title="{one}">{one.split(":")[-1]}</a></li>' for one in titles)
    return f'<div class="mw-content-ltr"><div class="mw-category"><h3>N</h3><ul>{links}</ul></div></div>'


def category(title: str, subcategories: list[str], pages: list[str], following: str = "") -> str:
    """A category page as MediaWiki writes it; `following` is where the next page of its articles begins."""
    name = title.replace(" ", "_")
    href = f"/w/index.php?title={name}&amp;pagefrom={following}#mw-pages"
    turn = f'(previous page) (<a href="{href}" title="{title}">next page</a>)' if following else ""
    edit = f'<a href="/w/index.php?title={name}&amp;action=edit" title="Edit section">edit</a>'
    red = '<a href="/w/index.php?title=List_of_nothing&amp;action=edit&amp;redlink=1" class="new">List of nothing</a>'
    below = f'<div id="mw-subcategories"><h2>Subcategories</h2>{members(subcategories)}</div>' if subcategories else ""
    within = f'<div id="mw-pages"><h2>Pages in category "{name}"</h2><p>{edit} {red}</p>{turn}{members(pages)}</div>'
    return (
        f"<!DOCTYPE html><html><head><title>{title} - Wikipedia</title></head><body>"
        '<div id="mw-navigation"><ul><li><a href="/wiki/List_of_everything">List of everything</a></li></ul></div>'
        '<div id="mw-content-text"><div class="mw-parser-output"><p><a href="/wiki/List_of_words">Words</a></p></div>'
        f'<div class="mw-category-generated">{below}{within}</div></div></body></html>'
    )


def listing(title: str, *names: str) -> str:
    links = "".join(f'<li><a href="{path_of(name)}">{name}</a></li>' for name in names)
    return f'<title>{title} - Wikipedia</title><div class="mw-parser-output"><ul>{links}</ul></div>'


PAGES = {
    path_of(ROOT): category(ROOT, [BUILDINGS, GEOGRAPHY], [ISLANDS, "Nowhere"]),
    path_of(BUILDINGS): category(BUILDINGS, [TOWERS, ROOT], [BRIDGES], following="Lo%0AT"),
    path_of(BUILDINGS) + "?pagefrom=Lo%0AT": category(BUILDINGS, [], [TEMPLES]),
    path_of(GEOGRAPHY): category(GEOGRAPHY, [], [ISLANDS, LOST]),
    path_of(TOWERS): category(TOWERS, [], [TALLEST]),
    path_of(ISLANDS): listing(ISLANDS, "Koh Nonesuch"),
    path_of(BRIDGES): listing(BRIDGES, "Saphan Nonesuch"),
    path_of(TEMPLES): listing(TEMPLES, "Wat Nonesuch"),
    path_of(TALLEST): listing(TALLEST, "Nonesuch Tower"),
    "/robots.txt": "User-agent: *\nDisallow: /w/\n",
}


class Wiki(BaseHTTPRequestHandler):
    """Serves these pages; one of them never comes if `hangs` is set."""

    asked: ClassVar[list[str]] = []
    hangs: ClassVar[bool] = False
    is_hanging: ClassVar[threading.Event] = threading.Event()
    released: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        self.asked.append(unquote(self.path))
        if self.hangs and self.path == path_of(TEMPLES):
            self.is_hanging.set()
            self.released.wait()
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=UTF-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *words: object) -> None:
        return None


@contextmanager
def serving(hangs: bool = False) -> Iterator[str]:
    Wiki.asked.clear()
    Wiki.hangs = hangs
    Wiki.is_hanging.clear()
    Wiki.released.clear()
    with served(Wiki) as address:
        try:
            yield address
        finally:
            Wiki.released.set()


def walked(limits: WalkLimits, *titles: str) -> tuple[list[PageRead], CategoryWalk, list[float]]:
    """The pages read from these titles, the walk, and the rests between its requests."""
    rests: list[float] = []
    with serving() as address:
        polite = PolitenessSettings(operator=OPERATOR, delay_seconds=5.0)
        with fetching(Settings(politeness=polite, network=Network(connect_to=address)), rests.append) as fetcher:
            walk = CategoryWalk("http://wiki.example", fetcher.content, limits, lambda _: None)
            return list(walk.pages(titles or [ROOT])), walk, rests


def test_lists_of_a_category_and_its_subcategories_are_read_once_with_a_rest_between() -> None:
    read, walk, rests = walked(WalkLimits())
    assert {one.name: [name.text for name in one.page.names] for one in read if not one.why} == {
        ISLANDS: ["Koh Nonesuch"],
        BRIDGES: ["Saphan Nonesuch"],
        TEMPLES: ["Wat Nonesuch"],
    }
    assert {one.name: one.why for one in read if one.why} == {LOST: "status 404"}
    # Four pages of three categories, three lists and one that fails; the category of towers is one level too deep.
    assert (walk.categories, walk.fetched, walk.too_deep, walk.other_articles, walk.unread) == (4, 8, 1, 1, 0)
    assert len(Wiki.asked) == len(set(Wiki.asked)) == 9  # robots.txt too
    assert [round(one) for one in rests] == [5] * 8


def test_robots_txt_is_obeyed_and_the_second_page_of_a_category_is_read_all_the_same() -> None:
    walked(WalkLimits())
    assert not [path for path in Wiki.asked if path.startswith("/w/")]
    assert path_of(BUILDINGS) + "?pagefrom=Lo\nT" in Wiki.asked


@pytest.mark.parametrize(
    ("depth", "lists"),
    [(0, [ISLANDS]), (1, [ISLANDS, BRIDGES, TEMPLES]), (2, [ISLANDS, BRIDGES, TEMPLES, TALLEST])],
)
def test_depth_says_how_many_levels_of_subcategories_are_followed(depth: int, lists: list[str]) -> None:
    read, walk, _ = walked(WalkLimits(depth=depth))
    assert {one.name for one in read if not one.why} == set(lists)
    assert walk.too_deep == {0: 2, 1: 1, 2: 0}[depth]


def test_walk_ends_at_its_limit_and_says_what_is_left() -> None:
    read, walk, _ = walked(WalkLimits(pages=2))
    # The category and its list; the two subcategories wait.
    assert [one.name for one in read] == [ISLANDS]
    assert (walk.fetched, walk.unread) == (2, 2)


def test_lists_and_categories_may_be_named_together() -> None:
    read, _, _ = walked(WalkLimits(depth=0), TEMPLES, ROOT, GEOGRAPHY)
    assert [one.name for one in read] == [TEMPLES, ISLANDS, LOST]


def test_article_is_no_category() -> None:
    assert read_category(listing(ISLANDS, "Koh Nonesuch").encode(), "http://wiki.example/wiki/A") is None


@given(st.binary(max_size=300), st.sampled_from(["http://wiki.example/wiki/A", "", "x"]))
def test_no_bytes_make_the_reader_of_categories_fail(body: bytes, address: str) -> None:
    read_category(body, address)
    read_category(b'<div id="mw-pages"><a href="' + body + b'">', address)


def command(address: str, *more: str) -> list[str]:
    words = ["nation", "collect", "--from-wikipedia", ROOT, "--wiki", f"http://{address}", "--operator", OPERATOR]
    return [*words, "--allow-private", "--json", *more]


def test_command_walks_the_category_and_writes_the_sheet(tmp_path: Path) -> None:
    with serving() as address:
        ran = run(*command(address, "--depth", "0"), cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert [page["title"] for page in told["pages"]] == [ISLANDS]
    assert (told["categories"], told["too_deep"], told["other_articles"], told["interrupted"]) == (1, 2, 1, False)
    assert "Koh Nonesuch" in (tmp_path / "names.csv").read_text(encoding="utf-8")


def test_interrupted_walk_keeps_what_was_read(tmp_path: Path) -> None:
    with serving(hangs=True) as address:
        words = command(address)
        words[words.index(ROOT)] = BUILDINGS
        with subprocess.Popen(
            [EXONYM, *words, "--depth", "0"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            wait_until(Wiki.is_hanging.is_set, process)
            process.send_signal(signal.SIGINT)
            out, said = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in said
    told = json.loads(out)
    assert (told["interrupted"], told["unread"], [page["title"] for page in told["pages"]]) == (True, 1, [BRIDGES])
    assert "Saphan Nonesuch" in (tmp_path / "names.csv").read_text(encoding="utf-8")
