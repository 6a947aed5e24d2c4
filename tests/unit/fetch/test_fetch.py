"""Fetcher against a real server that sends what real servers send, and worse."""

import os
import socket
import threading
from collections.abc import Iterator

import pytest
from socket_server import Conversation, Script, SocketServer, ok, raw, untrusted

from exonym.fetch import Fetcher, FetchOptions, Request, Response
from exonym.fetch.transfer import last_head
from exonym.urls import normal_form

AGENT = "Exonym/1.0 (+https://example.org/crawl)"
URL = "http://a.example/x"
IMPOSSIBLE_NAME = "a" * 64 + ".example"  # no look-up of it leaves this machine


def all_of(fetcher: Fetcher, count: int) -> list[Response]:
    responses: list[Response] = []
    while len(responses) < count:
        responses += fetcher.poll(10.0)
    return responses


def fetched(options: FetchOptions, *requests: Request) -> list[Response]:
    fetcher = Fetcher(options)
    try:
        for request in requests:
            fetcher.start(request)
        return sorted(all_of(fetcher, len(requests)), key=lambda response: response.key)
    finally:
        fetcher.close()


def answer_to(script: Script, url: str = URL, **options: object) -> Response:
    with SocketServer(script) as server:
        settings = {"connect_to": server.address} | options
        return fetched(FetchOptions(AGENT, **settings), Request(1, url))[0]  # type: ignore[arg-type]


def test_reply_is_kept_byte_for_byte() -> None:
    head = b"HTTP/1.1 200 Fine  thanks\r\nX-odd:no space \r\ncontent-type:text/html\r\nContent-Length: 5\r\n\r\n"
    response = answer_to(raw(head + b"hello"))
    assert (response.status, response.head, response.body) == (200, head, b"hello")
    assert (response.truncated, response.failure, response.address) == ("", "", "127.0.0.1")


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "http://a.example:81/x?",
        "http://a.example/a/%E0%B8%81?q=1&r=%20;",
        "http://[2001:db8::1]:8080/|[]",
        "http://xn--12c1fe0br.xn--o3cw4h/",
        "http://under_score.example/a//b/...",
    ],
)
def test_request_head_is_what_the_server_received(url: str) -> None:
    assert normal_form(url) == url
    with SocketServer(raw(ok(b""))) as server:
        response = fetched(FetchOptions(AGENT, connect_to=server.address), Request(1, url))[0]
        assert server.requests == [response.request_head]
    assert f"User-Agent: {AGENT}\r\n".encode() in response.request_head
    assert b"Accept-Encoding: gzip, deflate\r\n" in response.request_head


def test_interim_replies_are_left_out_of_the_head() -> None:
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    response = answer_to(raw(interim + ok(b"z")))
    assert (response.status, response.head, response.body) == (200, ok(b"z")[:-1], b"z")


def test_http2_head_is_written_as_http1() -> None:
    lines = [b"HTTP/2 103 \r\n", b"\r\n", b"HTTP/2 200 \r\n", b"server: x\r\n", b"\r\n", b"trailer: y\r\n"]
    assert last_head(lines) == b"HTTP/1.1 200 \r\nserver: x\r\n\r\n"
    assert last_head([b"HTTP/1.1 200 OK\r\n", b"Server: x\r\n"]) == b""
    assert last_head([b"HTTP/1.1 100 C\r\n", b"\r\n", b"HTTP/1.1 200 OK\r\n"]) == b""
    assert last_head([]) == b""


def test_redirect_is_handed_back_and_not_followed() -> None:
    head = b"HTTP/1.1 302 Found\r\nLocation: http://b.example/\r\nContent-Length: 0\r\n\r\n"
    response = answer_to(raw(head))
    assert (response.status, response.location) == (302, "http://b.example/")


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_reply_without_body_is_complete(reply: bytes) -> None:
    response = answer_to(raw(reply))
    assert (response.status, response.head, response.body) == (int(reply[9:12]), reply, b"")
    assert (response.truncated, response.failure) == ("", "")


def test_chunks_are_left_in_the_body() -> None:
    chunks = b"2;name=value\r\nab\r\n0\r\nTrailer: x\r\n\r\n"
    response = answer_to(raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks))
    assert (response.body, response.truncated) == (chunks, "")


def test_gzip_is_left_in_the_body() -> None:
    response = answer_to(raw(ok(b"\x1f\x8b not decoded", "Content-Encoding: gzip")))
    assert response.body == b"\x1f\x8b not decoded"


