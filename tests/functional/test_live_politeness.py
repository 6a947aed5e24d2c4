"""How a crawl treats servers, seen from the servers' side: who was asked what, when, and how many at a time."""

import gzip
import time
from pathlib import Path

import pytest

from exonym.batches import Outcome
from exonym.journal import JournalRow
from exonym.practice import PracticeOptions, PracticeResponse, PracticeWeb
from exonym.practice.serving.answers import DEAD
from exonym.testing.live import crawl, crawl_from, crawl_practice_web, rows_of, write_settings
from exonym.testing.scripted import ScriptedWeb, page, redirect, status
from exonym.urls import server_of

A, B = "http://a.example/", "http://b.example/"


def links(*targets: str) -> PracticeResponse:
    return page("".join(f'<a href="{target}">{target}</a> ' for target in targets))


def robots(*lines: str) -> PracticeResponse:
    return page("\n".join(["User-agent: *", *lines]), "text/plain")


def pages_of(rows: list[JournalRow]) -> list[str]:
    return [row.url for row in rows if row.outcome == Outcome.PAGE]


def test_servers_are_asked_one_thing_at_a_time_and_never_too_soon(tmp_path: Path) -> None:
    web = PracticeWeb(seed=6, pages=300, options=PracticeOptions(slow_seconds=0.03))
    asked = {
        "strategy": {"name": "bfs"},
        "limits": {"pages": 200},
        "network": {"connections": 50},
        "politeness": {"delay_seconds": 0.05},
    }
    result = crawl_practice_web(tmp_path, web, asked)
    hosts = result.stats["hosts"]
    assert result.summary.totals.pages == 200
    assert len(hosts) >= 8
    assert {host["most_at_once"] for host in hosts.values()} == {1}
    gaps = [host["smallest_gap_seconds"] for host in hosts.values() if host["smallest_gap_seconds"] is not None]
    assert min(gaps) >= 0.05


def test_robots_txt_comes_before_all_else_and_is_obeyed(tmp_path: Path) -> None:
    web = PracticeWeb(seed=6, pages=300, options=PracticeOptions(crawl_delay_seconds=0.0))
    asked = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 20}, "network": {"connections": 50}}
    result = crawl_practice_web(tmp_path, web, asked)
    first: dict[str, str] = {}
    for url in result.stats["urls"]:  # in the order in which they were first asked for
        first.setdefault(server_of(url), url)
    assert {url.split("/", 3)[3] for url in first.values()} == {"robots.txt"}
    ids = [web.page_id(url) for url in result.stats["urls"]]
    assert not [number for number in ids if number is not None and web.page(number).is_forbidden]
    assert {row.outcome for row in result.rows if web.page(web.page_id(row.url) or 0).is_forbidden} == {
        Outcome.FORBIDDEN
    }
    assert {row.failure for row in result.rows if row.outcome == Outcome.FORBIDDEN} == {
        "robots.txt forbids it",
        "robots.txt: status 503",
    }


def test_crawl_delay_is_kept_between_all_requests(tmp_path: Path) -> None:
    answers = {f"{A}robots.txt": robots("Crawl-delay: 0.2"), A: links("/1", "/2"), "/1": page("1"), "/2": page("2")}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], tmp_path, web.address)
        assert pages_of(rows) == [A, f"{A}1", f"{A}2"]
        assert len(web.asked) == 4
        assert min(web.gaps()) >= 0.2


def test_server_with_a_very_long_crawl_delay_is_parked_while_others_go_on(tmp_path: Path) -> None:
    own = [f"/{number}" for number in range(10)]
    answers = {f"{A}robots.txt": robots("Crawl-delay: 3600"), B: links(*own)} | dict.fromkeys(own, page("fine"))
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A, B], tmp_path, web.address, {"limits": {"pages": 11}})
        assert len(pages_of(rows)) == 11
        assert [url for url in web.urls() if url.startswith(A)] == [f"{A}robots.txt"]


