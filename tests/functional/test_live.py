"""What a live crawl meets and what it makes of it: redirects, traps, odd types, large and hostile pages."""

import gzip
import json
import re
import ssl
from pathlib import Path

import pytest
import trustme
from commands import printed_here, run_here

from exonym.archive.archived_responses import ArchivedResponse, read_response
from exonym.batches import Outcome
from exonym.errors import ConfigError
from exonym.journal import JournalRow
from exonym.practice import PracticeOptions, PracticeResponse, PracticeWeb
from exonym.practice.serving.answers import DEAD
from exonym.testing.live import crawl_from, crawl_practice_web, rows_of, write_settings
from exonym.testing.scripted import ScriptedWeb, page, redirect
from exonym.urls import server_of

A, B = "http://a.example/", "http://b.example/"
THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อยมากมาย "

SESSION = re.compile(r"(?:sid|sess\w*id|session_?id)=", re.IGNORECASE)
SEED_WITH_SESSIONS = 3


def links(*targets: str) -> PracticeResponse:
    return page("".join(f'<a href="{target}">{target}</a> ' for target in targets))


def record_of(directory: Path, row: JournalRow) -> ArchivedResponse:
    return read_response(directory / "warc", row.warc_file, row.warc_offset)


def by_url(rows: list[JournalRow]) -> dict[str, JournalRow]:
    return {row.url: row for row in rows}


# Redirects


def test_chain_of_redirects_ends_after_ten_hops(tmp_path: Path) -> None:
    chain = {f"{A}hop{number}": redirect(f"/hop{number + 1}") for number in range(20)}
    with ScriptedWeb({A: links("/hop0")} | chain) as web:
        rows = crawl_from([A], tmp_path, web.address)
        followed = [row.url for row in rows if row.outcome == Outcome.REDIRECT]
        assert followed == [f"{A}hop{number}" for number in range(11)]  # the first, and ten hops


def test_redirects_in_a_loop_are_each_followed_once(tmp_path: Path) -> None:
    answers = {A: links("/a", "/self"), "/a": redirect("/b"), "/b": redirect("/a"), "/self": redirect("/self")}
    with ScriptedWeb(answers) as web:
        rows = crawl_from([A], tmp_path, web.address)
        assert sorted(web.urls()) == sorted([f"{A}robots.txt", A, f"{A}a", f"{A}b", f"{A}self"])
        assert {row.outcome for row in rows if row.url != A} == {Outcome.REDIRECT}


def test_redirect_leads_on_with_the_facts_of_the_link_that_led_to_it(tmp_path: Path) -> None:
    with ScriptedWeb({A: links("/old"), "/old": redirect(f"{B}new"), f"{B}new": page(THAI)}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
        assert rows[f"{B}new"].relevant
        assert (rows[f"{B}new"].distance, rows[f"{B}new"].source) == (1, rows[A].row)


def test_redirects_that_lead_nowhere_fail(tmp_path: Path) -> None:
    odd = {"/ftp": redirect("ftp://a.example/x"), "/none": PracticeResponse(302, (), b"")}
    with ScriptedWeb({A: links("/ftp", "/none")} | odd) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
        assert {rows[f"{A}ftp"].outcome, rows[f"{A}none"].outcome} == {Outcome.FAILED}


# Traps


def test_calendar_without_end_is_bounded_by_the_limit_per_server(tmp_path: Path) -> None:
    web = PracticeWeb(seed=1, pages=200)
    asked = {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 45}, "readers": {"count": 0}}
    result = crawl_practice_web(tmp_path, web, asked)
    assert result.summary.reason == "empty frontier"
    pages: dict[str, int] = {}
    for row in result.rows:
        if row.outcome in (Outcome.PAGE, Outcome.FAILED):
            pages[server_of(row.url)] = pages.get(server_of(row.url), 0) + 1
    calendars = {server_of(row.url) for row in result.rows if "/calendar?" in row.url}
    assert calendars
    assert {pages[server] for server in calendars} == {45}
    assert max(pages.values()) == 45


def test_session_ids_do_not_make_new_pages(tmp_path: Path) -> None:
    spelled = ["/p?PHPSESSID=1a", "/p?PHPSESSID=2b", "/p;jsessionid=3c", "/p?sid=4", "/p"]
    with ScriptedWeb({A: links(*spelled), "/p": links(*spelled)}) as web:
        assert [row.url for row in crawl_from([A], tmp_path, web.address)] == [A, f"{A}p"]
        assert web.urls() == [f"{A}robots.txt", A, f"{A}p"]


def test_session_ids_of_a_practice_web_are_never_asked_for(tmp_path: Path) -> None:
    web = PracticeWeb(seed=SEED_WITH_SESSIONS, pages=300)
    hrefs = [link.href for number in range(web.page_count) for link in web.page(number).links]
    assert [href for href in hrefs if SESSION.search(href)]
    result = crawl_practice_web(tmp_path, web, {"strategy": {"name": "bfs"}, "limits": {"pages_per_server": 40}})
    assert not [url for url in result.stats["urls"] if SESSION.search(url)]


