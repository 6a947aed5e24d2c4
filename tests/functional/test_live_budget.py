"""Requests go to pages: not to images and documents, not to links of copies, not to second names of servers."""

from pathlib import Path

import pytest
from commands import json_here

from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.errors import ConfigError
from exonym.journal import JournalRow
from exonym.link_types import PAGES_PER_TRIAL
from exonym.practice import PracticeOptions, PracticeResponse, PracticeWeb
from exonym.testing.live import crawl_from, crawl_practice_web
from exonym.testing.scripted import ScriptedWeb, page
from exonym.urls import server_of

A, B = "http://a.example/", "http://b.example/"
THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อยมากมาย "
FILES = (".jpg", ".png", ".pdf", ".xml")
IMAGE = PracticeResponse(200, (("Content-Type", "image/jpeg"),), b"\xff\xd8\xff" + bytes(2_000))
PDF = PracticeResponse(200, (("Content-Type", "application/pdf"),), b"%PDF-1.4" + bytes(2_000))
TIMELESS = {"retry_after_seconds": 0, "crawl_delay_seconds": 0.0, "slow_seconds": 0.0, "traps": False}


def text(name: str, *targets: str) -> PracticeResponse:
    """A Thai page of a kilobyte that no other page is like."""
    return page(f"<p>{name} {THAI * 8}</p>" + "".join(f'<a href="{target}">{target}</a> ' for target in targets))


def by_url(rows: list[JournalRow]) -> dict[str, JournalRow]:
    return {row.url: row for row in rows}


# Types


def test_images_and_documents_are_not_requested_and_titles_of_wikis_are(tmp_path: Path) -> None:
    title = "/wiki/File:Photo.jpg"
    files = ["/photo.jpg", "/PLAN.PDF", "/feed.xml", "/photo.jpg?w=300"]
    answers = {A: text("home", *files, title, "/get.php?file=a.pdf"), title: text("photo"), "/photo.jpg": IMAGE}
    with ScriptedWeb(answers) as web:
        crawl_from([A], tmp_path, web.address)
        assert web.urls() == [f"{A}robots.txt", A, A[:-1] + title, f"{A}get.php?file=a.pdf"]
    assert json_here("status", tmp_path)["unasked"] == {"images": 2, "documents": 1, "data": 1}


def test_wanted_documents_are_fetched_and_kept(tmp_path: Path) -> None:
    answers = {A: text("home", "/plan.pdf", "/photo.jpg"), "/plan.pdf": PDF, "/photo.jpg": IMAGE}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address, {"archive": {"documents": [".PDF"]}}))
    assert rows.keys() == {A, f"{A}plan.pdf"}
    assert CrawlDirectory(tmp_path).page(f"{A}plan.pdf").body == PDF.body


def test_unknown_kind_of_document_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"archive\.documents has 'jpg'.*Choose from pdf, doc"):
        crawl_from([A], tmp_path, "127.0.0.1:1", {"archive": {"documents": ["jpg"]}})


@pytest.mark.parametrize("asked", [{"urls": {"files": "follow"}}, {"archive": {"other_types": True}}])
def test_links_to_files_are_followed_on_demand(tmp_path: Path, asked: dict[str, dict[str, object]]) -> None:
    with ScriptedWeb({A: text("home", "/photo.jpg"), "/photo.jpg": IMAGE}) as web:
        assert by_url(crawl_from([A], tmp_path, web.address, asked)).keys() == {A, f"{A}photo.jpg"}


def test_script_that_gives_images_is_asked_three_times(tmp_path: Path) -> None:
    thumbs = {f"/thumb.php?id={number}": IMAGE for number in range(9)}
    chain = {f"/{number}": text(f"page {number}", f"/thumb.php?id={number}", f"/{number + 1}") for number in range(9)}
    with ScriptedWeb({A: text("home", "/0")} | thumbs | chain) as web:
        # Breadth first: the links of a page are visited before those of the next.
        crawl_from([A], tmp_path, web.address, {"network": {"connections": 1}})
        assert sum("thumb" in url for url in web.urls()) == 3
    assert json_here("status", tmp_path)["unasked"] == {"other files": 6}


