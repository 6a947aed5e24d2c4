"""Worker processes with well-behaved and with hostile pages, and with death from outside."""

import os
import select
import signal
import sys
from dataclasses import replace

import numpy as np
import pytest

from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.judges.by_name import make_judge
from exonym.readers.page import Job, JudgedPage, packed, read_page, unpacked
from exonym.readers.pool import ReaderPool, ReaderPoolOptions
from exonym.urls import SESSION_PARAMETERS, id_of

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
THAI = {"kind": "language", "languages": ["th"]}
MISBEHAVING = "exonym.testing.judges:make_misbehaving_judge"
OPTIONS = ReaderPoolOptions(count=2, cpu_seconds=60, memory_bytes=300 * 1024 * 1024, wall_seconds=3_600)


def _job(key: int, title: str = "", body: str = "") -> Job:
    body = body or "ประเทศไทยมีกรุงเทพมหานคร"
    html = f"<title>{title or key}</title><p>{body} <a href='/to/{key}'>next {key}</a>"
    return Job(key, f"http://www.example.org/{key}", HEAD, html.encode())


def _collected(workers: ReaderPool, pages: int) -> list[JudgedPage]:
    """The `pages` that were submitted, as a driver's loop would get them."""
    readings: list[JudgedPage] = []
    while len(readings) < pages:
        if workers.fds():
            select.select(workers.fds(), [], [])
        readings += workers.collect()
    return readings


@pytest.fixture
def workers():  # type: ignore[no-untyped-def]
    made = ReaderPool(OPTIONS, THAI, Wants(), MISBEHAVING)
    yield made
    made.close()


def test_readings_carry_the_page_and_its_links_as_columns() -> None:
    reading = read_page(_job(7), make_judge(THAI), Wants())
    assert (reading.key, reading.title, reading.language, reading.relevant) == (7, "7", "th", True)
    assert reading.text == ["http://www.example.org/to/7"]
    assert reading.anchor == ["next 7"]
    assert reading.around == ["ประเทศไทยมีกรุงเทพมหานคร"]
    assert reading.place == ["html/body/p/a"]
    assert reading.url.tolist() == [id_of("http://www.example.org/to/7")]
    assert reading.server.tolist() == [id_of("www.example.org")]
    assert reading.segment.tolist() == [id_of("http://www.example.org/to/")]


def test_columns_that_nobody_wants_are_absent() -> None:
    reading = read_page(_job(7), make_judge(THAI), Wants(around=False, place=False, anchor=False))
    assert (reading.anchor, reading.around, reading.place) == (None, None, None)
    assert reading.text == ["http://www.example.org/to/7"]


@pytest.mark.parametrize("line", [b"X-Robots-Tag: nofollow", b"x-robots-tag: exonym: noindex, none"])
def test_server_can_ask_not_to_be_followed(line: bytes) -> None:
    job = _job(1)
    asked = Job(1, job.url, HEAD.replace(b"\r\n\r\n", b"\r\n" + line + b"\r\n\r\n"), job.body)
    reading = read_page(asked, make_judge(THAI), Wants())
    assert (reading.nofollow, reading.text, len(reading.url)) == (True, [], 0)


def test_wishes_for_another_robot_are_not_ours() -> None:
    job = _job(1)
    head = HEAD.replace(b"\r\n\r\n", b"\r\nX-Robots-Tag: googlebot: nofollow\r\n\r\n")
    assert read_page(Job(1, job.url, head, job.body), make_judge(THAI), Wants()).text