@pytest.mark.parametrize(("delay_seconds", "requests"), [(0.01, 4), (3_600.0, 1)])
def test_servers_at_one_address_share_its_delay(tmp_path: Path, delay_seconds: float, requests: int) -> None:
    with ScriptedWeb({"/": page("home")}) as web:
        port = web.address.rpartition(":")[2]
        asked = {
            "network": {"allow_private": True},
            "politeness": {"address_delay_seconds": delay_seconds},
            "limits": {"seconds": 2.0 if requests == 1 else 0.0},
        }
        crawl_from([f"http://127.0.0.1:{port}/", f"http://localhost:{port}/"], tmp_path, "", asked)
        assert len(web.asked) == requests  # two servers, each with a robots.txt and a page


# robots.txt that cannot be read


def test_nothing_is_asked_until_robots_txt_can_be_read(tmp_path: Path) -> None:
    answers = {f"{A}robots.txt": [status(503), status(500), robots("Disallow: /no")], A: links("/no", "/yes")}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], tmp_path, web.address, {"politeness": {"retry_seconds": 0.05}})
        assert web.urls() == [*[f"{A}robots.txt"] * 3, A, f"{A}yes"]
        assert web.gaps()[0] >= 0.05
        assert web.gaps()[1] >= 0.1  # waits grow
        assert {row.url: row.outcome for row in rows} == {
            A: Outcome.PAGE,
            f"{A}no": Outcome.FORBIDDEN,
            f"{A}yes": Outcome.FAILED,
        }


def test_robots_txt_that_answers_5xx_for_good_forbids_all(tmp_path: Path) -> None:
    with ScriptedWeb({f"{A}robots.txt": status(503), "/": page("home")}) as web:
        rows = crawl_from([A, f"{A}x"], tmp_path, web.address, {"politeness": {"retries": 2}})
        assert web.urls() == [f"{A}robots.txt"] * 3
        assert [(row.outcome, row.failure) for row in rows] == [(Outcome.FORBIDDEN, "robots.txt: status 503")] * 2


def test_server_that_never_answers_fails(tmp_path: Path) -> None:
    with ScriptedWeb({f"{A}robots.txt": DEAD, B: page("alive")}) as web:
        rows = crawl_from([A, B], tmp_path, web.address, {"politeness": {"retries": 1}})
        found = {row.url: (row.outcome, row.failure) for row in rows}
        assert found == {A: (Outcome.FAILED, "robots.txt: protocol: empty reply"), B: (Outcome.PAGE, "")}


def test_robots_txt_that_is_not_there_allows_all(tmp_path: Path) -> None:
    with ScriptedWeb({f"{A}robots.txt": status(404), A: page("home")}) as web:
        assert pages_of(crawl_from([A], tmp_path, web.address)) == [A]


def test_robots_txt_is_followed_through_redirects(tmp_path: Path) -> None:
    answers = {f"{A}robots.txt": redirect(f"{B}moved"), f"{B}moved": robots("Disallow: /"), A: page("home")}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], tmp_path, web.address)
        assert web.urls() == [f"{A}robots.txt", f"{B}moved"]
        assert [row.outcome for row in rows] == [Outcome.FORBIDDEN]


# Sitemaps


def sitemap(*urls: str, index: bool = False) -> bytes:
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    return f"<{outer}>{''.join(f'<{inner}><loc>{url}</loc></{inner}>' for url in urls)}</{outer}>".encode()


def xml(body: bytes) -> PracticeResponse:
    return PracticeResponse(200, (("Content-Type", "application/xml"),), body)


def zipped(body: bytes) -> PracticeResponse:
    return PracticeResponse(200, (("Content-Type", "application/gzip"),), gzip.compress(body, mtime=0))