def test_server_with_pages_at_names_of_images_is_noticed_and_the_lesson_survives_a_restart(tmp_path: Path) -> None:
    """200 pages fetched allow one trial; it is a page, so that all such links found from then on are followed."""
    plain = {f"/{number}": text(f"page {number}", f"/{number}.jpg", f"/{number + 1}") for number in range(230)}
    shown = {f"/{number}.jpg": text(f"photo {number}") for number in range(230)}
    limits = {"pages_per_server": 0, "pages": 210}
    with ScriptedWeb({A: text("home", "/0")} | plain | shown) as web:
        crawl_from([A], tmp_path, web.address, {"limits": limits, "network": {"connections": 1}})
        assert any(url.endswith(".jpg") for url in web.urls())
        before = len(web.urls())
        crawl_from([A], tmp_path, web.address, {"limits": limits | {"pages": 220}, "network": {"connections": 1}})
        assert any(url.endswith(".jpg") for url in web.urls()[before:])


def test_tag_that_names_a_file_is_believed(tmp_path: Path) -> None:
    tags = "<a href=/1 download>save</a> <a href=/2 type=application/pdf>paper</a> <a href=/3 type=text/html>read</a>"
    with ScriptedWeb({A: page(tags)}) as web:
        crawl_from([A], tmp_path / "skip", web.address)
        assert web.urls() == [f"{A}robots.txt", A, f"{A}3"]
        crawl_from([A], tmp_path / "follow", web.address, {"urls": {"files": "follow"}})
        assert web.urls()[3:] == [f"{A}robots.txt", A, f"{A}1", f"{A}2", f"{A}3"]
    assert json_here("status", tmp_path / "skip")["unasked"] == {"other files": 2}


# Copies


def test_copy_is_archived_once_and_neither_harvest_nor_followed(tmp_path: Path) -> None:
    home = text("home", "/index.html", "/mirror/", "below")
    answers = {A: home, "/index.html": home, "/mirror/": home, "/below": text("below"), "/mirror/below": text("other")}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
    assert [url for url, row in rows.items() if row.copy] == [f"{A}index.html", f"{A}mirror/"]
    assert [url for url, row in rows.items() if row.relevant] == [A, f"{A}below"]
    copy = rows[f"{A}mirror/"]
    assert (copy.language, copy.relevance) == ("th", rows[A].relevance)
    assert copy.why.startswith(f"copy of {A}; ")
    assert f"{A}mirror/below" not in rows  # a link of the copy
    status = json_here("status", tmp_path)
    assert (status["pages"], status["relevant"], status["copies"]) == (4, 2, 2)
    assert status["harvest_rate"] == 0.5  # copies are requests that found nothing new


def token(number: int) -> str:
    """What a server puts into a page anew for each request, where nobody sees it."""
    return f"<input type=hidden value={number}><script nonce={number}>begin({number})</script><!-- {number} -->"


def test_copy_with_other_bytes_is_recognised_by_its_words_and_links(tmp_path: Path) -> None:
    body = f"<p>{THAI * 8}</p><a href=/index.html>home</a> <a href={{host}}below>below</a>"
    answers = {A: page(body.format(host=A) + token(1)), "/below": text("below", "/again")}
    answers |= {"/index.html": page(body.format(host="http://www.a.example/") + token(2))}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
        assert f"{A}again" in web.urls()
        assert "http://www.a.example/below" not in web.urls()  # a link of the copy
    assert [url for url, row in rows.items() if row.copy] == [f"{A}index.html"]
    assert [url for url, row in rows.items() if row.relevant] == [A, f"{A}below"]
    assert rows[f"{A}index.html"].digest != rows[A].digest
    assert rows[f"{A}index.html"].why.startswith(f"copy of {A}; ")


def test_pages_of_a_gallery_with_the_same_words_are_no_copies(tmp_path: Path) -> None:
    gallery = {f"/{number}": page(f"<p>{THAI * 8}</p><a href=/{number + 1}>next</a>") for number in range(5)}
    with ScriptedWeb({A: text("home", "/0")} | gallery) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
    assert len(rows) == 7
    assert not any(row.copy for row in rows.values())