# Types and sizes


@pytest.mark.parametrize("other_types", [False, True])
def test_what_is_no_html_is_cut_after_its_head_or_kept_whole(tmp_path: Path, other_types: bool) -> None:
    image = PracticeResponse(200, (("Content-Type", "image/png"),), b"\x89PNG" + bytes(3_000_000))
    with ScriptedWeb({A: links("/image"), "/image": image}) as web:
        row = by_url(crawl_from([A], tmp_path, web.address, {"archive": {"other_types": other_types}}))[f"{A}image"]
    assert (row.outcome, row.content_type, row.relevant) == (Outcome.PAGE, "image/png", False)
    if other_types:
        assert record_of(tmp_path, row).body == image.body
        assert row.truncated == ""
    else:
        assert (row.truncated, row.warc_file) == ("type", "")
        assert row.length < 1_000


def test_copies_are_archived_as_revisits(tmp_path: Path) -> None:
    body = THAI * 20
    answers = {A: links("/1", "/2"), "/1": page(body), "/2": page(body)}
    with ScriptedWeb(answers) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address))
    first, second = record_of(tmp_path, rows[f"{A}1"]), record_of(tmp_path, rows[f"{A}2"])
    assert (first.is_revisit, first.body) == (False, body.encode())
    assert (second.is_revisit, second.refers_to, second.body) == (True, f"{A}1", b"")
    assert rows[f"{A}1"].digest == rows[f"{A}2"].digest


def test_page_that_is_too_large_is_cut_and_what_came_is_used(tmp_path: Path) -> None:
    body = '<a href="/next">next</a>' + THAI * 3_000
    with ScriptedWeb({A: page(body), "/next": page("end")}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address, {"network": {"page_bytes": 20_000}}))
    assert (rows[A].truncated, rows[A].relevant, rows[A].links) == ("length", True, 1)
    assert rows[f"{A}next"].outcome == Outcome.PAGE
    record = record_of(tmp_path, rows[A])
    assert (record.truncated, record.body) == ("length", body.encode()[:20_000])


def test_server_that_is_too_slow_is_given_up_and_a_dead_one_too(tmp_path: Path) -> None:
    answers = {
        A: links("/slow", f"{B}dead", "/fine"),
        "/slow": page("late", delay_seconds=3_600),
        "/fine": page("fine"),
    }
    asked = {"network": {"total_seconds": 3.0}, "politeness": {"retries": 1}}
    with ScriptedWeb(answers | {f"{B}dead": DEAD}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address, asked))
        assert web.urls().count(f"{A}slow") == 2
    assert (rows[f"{A}slow"].outcome, rows[f"{A}slow"].failure) == (Outcome.FAILED, "timeout: response")
    assert (rows[f"{B}dead"].outcome, rows[f"{B}dead"].failure) == (Outcome.FAILED, "protocol: empty reply")
    assert rows[f"{A}fine"].outcome == Outcome.PAGE


def test_page_that_kills_its_reader_is_archived_and_its_row_says_so(tmp_path: Path) -> None:
    bomb = gzip.compress("".join(f"<a href=/{number}>" for number in range(600_000)).encode(), mtime=0)
    evil = PracticeResponse(200, (("Content-Type", "text/html"), ("Content-Encoding", "gzip")), bomb)
    limits = {"readers": {"count": 1, "cpu_seconds": 10, "memory_bytes": 60_000_000}}
    with ScriptedWeb({A: links("/evil", "/good"), "/evil": evil, "/good": page(THAI)}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address, limits))
    assert rows[f"{A}evil"].failure.startswith("reader: ")
    assert (rows[f"{A}evil"].outcome, rows[f"{A}evil"].links) == (Outcome.PAGE, 0)
    assert record_of(tmp_path, rows[f"{A}evil"]).body == bomb
    assert rows[f"{A}good"].relevant
    assert rows[f"{A}good"].failure == ""


# Addresses and TLS


def test_private_addresses_are_refused(tmp_path: Path) -> None:
    with ScriptedWeb({"/": page("secret")}) as web:
        port = web.address.rpartition(":")[2]
        seeds = [f"http://127.0.0.1:{port}/", f"http://localhost:{port}/", f"http://[::ffff:127.0.0.1]:{port}/"]
        rows = crawl_from(seeds, tmp_path, "", {"politeness": {"retry_seconds": 600.0}})
        assert web.asked == []
    assert {row.outcome for row in rows} == {Outcome.FAILED}
    assert len(rows) == 3
    assert all("address refused" in row.failure for row in rows)