def test_sitemaps_are_sources_of_links_plain_zipped_and_as_an_index(tmp_path: Path) -> None:
    answers = {
        f"{A}robots.txt": robots(f"Sitemap: {A}index.xml", f"Sitemap: {A}plain.xml"),
        f"{A}index.xml": xml(sitemap(f"{A}one.xml", f"{A}two.xml.gz", index=True)),
        f"{A}one.xml": xml(sitemap(f"{A}from-one")),
        f"{A}two.xml.gz": zipped(sitemap(f"{A}from-two")),
        f"{A}plain.xml": xml(sitemap(f"{A}from-plain")),
        **dict.fromkeys(["/", "/from-one", "/from-two", "/from-plain"], page("fine")),
    }
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], tmp_path, web.address)
        assert sorted(pages_of(rows)) == [A, f"{A}from-one", f"{A}from-plain", f"{A}from-two"]
        sitemaps = {row.url: row.links for row in rows if row.outcome == Outcome.SITEMAP}
        assert sitemaps == {f"{A}index.xml": 0, f"{A}one.xml": 1, f"{A}two.xml.gz": 1, f"{A}plain.xml": 1}


def test_sitemaps_are_left_alone_where_they_are_not_wanted(tmp_path: Path) -> None:
    with ScriptedWeb({f"{A}robots.txt": robots(f"Sitemap: {A}plain.xml"), A: page("home")}) as web:
        crawl_from([A], tmp_path, web.address, {"seeds": {"sitemaps": False}})
        assert web.urls() == [f"{A}robots.txt", A]


def test_sitemaps_that_lead_to_sitemaps_without_end_come_to_an_end(tmp_path: Path) -> None:
    chain = {f"{A}{number}.xml": xml(sitemap(f"{A}{number + 1}.xml", index=True)) for number in range(40)}
    with ScriptedWeb({f"{A}robots.txt": robots(f"Sitemap: {A}0.xml"), A: page("home")} | chain) as web:
        rows = crawl_from([A], tmp_path, web.address)
        assert sum(row.outcome == Outcome.SITEMAP for row in rows) == 11


# Retries


@pytest.mark.parametrize("code", [404, 410, 403])
def test_what_is_not_there_is_asked_for_once(tmp_path: Path, code: int) -> None:
    with ScriptedWeb({A: status(code)}) as web:
        (row,) = crawl_from([A], tmp_path, web.address)
        assert (row.outcome, row.status, row.attempts) == (Outcome.FAILED, code, 0)
        assert row.warc_file
        assert web.urls() == [f"{A}robots.txt", A]


@pytest.mark.parametrize("code", [500, 503, 429])
def test_server_in_trouble_is_asked_again_after_ever_longer_waits(tmp_path: Path, code: int) -> None:
    with ScriptedWeb({A: status(code)}) as web:
        (row,) = crawl_from([A], tmp_path, web.address, {"politeness": {"retry_seconds": 0.05, "retries": 3}})
        assert (row.outcome, row.status, row.attempts) == (Outcome.FAILED, code, 3)
        assert web.urls() == [f"{A}robots.txt", A, A, A, A]
        assert all(gap >= least for gap, least in zip(web.gaps(), [0, 0.05, 0.1, 0.2], strict=True))


def test_retry_after_is_honoured(tmp_path: Path) -> None:
    with ScriptedWeb({A: [status(503, Retry_After="1"), page("at last")]}) as web:
        (row,) = crawl_from([A], tmp_path, web.address, {"politeness": {"retry_seconds": 0.01}})
        assert (row.outcome, row.attempts) == (Outcome.PAGE, 1)
        assert web.gaps()[1] >= 1.0


def test_a_server_asked_just_before_a_restart_still_rests_after_it(tmp_path: Path) -> None:
    with ScriptedWeb({A: links("/1"), A + "1": links("/2"), A + "robots.txt": robots()}) as web:
        for pages in (1, 2):
            asked = {
                "seeds": {"urls": [A]},
                "target": {"languages": ["th"]},
                "strategy": {"name": "bfs"},
                "limits": {"pages": pages},
                "politeness": {"delay_seconds": 0.5},
                "network": {"connect_to": web.address},
            }
            write_settings(tmp_path, asked)
            crawl(tmp_path)
        assert [one.url for one in web.asked] == [A + "robots.txt", A, A + "robots.txt", A + "1"]
        # From when the crawler asked, as its journal has it, to when the server heard of the next request.
        first = next(row for row in rows_of(tmp_path) if row.url == A)
        assert (
            web.asked[2].seconds + time.time() - time.monotonic() - first.when >= 0.499
        )  # of a journal in milliseconds