def test_body_without_length_ends_with_the_connection() -> None:
    response = answer_to(raw(b"HTTP/1.0 200 OK\nX: lines end bare\n\nabc", close=True))
    assert (response.head, response.body) == (b"HTTP/1.0 200 OK\nX: lines end bare\n\n", b"abc")
    assert response.truncated == ""


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nab",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nno number\r\n",
    ],
)
def test_body_cut_short_by_the_server_is_kept(reply: bytes) -> None:
    response = answer_to(raw(reply, close=True))
    assert response.status == 200
    assert response.body == reply.partition(b"\r\n\r\n")[2]
    assert response.truncated == "disconnect"


def test_body_before_a_reset_is_kept() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(ok(b"x" * 100)[:-97])
        arrived.wait()
        conversation.reset()

    arrived = threading.Event()

    def tell(_: str) -> bool:  # called when the first bytes of the body have come
        arrived.set()
        return True

    response = answer_to(script, wanted_type=tell)
    assert (response.status, response.body, response.truncated) == (200, b"xxx", "disconnect")


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (b"<html>no head at all", "protocol: HTTP/0.9"),
        (b"", "protocol: empty reply"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "protocol: head cut short"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n", "protocol: head cut short"),
        (b"HTTP/1.1 100 Continue\r\n\r\n", "protocol: empty reply"),
        (b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", "protocol: bad head"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde", "protocol: bad head"),
    ],
)
def test_reply_without_a_proper_head_is_a_failure(reply: bytes, failure: str) -> None:
    response = answer_to(raw(reply, close=True))
    assert (response.status, response.head, response.body) == (0, b"", b"")
    assert response.failure == failure


@pytest.mark.parametrize("flood", [b"X: " + b"y" * 1_000 + b"\r\n", b"y" * 10_000, b"\r\n\r\nHTTP/1.1 100 C\r\nA: b"])
def test_endless_head_is_a_failure(flood: bytes) -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(b"HTTP/1.1 100 Continue\r\nX: ")
        while conversation.send(flood):
            pass

    assert answer_to(script).failure == "protocol: head too large"


def test_endless_body_is_cut_at_the_limit() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while conversation.send(b"abc" * 10_000):
            pass

    response = answer_to(script, max_bytes=100_000)
    assert response.body == (b"abc" * 33_334)[:100_000]
    assert (response.truncated, response.failure) == ("length", "")


def test_body_of_exactly_the_limit_is_not_cut() -> None:
    response = answer_to(raw(ok(b"12345")), max_bytes=5)
    assert (response.body, response.truncated) == (b"12345", "")


def test_request_has_its_own_size_limit() -> None:
    with SocketServer(raw(ok(b"12345"))) as server:
        response = fetched(FetchOptions(AGENT, connect_to=server.address), Request(1, URL, max_bytes=3))[0]
    assert (response.body, response.truncated) == (b"123", "length")


def test_unwanted_type_is_cut_after_the_head() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: Image/PNG; x=y\r\nContent-Length: 4\r\n\r\n"
    asked: list[str] = []

    def wanted(media_type: str) -> bool:
        asked.append(media_type)
        return False

    with SocketServer(raw(head + b"\x89PNG")) as server:
        options = FetchOptions(AGENT, connect_to=server.address, wanted_type=wanted)
        cut, whole = fetched(options, Request(1, URL), Request(2, "http://b.example/", any_type=True))
    assert (cut.status, cut.head, cut.body, cut.truncated) == (200, head, b"", "type")
    assert (whole.body, whole.truncated) == (b"\x89PNG", "")
    assert asked == ["image/png"]


def test_body_that_stops_coming_is_kept_when_time_is_up() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(ok(b"x" * 100)[:-90])
        conversation.released.wait()

    response = answer_to(script, total_seconds=2.0)
    assert (response.status, response.body, response.truncated) == (200, b"x" * 10, "time")
    assert response.seconds >= 2.0


def test_body_that_drips_is_kept_when_too_slow() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(ok(b"x" * 100)[:-100])
        while not conversation.released.wait(0.2) and conversation.send(b"x"):
            pass

    response = answer_to(script, low_speed_bytes=1_000, low_speed_seconds=2)
    assert (response.status, response.truncated) == (200, "time")
    assert 0 < len(response.body) < 100


def test_no_head_in_time_is_a_failure() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(b"HTTP/1.1 200 OK\r\n")
        conversation.released.wait()

    assert answer_to(script, total_seconds=2.0).failure == "timeout: response"


def test_no_tls_handshake_in_time_is_a_failure() -> None:
    def script(conversation: Conversation) -> None:
        conversation.released.wait()

    assert answer_to(script, "https://a.example/", connect_seconds=2.0).failure == "timeout: connect"


