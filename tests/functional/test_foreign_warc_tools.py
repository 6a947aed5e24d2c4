"""Other people's tools read our archive: warcio, fastwarc, cdxj-indexer, pywb, gzip.

They are outside programs in a virtual environment of their own (`make .venv-tools/installed`), because some
have licences that ours must not depend on. EXONYM_TOOLS names another place for them.
"""

import gzip
import http.client
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from ports import reserved_port

from exonym.archive import ArchiveOptions, Exchange, Original, Originals, WarcWriter
from exonym.store import Store

TOOLS = Path(os.environ.get("EXONYM_TOOLS") or Path(__file__).parents[2] / ".venv-tools")
NOON = 1_794_744_000.0  # 2026-11-15T12:00:00Z, a Sunday
THAI = ("<html><head><title>หน้าแรก</title></head><body>" + "<p>สวัสดีชาวโลก</p>" * 60 + "</body></html>").encode()
PLAIN = b"<html><body>" + b"<p>The tides of the gulf</p>" * 40 + b"</body></html>"


def head(status: str, *lines: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()


def chunked(body: bytes) -> bytes:
    cut = len(body) // 3
    parts = [body[:cut], body[cut:], b""]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)


def exchange(path: str, response_head: bytes, body: bytes, truncated: str = "") -> Exchange:
    request = f"GET {path} HTTP/1.1\r\nHost: www.example.com\r\nUser-Agent: Exonym\r\n\r\n".encode()
    second = len(EXCHANGES_BY_PATH)
    metadata = {"fetchTimeMs": "12", "score": "0.5", "why": "ไทย 83 %", "via": "http://www.example.com/"}
    made = Exchange(
        f"http://www.example.com{path}",
        NOON + second,
        "192.0.2.7",
        request,
        response_head,
        body,
        truncated,
        metadata,
    )
    EXCHANGES_BY_PATH[path] = made
    return made