def test_pages_made_by_scripts_are_compared_by_bytes(tmp_path: Path) -> None:
    """They have hardly any words; what they show is in their scripts."""
    shell = "<title>Shop</title><p>Loading</p><script>" + "x" * 999
    answers = {A: text("home", "/1", "/2", "/3"), "/1": page(f"{shell}1"), "/2": page(f"{shell}2")}
    with ScriptedWeb(answers | {"/3": page(f"{shell}2")}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
    assert [url for url, row in rows.items() if row.copy] == [f"{A}3"]


def test_server_whose_home_page_another_one_has_copied_is_crawled_nevertheless(tmp_path: Path) -> None:
    home = text("home", "below")
    answers = {B: home, A: home, f"{A}below": text("below"), f"{B}below": text("something else")}
    asked = {"strategy": {"name": "hard"}, "network": {"connections": 1}}  # hard: links of relevant pages only
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([B, A], tmp_path, web.address, asked))
    assert rows[A].copy
    assert rows[f"{A}below"].relevant
    assert rows[f"{A}below"].distance == 1  # one step from a page that the judge found relevant
    assert json_here("status", tmp_path)["relevant"] == 3


def test_links_of_a_copy_under_the_name_with_www_are_not_followed(tmp_path: Path) -> None:
    home = text("home", "below")
    www = "http://www.a.example/"
    answers = {A: home, www: home, f"{A}below": text("below"), f"{www}below": text("something else")}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A, www], tmp_path, web.address, {"network": {"connections": 1}}))
    assert [url for url, row in rows.items() if row.copy] == [www]
    assert f"{www}below" not in rows


def test_error_page_of_several_servers_leads_no_further_than_one_step(tmp_path: Path) -> None:
    """Its relative link leads from each address to a new one, with the same page, without end."""
    sorry = text("sorry, nothing here", "x/")
    below = {f"{host}{'x/' * depth}": sorry for host in (A, B) for depth in range(5)}
    with ScriptedWeb(below) as web:
        crawl_from([A, B], tmp_path, web.address, {"network": {"connections": 1}})
        asked = [url for url in web.urls() if not url.endswith("robots.txt")]
    assert asked == [A, B, f"{A}x/", f"{B}x/"]  # the second page of each server is a copy of the first


def test_short_pages_alike_are_no_copies(tmp_path: Path) -> None:
    """A frameset of a few bytes is the same on many sites, and leads to different pages."""
    frames = page('<frameset><frame src="main.html"></frameset>')
    answers = {A: frames, B: frames, f"{A}main.html": text("a"), f"{B}main.html": text("b")}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A, B], tmp_path, web.address))
    assert rows.keys() == {A, B, f"{A}main.html", f"{B}main.html"}
    assert not any(row.copy for row in rows.values())


def test_copies_are_known_after_a_restart(tmp_path: Path) -> None:
    home = text("home", "/1")
    with ScriptedWeb({A: home, "/1": text("one", "/index.html"), "/index.html": home}) as web:
        crawl_from([A], tmp_path, web.address, {"limits": {"pages": 2}})
        rows = by_url(crawl_from([A], tmp_path, web.address))
    assert [row.copy for row in rows.values()] == [False, False, True]
    assert json_here("status", tmp_path)["copies"] == 1


# Aliases


def site(pages: int) -> dict[str, PracticeResponse]:
    """A chain of pages, with relative links."""
    return {f"/{number or ''}": text(f"page {number}", str(number + 1)) for number in range(pages)}


def requests_to(web: ScriptedWeb, server: str) -> int:
    return sum(server_of(url) == server and not url.endswith("/robots.txt") for url in web.urls())


