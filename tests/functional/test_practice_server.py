"""The practice server over real sockets, from outside its process."""

import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
import trustme

from exonym.errors import ExonymError
from exonym.practice import (
    PageKind,
    PracticeAddress,
    PracticeOptions,
    PracticeWeb,
    ServingOptions,
    running_practice_web,
)

WEB = PracticeWeb(1, 1500, PracticeOptions(slow_seconds=0.05))


@pytest.fixture(scope="module")
def address() -> Iterator[PracticeAddress]:
    with running_practice_web(WEB) as running:
        yield running


def get(connection: http.client.HTTPConnection, url: str) -> tuple[int, bytes]:
    _, _, host, path = url.split("/", 3)
    connection.request("GET", f"/{path}", headers={"Host": host})
    response = connection.getresponse()
    return response.status, response.read()


def connect(address: PracticeAddress) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(address)


def pages_of(kind: PageKind) -> list[int]:
    return [page for page in range(WEB.page_count) if WEB.page(page).kind == kind]


def test_served_bytes_are_the_webs_whatever_the_host(address: PracticeAddress) -> None:
    connection = connect(address)
    for page in pages_of(PageKind.PAGE)[::40]:
        expected = WEB.respond(WEB.url(page))
        if not expected.is_dead:
            assert get(connection, WEB.url(page)) == (expected.status, expected.body)
    connection.close()


def test_head_has_no_body_and_the_connection_goes_on(address: PracticeAddress) -> None:
    connection = connect(address)
    host = WEB.servers[0]
    connection.request("HEAD", "/", headers={"Host": host})
    assert connection.getresponse().read() == b""
    assert get(connection, WEB.seeds()[0])[0] == 200
    connection.close()


def test_pipelined_requests_are_answered_in_order(address: PracticeAddress) -> None:
    host, port = address.split(":")
    slow = next(s for s in WEB.servers if WEB.respond(f"http://{s}/").delay_seconds > 0)
    asked = [(slow, "/"), (WEB.servers[0], "/nothing-here"), (WEB.servers[1], "/robots.txt")]
    wire = "".join(f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n" for name, path in asked[:-1])
    wire += f"GET {asked[-1][1]} HTTP/1.1\r\nHost: {asked[-1][0]}\r\nConnection: close\r\n\r\n"
    with socket.create_connection((host, int(port))) as client:
        client.sendall(wire.encode())
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    statuses = [part[1:4] for part in received.split(b"HTTP/1.1")[1:]]
    assert statuses == [b"200", b"404", b"200"]


def test_dead_server_closes_without_an_answer(address: PracticeAddress) -> None:
    dead = next(name for name in WEB.servers if WEB.respond(f"http://{name}/").is_dead)
    with pytest.raises(http.client.RemoteDisconnected):
        get(connect(address), f"http://{dead}/")


def test_busy_page_recovers_by_count(address: PracticeAddress) -> None:
    url = WEB.url(pages_of(PageKind.BUSY)[0])
    address.reset()
    connection = connect(address)
    assert [get(connection, url)[0] for _ in range(2)] == [503, 200]
    address.reset()
    assert get(connection, url)[0] == 503
    connection.close()


def test_stats_count_urls_and_simultaneous_requests(address: PracticeAddress) -> None:
    slow = next(s for s in WEB.servers if WEB.respond(f"http://{s}/").delay_seconds > 0)
    address.reset()
    barrier = threading.Barrier(3)

    def ask() -> None:
        connection = connect(address)
        connection.connect()
        barrier.wait()
        get(connection, f"http://{slow}/")
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stats = address.stats()
    assert stats["urls"] == {f"http://{slow}/": 3}
    assert stats["hosts"][slow]["requests"] == 3
    assert stats["hosts"][slow]["most_at_once"] == 3
    assert 0 <= stats["hosts"][slow]["smallest_gap_seconds"] < 5


@pytest.mark.parametrize(
    ("wire", "status"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: a.th\r\n\r\n", b"405"),
        (b"GET / HTTP/1.1\r\nHost: a.th\r\nX: " + b"x" * 70_000, b"431"),
        (b"GET / HTTP/1.0\r\nHost: unknown.example\r\n\r\n", b"404"),
        (b"GET http://unknown.example/ HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n", b"404"),
    ],
)
def test_odd_requests_get_an_error_and_the_server_lives(address: PracticeAddress, wire: bytes, status: bytes) -> None:
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(wire)
        assert client.recv(100).split(b" ")[1] == status


def test_port_in_use_is_told(address: PracticeAddress) -> None:
    port = int(address.rpartition(":")[2])
    with pytest.raises(ExonymError, match="cannot listen"), running_practice_web(WEB, ServingOptions(port=port)):
        pass


def test_server_ends_when_its_parent_is_killed() -> None:
    program = (
        "import signal\n"
        "from exonym.practice import PracticeWeb, running_practice_web\n"
        "with running_practice_web(PracticeWeb(1, 200)) as address:\n"
        "    print(address, flush=True)\n"
        "    signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        host, port = parent.stdout.readline().decode().strip().split(":")
        with socket.create_connection((host, int(port))) as client:
            os.kill(parent.pid, signal.SIGKILL)
            assert client.recv(1) == b""  # the child hangs up as it ends


def test_serving_ends_cleanly_on_sigterm() -> None:
    program = (
        "from exonym.practice import PracticeWeb, serve\n"
        "serve(PracticeWeb(1, 200), ready=lambda bound: print(bound.port, flush=True))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert int(child.stdout.readline()) > 0
        child.send_signal(signal.SIGTERM)
        assert child.wait() == 0


def test_tls_is_served_on_a_second_port(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("tls")
    certificate, key = str(folder / "cert.pem"), str(folder / "key.pem")
    authority = trustme.CA()
    issued = authority.issue_cert("practice.example")
    issued.cert_chain_pems[0].write_to_path(certificate)
    issued.private_key_pem.write_to_path(key)
    web = PracticeWeb(1, 300, PracticeOptions(https=True, failures=False))
    secure = next(url for url in map(web.url, range(300)) if url.startswith("https://"))
    context = ssl.create_default_context()
    context.check_hostname = False
    authority.configure_trust(context)
    with running_practice_web(web, ServingOptions(certificate_file=certificate, key_file=key)) as address:
        connection = http.client.HTTPSConnection(address.tls_address, context=context)
        assert get(connection, secure) == (200, web.respond(secure).body)
        connection.close()