HTML = "Content-Type: text/html; charset=utf-8"
EXCHANGES_BY_PATH: dict[str, Exchange] = {}
EXCHANGES = [
    exchange("/thai.html", head("200 OK", HTML, f"Content-Length: {len(THAI)}"), THAI),
    exchange("/chunked.html", head("200 OK", HTML, "Transfer-Encoding: chunked"), chunked(PLAIN)),
    exchange("/gzip.html", head("200 OK", HTML, "Content-Encoding: gzip"), gzip.compress(PLAIN, mtime=0)),
    exchange(
        "/both.html",
        head("200 OK", HTML, "Content-Encoding: gzip", "Transfer-Encoding: chunked"),
        chunked(gzip.compress(THAI, mtime=0)),
    ),
    exchange("/cut.html", head("200 OK", HTML, "Content-Length: 90000"), PLAIN, "length"),
    exchange("/copy.html", head("200 OK", HTML, f"Content-Length: {len(THAI)}"), THAI),
    exchange("/old.html", head("301 Moved Permanently", "Location: /thai.html", "Content-Length: 0"), b""),
    exchange("/none.html", head("404 Not Found", HTML, "Content-Length: 9"), b"not found"),
    exchange("/line-feeds.html", b"HTTP/1.1 200 OK\nContent-Type: text/html\nX-Odd\n\n", PLAIN),
    exchange("/no-end.html", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", PLAIN[:600]),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WARC file with every kind of record that a crawl makes."""
    directory = tmp_path_factory.mktemp("crawl")
    with Store.open(directory / "state") as store:
        originals = Originals(store)
        with WarcWriter(
            directory / "warc", ArchiveOptions(operator="https://example.org/"), None, originals.find
        ) as warc:
            for one in EXCHANGES:
                place = warc.write(one)
                if place.is_original:
                    originals.add(place.digest, Original(one.url, one.started_epoch_seconds))
            return directory / "warc" / warc.position.file


def tool(name: str) -> str:
    """The path of an outside program; a test without it is a failure, not a pass."""
    path = TOOLS / "bin" / name
    if not path.exists():
        pytest.fail(f"{path} is missing. Run `make .venv-tools/installed`, or let EXONYM_TOOLS name where it is.")
    return str(path)


def run(*command: str, cwd: Path | None = None) -> str:
    outcome = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


def records_of(archive: Path) -> list[dict[str, str]]:
    """Every record as warcio indexes it."""
    printed = run(tool("warcio"), "index", "-f", "warc-type,warc-record-id,http:status", str(archive))
    return [json.loads(line) for line in printed.splitlines()]


def test_gzip_finds_every_member_whole(archive: Path) -> None:
    run("gzip", "-t", str(archive))


def test_warcio_verifies_every_digest(archive: Path) -> None:
    printed = run(tool("warcio"), "check", "-v", str(archive))
    assert printed.count("digest pass") == len(EXCHANGES) - 1  # all but the revisit
    assert printed.count("digest present but not checked (revisit)") == 1


def test_fastwarc_verifies_every_digest(archive: Path) -> None:
    run(tool("fastwarc"), "check", str(archive))
    command = [tool("fastwarc"), "check", "--verify-payloads", "--quiet", "--output", "-", str(archive)]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    (revisit,) = [line for line in records_of(archive) if line["warc-type"] == "revisit"]
    # It looks for the payload of a revisit in the revisit itself, where by definition there is none.
    failed = [line.partition(": ")[0] for line in printed.splitlines() if "FAIL" in line]
    assert failed == [revisit["warc-record-id"]]
    assert printed.count("PAYLOAD_OK") == len(EXCHANGES) - 1


def test_warcio_indexes_every_record(archive: Path) -> None:
    records = records_of(archive)
    kinds = [record["warc-type"] for record in records]
    assert kinds[0] == "warcinfo"
    assert kinds.count("request") == kinds.count("metadata") == len(EXCHANGES)
    assert kinds.count("response") == len(EXCHANGES) - 1
    assert kinds.count("revisit") == 1
    assert {"200", "301", "404"} <= {record.get("http:status") for record in records}


def test_cdxj_indexer_lists_every_page(archive: Path) -> None:
    lines = run(tool("cdxj-indexer"), str(archive)).splitlines()
    found = {json.loads(line.split(" ", 2)[2])["url"]: line.split(" ", 2) for line in lines}
    assert set(found) == {one.url for one in EXCHANGES}
    key, moment, facts = found["http://www.example.com/none.html"]
    assert key == "com,example)/none.html"
    assert moment == "20261115120007"
    assert json.loads(facts)["status"] == "404"
    assert json.loads(found["http://www.example.com/copy.html"][2])["mime"] == "warc/revisit"


@contextmanager
def replaying(archive: Path, directory: Path) -> Iterator[int]:
    """pywb, replaying the archive on a loopback port."""
    run(tool("wb-manager"), "init", "crawl", cwd=directory)
    run(tool("wb-manager"), "add", "crawl", str(archive), cwd=directory)
    log = directory / "pywb.log"
    with reserved_port() as port, log.open("wb") as output:
        command = [tool("wayback"), "--bind", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, cwd=directory, stdout=output, stderr=output)
        try:
            wait_until_open(port, process, log)
            yield port
        finally:
            process.terminate()
            process.wait()


def wait_until_open(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    while process.poll() is None:
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 30):
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    pytest.fail(f"pywb did not start: {log.read_text()[-2000:]}")


def replayed(port: int, path: str) -> tuple[int, str, bytes]:
    """Status, Location and decoded body that pywb answers for the untouched capture (`id_`) of a page."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", f"/crawl/20261115120000id_/{EXCHANGES_BY_PATH[path].url}")
        response = connection.getresponse()
        body = response.read()
    if response.getheader("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    return response.status, response.getheader("Location") or "", body


def test_pywb_replays_what_was_archived(archive: Path, tmp_path: Path) -> None:
    expected = {
        "/thai.html": THAI,
        "/chunked.html": PLAIN,
        "/gzip.html": PLAIN,
        "/both.html": THAI,
        "/copy.html": THAI,  # a revisit: the payload comes from /thai.html
        "/line-feeds.html": PLAIN,
        "/no-end.html": PLAIN[:600],
    }
    with replaying(archive, tmp_path) as port:
        for path, body in expected.items():
            assert (path, *replayed(port, path)) == (path, 200, "", body)
        assert replayed(port, "/none.html") == (404, "", b"not found")
        status, location, _ = replayed(port, "/old.html")
        assert status == 301
        assert location.endswith("/thai.html")