@pytest.mark.parametrize(
    ("head", "is_read"),
    [(b"Content-Type: image/png", False), (b"Content-Type: application/xhtml+xml", True), (b"Server: x", True)],
)
def test_only_html_is_parsed(head: bytes, is_read: bool) -> None:
    job = Job(1, "http://a.example/", b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n", _job(1).body)
    assert bool(read_page(job, make_judge(THAI), Wants()).text) == is_read


@pytest.mark.parametrize(
    "body", ["<a href='/a?b'> </a><a href='/c'>c</a>", "no link at all", "<meta name=robots content=none>"]
)
@pytest.mark.parametrize("wants", [Wants(), Wants(around=False, place=False, anchor=False)])
def test_readings_survive_the_pipe(body: str, wants: Wants) -> None:
    page = Job(7, "http://www.example.org/", HEAD, body.encode())
    reading = read_page(page, make_judge(THAI), wants)
    copy = unpacked(packed(reading))
    for name in JudgedPage.__dataclass_fields__:
        assert np.array_equal(getattr(copy, name), getattr(reading, name)), name


def test_no_workers_means_reading_in_this_process() -> None:
    workers = ReaderPool(ReaderPoolOptions(count=0), THAI, Wants())
    workers.submit([_job(1), _job(2)])
    assert workers.fds() == []
    assert [reading.key for reading in workers.collect()] == [1, 2]
    assert workers.collect() == []


def test_answers_come_in_the_order_of_submission(workers: ReaderPool) -> None:
    long = "ก" * 400_000  # three bytes each: a message too long for the socket, and slow to read
    workers.submit([_job(key, body=long if key % 7 == 0 else "") for key in range(60)])
    readings = _collected(workers, 60)
    assert [reading.key for reading in readings] == list(range(60))
    assert all(reading.relevant and not reading.failure for reading in readings)
    assert readings[7].text_length == 400_000 + len(" next 7")


def test_page_with_very_many_links_comes_back_whole(workers: ReaderPool) -> None:
    body = "".join(f"<a href='/directory/page-{number}.html'>some words {number}</a> " for number in range(9_000))
    workers.submit([_job(1, body=body)])
    (reading,) = _collected(workers, 1)
    assert len(reading.text) == len(reading.url) == 9_001


def test_workers_drop_the_session_parameters_of_the_crawl() -> None:
    workers = ReaderPool(ReaderPoolOptions(count=1), THAI, Wants(session_parameters=SESSION_PARAMETERS | {"visit"}))
    workers.submit([_job(1, body="<a href='/x?visit=1&a=b'>x</a>")])
    try:
        (reading,) = _collected(workers, 1)
    finally:
        workers.close()
    assert reading.text == ["http://www.example.org/x?a=b", "http://www.example.org/to/1"]


def test_page_that_burns_cpu_costs_itself_only() -> None:
    workers = ReaderPool(replace(OPTIONS, cpu_seconds=1), THAI, Wants(), MISBEHAVING)
    workers.submit([_job(0), _job(1, "burn CPU"), *(_job(key) for key in range(2, 20))])
    try:
        readings = _collected(workers, 20)
    finally:
        workers.close()
    assert [reading.key for reading in readings] == list(range(20))
    assert {reading.key: reading.failure for reading in readings if reading.failure} == {
        1: "reader: killed after 1 s of CPU"
    }


def test_page_that_eats_memory_costs_itself_only(workers: ReaderPool) -> None:
    workers.submit([_job(0), _job(1, "eat memory"), *(_job(key) for key in range(2, 20))])
    readings = _collected(workers, 20)
    assert [reading.key for reading in readings] == list(range(20))
    assert {reading.key: reading.failure for reading in readings if reading.failure} == {1: "reader: out of memory"}


def test_page_that_kills_its_worker_is_tried_twice_and_given_up(workers: ReaderPool) -> None:
    workers.submit([_job(0), _job(1, "die"), *(_job(key) for key in range(2, 20))])
    readings = _collected(workers, 20)
    assert [reading.key for reading in readings] == list(range(20))
    assert {reading.key: reading.failure for reading in readings if reading.failure} == {
        1: "reader: crashed twice (signal 9)"
    }


def test_defect_in_a_judge_is_the_page_s_failure(workers: ReaderPool) -> None:
    workers.submit([_job(1, "raise"), _job(2)])
    first, second = _collected(workers, 2)
    assert (first.failure, second.failure) == ("reader: RuntimeError: as asked", "")


def test_page_that_hangs_is_ended_by_the_check(workers: ReaderPool) -> None:
    workers.submit([_job(0), _job(1, "hang"), _job(2), _job(3)])
    readings: list[JudgedPage] = []
    now = 0.0
    while len(readings) < 4:
        select.select(workers.fds(), [], [], 1)
        readings += workers.collect()
        if len(readings) == 1:  # page 0 is back, page 1 hangs: let time pass
            workers.check(now)
            now += 3_601
    assert [reading.key for reading in readings] == [0, 1, 2, 3]
    assert [reading.failure for reading in readings if reading.failure] == ["reader: killed after 3600 s"]


def test_workers_killed_from_outside_lose_nothing(workers: ReaderPool) -> None:
    workers.submit([_job(key) for key in range(300)])
    readings: list[JudgedPage] = []
    while len(readings) < 300:
        select.select(workers.fds(), [], [])
        before = len(readings)
        readings += workers.collect()
        if before // 60 != len(readings) // 60:  # five times or so
            os.kill(workers.processes()[0], signal.SIGKILL)
    assert [reading.key for reading in readings] == list(range(300))
    assert not [reading.failure for reading in readings if reading.failure]


@pytest.mark.parametrize("tag", ["b", "div", "a href=x", "table><tr><td"])
def test_deep_nesting_is_harmless(workers: ReaderPool, tag: str) -> None:
    workers.submit([_job(1, body=f"<{tag}>" * 100_000), _job(2)])
    assert [reading.failure for reading in _collected(workers, 2)] == ["", ""]


def test_page_that_unfolds_in_the_parser_costs_itself_only(workers: ReaderPool) -> None:
    # Every paragraph opens all unclosed, different formatting elements anew: 3,000 times 3,000 elements.
    evil = "".join(f"<b a{number}>" for number in range(3_000)) + "<p>x" * 3_000
    workers.submit([_job(1, body=evil), _job(2)])
    evil_reading, other = _collected(workers, 2)
    assert not other.failure
    assert evil_reading.key == 1


@pytest.mark.parametrize("count", [0, 2])
def test_pages_submitted_after_a_change_of_judge_are_judged_by_the_new_one(count: int) -> None:
    workers = ReaderPool(ReaderPoolOptions(count=count), THAI, Wants())
    try:
        workers.submit([_job(key) for key in range(20)])
        before = _collected(workers, 20)
        workers.change_judge({"kind": "language", "languages": ["ja"]})
        workers.submit([_job(key) for key in range(20, 40)])
        after = _collected(workers, 20)
    finally:
        workers.close()
    assert [reading.key for reading in before + after] == list(range(40))
    assert {reading.relevant for reading in before} == {True}
    assert {reading.relevant for reading in after} == {False}


def test_change_of_judge_loses_no_page_in_hand(workers: ReaderPool) -> None:
    workers.submit([_job(key) for key in range(50)])
    workers.change_judge({"kind": "language", "languages": ["ja"]})
    readings = _collected(workers, 50)
    assert [reading.key for reading in readings] == list(range(50))
    assert not any(reading.failure for reading in readings)


def test_replaced_worker_is_seen_as_another(workers: ReaderPool) -> None:
    workers.submit([_job(1)])
    _collected(workers, 1)
    before = workers.fds()
    workers.change_judge(THAI)
    assert all(now != then for now, then in zip(workers.fds(), before, strict=True))


def test_wrong_judge_settings_are_told() -> None:
    workers = ReaderPool(OPTIONS, {"kind": "nose"}, Wants())
    workers.submit([_job(1)])
    try:
        with pytest.raises(ExonymError, match=r"judge\.kind must be"):
            _collected(workers, 1)
    finally:
        workers.close()


def test_workers_that_die_at_the_start_are_told_not_tried_for_ever() -> None:
    workers = ReaderPool(OPTIONS, {"fail_at_start": True}, Wants(), MISBEHAVING)
    workers.submit([_job(1)])
    try:
        with pytest.raises(ExonymError, match="as asked, at the start"):
            _collected(workers, 1)
    finally:
        workers.close()


def test_workers_end_when_their_driver_is_gone() -> None:
    script = (
        "import os, select, signal\n"
        "from exonym.readers.pool import ReaderPool, ReaderPoolOptions\n"
        "from exonym.extract.document import Wants\n"
        "workers = ReaderPool(ReaderPoolOptions(count=1), {'kind': 'language', 'languages': ['th']}, Wants())\n"
        "select.select(workers.fds(), [], [])\n"
        "print(workers.processes()[0], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    read_end, write_end = os.pipe()
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", script],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, write_end, 1)],
    )
    os.close(write_end)
    with open(read_end) as said:
        worker = int(said.readline())
    os.waitpid(pid, 0)
    handle = os.pidfd_open(worker) if os.path.exists(f"/proc/{worker}") else None
    if handle is not None:  # readable once the process has ended
        select.select([handle], [], [])
        os.close(handle)