def test_redirect_to_a_private_address_is_refused(tmp_path: Path) -> None:
    with ScriptedWeb({"/secret": page("secret")}) as inside:
        # A public server can only be played with connect_to: it tells of the inner one, then connect_to is taken away.
        target = f"http://{inside.address}/secret"
        with ScriptedWeb({f"{A}old": redirect(target), A: page("home")}) as web:
            asked = {"limits": {"pages": 1}, "network": {"connections": 1}}
            crawl_from([f"{A}old", A], tmp_path, web.address, asked)
        rows = by_url(crawl_from([f"{A}old", A], tmp_path, ""))
        assert inside.asked == []
    assert rows[f"{A}old"].outcome == Outcome.REDIRECT
    assert rows[target].outcome == Outcome.FAILED
    assert "address refused: 127.0.0.1" in rows[target].failure


def test_https_links_are_asked_for_in_plain_http_where_connect_to_has_no_tls(tmp_path: Path) -> None:
    options = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)
    web = PracticeWeb(seed=3, pages=100, options=options)
    seeds = [seed.replace("http://", "https://") for seed in web.seeds()]
    asked = {
        "seeds": {"urls": seeds},
        "limits": {"pages": 40},
        "network": {"connect_to_tls": False},
    }
    rows = crawl_practice_web(tmp_path / "plain", web, asked).rows
    pages = [row.url for row in rows if row.outcome == Outcome.PAGE]
    assert set(seeds) <= set(pages)
    assert len(pages) > 30
    record = read_response(tmp_path / "plain" / "warc", rows[0].warc_file, rows[0].warc_offset)
    assert record.url == rows[0].url in seeds  # archived as the https page that it stands for


def test_https_links_to_a_connect_to_without_tls_are_told_with_what_to_do(tmp_path: Path) -> None:
    with ScriptedWeb({"/": page("nobody reads this")}) as web:
        asked = {
            "seeds": {"urls": ["https://a.example/"]},
            "target": {"languages": ["th"]},
            "network": {"connect_to": web.address, "connect_seconds": 0.5},
            "readers": {"count": 0},
        }
        write_settings(tmp_path, asked)
        said = run_here("crawl", tmp_path, "--json")
    assert said.code == 0
    assert f"1 https link failed: {web.address}, which network.connect_to names, made no TLS connection." in said.err
    assert "network.connect_to_tls = false" in said.err
    (row,) = rows_of(tmp_path)
    assert row.failure in ("robots.txt: timeout: connect", "robots.txt: tls: handshake failed")


def test_pages_behind_tls_are_fetched_even_with_a_certificate_that_nobody_trusts(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("wrong.example").configure_cert(context)
    secure = "https://a.example/"
    with ScriptedWeb({secure: links("/thai"), "/thai": page(THAI)}, context) as web:
        rows = crawl_from([secure], tmp_path / "crawl", web.address)
    assert [(row.url, row.relevant) for row in rows] == [(secure, False), (f"{secure}thai", True)]


# Order


def test_focused_strategies_harvest_more(tmp_path: Path) -> None:
    timeless = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)
    web = PracticeWeb(seed=7, pages=1_200, options=timeless)
    rates = {}
    for name in ("bfs", "soft", "lswc"):
        asked = {"strategy": {"name": name}, "limits": {"pages": 300}, "network": {"connections": 4}}
        rates[name] = status_of(tmp_path / name, web, asked)["harvest_rate"]
    assert rates["lswc"] > rates["soft"] > rates["bfs"] > 0


def status_of(directory: Path, web: PracticeWeb, asked: dict[str, dict[str, object]]) -> dict[str, float]:
    crawl_practice_web(directory, web, asked)
    found = json.loads(printed_here("status", directory, "--json"))
    assert (found["pages"], found["finished"], found["reason"]) == (300, False, "pages")
    return dict(found)


def test_classic_identifier_judges_where_it_is_asked_for(tmp_path: Path) -> None:
    web = PracticeWeb(seed=1, pages=200)
    asked = {"judge": {"identifier": "classic"}, "strategy": {"name": "bfs"}, "limits": {"pages": 60}}
    rows = crawl_practice_web(tmp_path, web, asked).rows
    assert any(row.relevant and "n-grams fit" in row.why for row in rows)


# Pages about a nation


def test_crawl_for_pages_about_a_nation_follows_its_names(tmp_path: Path) -> None:
    about = page("<p>We went from Bangkok to Chiang Mai by train and had khao soi there.</p><a href=/more>more</a>")
    other = page("<p>We went from one town to another by train and had a cup of tea there.</p>")
    nation: dict[str, object] = {"nation": "TH", "languages": ["en"]}
    asked: dict[str, dict[str, object]] = {"target": {"languages": []}, "target.about": nation}
    with ScriptedWeb({A: links("/about", "/other", B), "/about": about, "/other": other, B: page(THAI)}) as web:
        rows = by_url(crawl_from([A], tmp_path, web.address, asked))
    assert rows[f"{A}about"].relevant
    assert "Bangkok, Chiang Mai" in rows[f"{A}about"].why
    assert not rows[f"{A}other"].relevant
    assert not rows[B].relevant


def test_crawl_for_a_nation_that_is_not_there_does_not_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="exonym nation make XQ"):
        crawl_from([A], tmp_path, "127.0.0.1:9", {"target.about": {"nation": "XQ"}})