@pytest.mark.parametrize(("second", "proofs"), [("www.a.example", 2), ("elsewhere.example", 4)])
def test_second_name_of_a_server_is_not_asked_after_a_few_proofs(tmp_path: Path, second: str, proofs: int) -> None:
    # The links of copies are not followed: the alias is reached by links of another page, one after the other.
    hub = {
        f"{B}{n or ''}": text(f"hub {n}", f"http://{second}/{n or ''}", f"{A}{n or ''}", f"/{n + 1}") for n in range(9)
    }
    with ScriptedWeb(site(9) | hub) as web:
        rows = by_url(crawl_from([A, B], tmp_path, web.address, {"network": {"connections": 1}}))
        assert requests_to(web, second) == proofs
        assert requests_to(web, "a.example") == 9 + 1  # the last link of the chain leads nowhere
    told = [row for row in rows.values() if row.why == "alias of a.example"]
    assert [(row.url, row.status, row.warc_file) for row in told] == [
        (f"http://{second}/{number}", 0, "") for number in range(proofs, 9)
    ]
    status = json_here("status", tmp_path)
    assert (status["copies"], status["aliases"], status["relevant"]) == (proofs, 1, 18)


def test_new_page_of_an_alias_is_fetched_under_the_known_name(tmp_path: Path) -> None:
    hub = {B: text("hub", "http://www.a.example/", "http://www.a.example/1", "/more")}
    hub |= {f"{B}more": text("more", "http://www.a.example/only-linked-here")}
    with ScriptedWeb(site(3) | hub | {"/only-linked-here": text("the new page")}) as web:
        rows = by_url(crawl_from([A, B], tmp_path, web.address, {"network": {"connections": 1}}))
    assert rows[f"{A}only-linked-here"].relevant
    assert rows[f"{A}only-linked-here"].source == rows[f"{B}more"].row


def test_one_error_page_for_every_address_makes_no_alias(tmp_path: Path) -> None:
    sorry = text("sorry, nothing here")
    answers = {f"{host}{number}": sorry for host in (A, B) for number in range(9)}
    answers |= {host: text(host, *map(str, range(9))) for host in (A, B)}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A, B], tmp_path, web.address)
    assert len(rows) == 20
    assert json_here("status", tmp_path)["aliases"] == 0


def test_aliases_are_known_after_a_restart(tmp_path: Path) -> None:
    hub = {f"{B}{n or ''}": text(f"hub {n}", f"http://www.a.example/{n or ''}", f"/{n + 1}") for n in range(9)}
    with ScriptedWeb(site(9) | hub) as web:
        for pages in range(1, 30, 3):
            asked = {"limits": {"pages": pages}, "network": {"connections": 1}}
            crawl_from([A, B], tmp_path, web.address, asked)
        assert requests_to(web, "www.a.example") == 2


# All of it, on a web of many servers


def test_web_whose_sites_have_two_names_is_crawled_as_one_whose_sites_have_one(tmp_path: Path) -> None:
    """Seeds are home pages by all their names: the others than the first are copies."""
    one = PracticeWeb(seed=4, pages=400, options=PracticeOptions(**TIMELESS))  # type: ignore[arg-type]
    two = PracticeWeb(seed=4, pages=400, options=PracticeOptions(twins=True, **TIMELESS))  # type: ignore[arg-type]
    asked = {"strategy": {"name": "bfs"}, "seeds": {"sitemaps": False}, "limits": {"pages_per_server": 0}}
    asked |= {"network": {"connections": 1}}  # which of two names is the copy depends on the order
    plain = crawl_practice_web(tmp_path / "one", one, asked)
    twins = [
        seed.replace("://www.", "://") if "://www." in seed else seed.replace("://", "://www.") for seed in two.seeds()
    ]
    seeds = [*two.seeds(), *twins, *(f"{seed}index.html" for seed in two.seeds())]
    mixed = crawl_practice_web(tmp_path / "two", two, asked | {"seeds": {"sitemaps": False, "urls": seeds}})
    for result in (plain, mixed):
        assert sum(row.url.endswith(FILES) for row in result.rows) <= len(result.rows) // PAGES_PER_TRIAL
    assert plain.summary.totals.unasked.keys() == {"images", "documents"}
    harvest = {row.digest for row in plain.rows if row.relevant}
    assert {row.digest for row in mixed.rows if row.relevant} == harvest
    assert mixed.summary.totals.relevant == len(harvest) == plain.summary.totals.relevant
    assert mixed.summary.totals.copies == sum(row.copy for row in mixed.rows)
    names = {url for url in seeds if url not in one.seeds()}
    assert len(names) == 6  # three sites, each with a second home page and a second name
    assert mixed.summary.totals.pages == plain.summary.totals.pages + len(names)