def test_tls_with_a_server_that_speaks_none_is_a_failure() -> None:
    def script(conversation: Conversation) -> None:
        conversation.send(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        conversation.released.wait()

    assert answer_to(script, "https://a.example/").failure == "tls: handshake failed"


@pytest.mark.parametrize(("verify", "status", "failure"), [(False, 200, ""), (True, 0, "tls: certificate not trusted")])
def test_broken_certificates_are_accepted_unless_told_otherwise(verify: bool, status: int, failure: str) -> None:
    with SocketServer(raw(ok(b"secret")), untrusted()) as server:
        options = FetchOptions(AGENT, connect_to=server.address, verify_tls=verify, http2=True)
        response = fetched(options, Request(1, "https://a.example/"))[0]
    assert (response.status, response.failure) == (status, failure)


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as bound:  # bound but not listening: nobody else gets it
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def test_closed_port_is_a_failure(closed_port: int) -> None:
    options = FetchOptions(AGENT, connect_to=f"127.0.0.1:{closed_port}")
    assert fetched(options, Request(1, URL))[0].failure == "connect: refused"


@pytest.mark.parametrize(("url", "failure"), [("ftp://a.example/", "url: scheme"), ("http://a'b/", "url: malformed")])
def test_url_that_cannot_be_fetched_is_a_failure(url: str, failure: str) -> None:
    assert answer_to(raw(ok(b"")), url).failure == failure


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_loopback_is_refused_however_it_is_spelt(host: str) -> None:
    with SocketServer(raw(ok(b"secret"))) as server:
        for url in (f"http://{host}:{server.port}/", normal_form(f"http://{host}:{server.port}/")):
            response = fetched(FetchOptions(AGENT), Request(1, url))[0]
            assert response.failure.startswith("address refused: ")
        assert server.connections == 0


def test_pinned_private_address_is_refused() -> None:
    with SocketServer(raw(ok(b"secret"))) as server:
        request = Request(1, f"http://a.example:{server.port}/", address="127.0.0.1")
        assert fetched(FetchOptions(AGENT), request)[0].failure == "address refused: 127.0.0.1"
        assert server.connections == 0


def test_request_goes_to_its_pinned_address_without_look_up() -> None:
    with SocketServer(raw(ok(b"here"))) as server:
        url = f"http://{IMPOSSIBLE_NAME}:{server.port}/"
        options = FetchOptions(AGENT, allow_private=True)
        pinned, unpinned = fetched(options, Request(1, url, address="127.0.0.1"), Request(2, url))
    assert (pinned.body, pinned.address) == (b"here", "127.0.0.1")
    assert unpinned.failure == "dns: no such host"
    assert server.requests == [pinned.request_head]


def test_pin_of_one_request_does_not_stick_to_the_next() -> None:
    fetcher = Fetcher(FetchOptions(AGENT, allow_private=True, connections=1))
    with SocketServer(raw(ok(b"4"))) as four, SocketServer(raw(ok(b"other"))) as other:
        fetcher.start(Request(1, f"http://a.example:{four.port}/", address="127.0.0.1"))
        assert all_of(fetcher, 1)[0].body == b"4"
        fetcher.start(Request(2, f"http://{IMPOSSIBLE_NAME}:{four.port}/"))
        assert all_of(fetcher, 1)[0].failure == "dns: no such host"
        fetcher.start(Request(3, f"http://127.0.0.1:{other.port}/"))
        assert all_of(fetcher, 1)[0].body == b"other"
        fetcher.close()


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_pinned_ipv6_address_is_used() -> None:
    with SocketServer(raw(ok(b"six")), host="::1") as server:
        request = Request(1, f"http://a.example:{server.port}/", address="::1")
        response = fetched(FetchOptions(AGENT, allow_private=True), request)[0]
    assert (response.body, response.address) == (b"six", "::1")


def test_environment_cannot_send_requests_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1/")
    monkeypatch.setenv("all_proxy", "http://127.0.0.1:1/")
    assert answer_to(raw(ok(b"direct"))).body == b"direct"


def test_connection_is_kept_for_the_next_request() -> None:
    with SocketServer(raw(ok(b"again"))) as server:
        fetcher = Fetcher(FetchOptions(AGENT, connect_to=server.address))
        for key in range(5):
            fetcher.start(Request(key, URL))
            assert all_of(fetcher, 1)[0].key == key
        assert (server.connections, len(server.requests)) == (1, 5)
        fetcher.close()


def test_descriptors_are_given_back() -> None:
    with SocketServer(raw(ok(b"x"), close=True)) as server:
        before = len(os.listdir("/proc/self/fd"))
        requests = [Request(key, f"http://127.0.0.1:{server.port}/{key}") for key in range(20)]
        responses = fetched(FetchOptions(AGENT, allow_private=True), *requests)
        assert [response.body for response in responses] == [b"x"] * 20
    assert len(os.listdir("/proc/self/fd")) <= before


def test_kept_connection_that_the_server_closed_is_opened_anew() -> None:
    with SocketServer(raw(ok(b"again"), close=True)) as server:
        fetcher = Fetcher(FetchOptions(AGENT, connect_to=server.address))
        for key in range(3):
            fetcher.start(Request(key, URL))
            assert all_of(fetcher, 1)[0].body == b"again"
        assert server.connections == 3
        fetcher.close()


def test_many_requests_are_on_their_way_at_once() -> None:
    everyone = threading.Barrier(20)  # nobody is answered before all twenty have asked

    def script(conversation: Conversation) -> None:
        while head := conversation.read_request():
            everyone.wait()
            conversation.send(ok(head.split(b" ", 2)[1]))

    with SocketServer(script) as server:
        requests = [Request(key, f"http://h{key}.example/{key}") for key in range(20)]
        responses = fetched(FetchOptions(AGENT, connections=20, connect_to=server.address), *requests)
    assert [response.body for response in responses] == [f"/{key}".encode() for key in range(20)]


def test_free_counts_connections_and_one_request_too_many_is_an_error() -> None:
    with SocketServer(raw(ok(b""))) as server:
        fetcher = Fetcher(FetchOptions(AGENT, connections=2, connect_to=server.address))
        fetcher.start(Request(1, URL))
        assert fetcher.free == 1
        fetcher.start(Request(2, URL))
        with pytest.raises(RuntimeError, match="poll first"):
            fetcher.start(Request(3, URL))
        all_of(fetcher, 2)
        assert fetcher.free == 2
        fetcher.close()


def test_poll_returns_when_a_watched_descriptor_is_readable() -> None:
    fetcher = Fetcher(FetchOptions(AGENT))
    reader, writer = os.pipe()
    fetcher.watch(reader)
    assert (fetcher.poll(0.0), fetcher.ready) == ([], set())
    os.write(writer, b"!")
    assert (fetcher.poll(60.0), fetcher.ready) == ([], {reader})
    fetcher.unwatch(reader)
    assert (fetcher.poll(0.0), fetcher.ready) == ([], set())
    fetcher.watch(reader)
    os.read(reader, 1)
    os.close(writer)  # a worker that dies
    assert (fetcher.poll(60.0), fetcher.ready) == ([], {reader})
    fetcher.unwatch(reader)
    os.close(reader)
    fetcher.close()


def test_descriptor_that_was_closed_is_forgotten_and_its_number_can_be_watched_again() -> None:
    fetcher = Fetcher(FetchOptions(AGENT))
    reader, writer = os.pipe()
    fetcher.watch(reader)
    os.close(reader)
    fetcher.unwatch(reader)  # raised, when a reader had died
    again, other = os.pipe()
    fetcher.watch(again)
    os.write(other, b"!")
    assert (fetcher.poll(60.0), fetcher.ready) == ([], {again})
    for descriptor in (writer, again, other):
        os.close(descriptor)
    fetcher.close()


def test_connection_may_have_the_number_of_a_watched_descriptor_that_was_closed() -> None:
    with SocketServer(raw(ok(b"page"))) as server:
        fetcher = Fetcher(FetchOptions(AGENT, connect_to=server.address, total_seconds=20.0))
        pipes = [os.pipe() for _ in range(4)]  # of readers that die before the driver has noticed
        for reader, writer in pipes:
            fetcher.watch(reader)
            os.close(reader)
            os.close(writer)
        fetcher.start(Request(1, URL))
        (response,) = all_of(fetcher, 1)
        fetcher.close()
    assert (response.status, response.failure) == (200, "")


def test_close_drops_what_is_on_its_way() -> None:
    def script(conversation: Conversation) -> None:
        conversation.read_request()
        asked.set()
        conversation.released.wait()

    asked = threading.Event()
    with SocketServer(script) as server:
        fetcher = Fetcher(FetchOptions(AGENT, connect_to=server.address))
        fetcher.start(Request(1, URL))
        while not asked.is_set():
            assert fetcher.poll(0.01) == []
        fetcher.close()
    assert fetcher.free == FetchOptions(AGENT).connections
