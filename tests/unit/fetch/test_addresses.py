"""Which addresses are public, and looking names up without waiting."""

import ipaddress
import select
import socket
import threading
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.fetch import Fetcher, FetchOptions, Resolution, Resolver, ResolverOptions, is_public
from exonym.fetch.addresses import HostLookup, literal_address, looked_up

PUBLIC = [
    "8.8.8.8",
    "203.150.1.1",
    "1.1.1.1",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "2002:808:808::1",
    "64:ff9b::808:808",
]
REFUSED = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
    "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "fc00::1",
    "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "4000::1",
    "", "localhost", "1.2.3", "127.1", "0x7f.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", REFUSED)
def test_private_reserved_or_malformed_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_ipv4_inside_ipv6_is_as_public_as_itself(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    expected = is_public(str(address))
    assert is_public(f"::ffff:{address}") == expected
    assert is_public(str(ipaddress.IPv6Address((0x2002 << 112) | (number << 80) | 1))) == expected
    assert is_public(str(ipaddress.IPv6Address((0x64FF9B << 96) | number))) == expected


@given(st.text(max_size=50))
def test_no_text_is_too_odd_to_be_refused(text: str) -> None:
    assert isinstance(is_public(text), bool)


def test_literal_addresses_are_told_from_names() -> None:
    assert literal_address("127.0.0.1") == "127.0.0.1"
    assert literal_address("[2001:DB8::1]") == "2001:db8::1"
    assert literal_address("a.example") is None


class NameServer:
    """A look-up under the test's control: names are answered once the gate is open."""

    def __init__(self, names: dict[str, Sequence[str]]) -> None:
        self.names = names
        self.asked: list[str] = []
        self.gate = threading.Event()

    def lookup(self, host: str) -> Sequence[str]:
        self.gate.wait()
        self.asked.append(host)
        if host not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return self.names[host]


@pytest.fixture
def names() -> Iterator[NameServer]:
    server = NameServer({"a.example": ["8.8.8.8", "8.8.4.4", "8.8.8.8"], "inner.example": ["10.0.0.1", "1.1.1.1"]})
    yield server
    server.gate.set()


def resolver_over(lookup: HostLookup, **options: float) -> Resolver:
    return Resolver(ResolverOptions(**options), lookup)  # type: ignore[arg-type]


def answered(resolver: Resolver, now: float, names: int = 1) -> list[Resolution]:
    answers: list[Resolution] = []
    while len(answers) < names:
        select.select([resolver], [], [])
        answers += resolver.collect(now)
    return answers


def test_name_is_pending_until_its_answer_is_collected(names: NameServer) -> None:
    resolver = resolver_over(names.lookup)
    assert resolver.resolve("a.example", 0.0) is None
    assert resolver.resolve("a.example", 0.0) is None
    assert resolver.collect(0.0) == []
    names.gate.set()
    expected = Resolution("a.example", ("8.8.8.8", "8.8.4.4"))
    assert answered(resolver, 0.0) == [expected]
    assert resolver.resolve("a.example", 1.0) == expected
    assert names.asked == ["a.example"]
    resolver.close()


def test_answer_is_looked_up_again_when_it_has_expired(names: NameServer) -> None:
    names.gate.set()
    resolver = resolver_over(names.lookup, kept_seconds=100.0, failure_seconds=10.0)
    for host in ("a.example", "missing.example"):
        resolver.resolve(host, 0.0)
    answered(resolver, 5.0, names=2)
    missing = resolver.resolve("missing.example", 14.9)
    assert missing == Resolution("missing.example", failure="dns: no such host")
    assert resolver.resolve("missing.example", 15.0) is None
    assert resolver.resolve("a.example", 104.9) is not None
    assert resolver.resolve("a.example", 105.0) is None
    answered(resolver, 105.0, names=2)
    assert sorted(names.asked) == ["a.example", "a.example", "missing.example", "missing.example"]
    resolver.close()


def test_memory_is_bounded_and_the_oldest_answer_goes_first(names: NameServer) -> None:
    names.gate.set()
    resolver = resolver_over(names.lookup, kept_hosts=2, threads=1)
    for host in ("a.example", "b.example", "c.example"):
        resolver.resolve(host, 0.0)
        answered(resolver, 0.0)
    assert resolver.resolve("c.example", 0.0) is not None
    assert resolver.resolve("b.example", 0.0) is not None
    assert resolver.resolve("a.example", 0.0) is None
    resolver.close()


def test_literal_address_needs_no_look_up(names: NameServer) -> None:
    resolver = resolver_over(names.lookup)
    assert resolver.resolve("127.0.0.1", 0.0) == Resolution("127.0.0.1", ("127.0.0.1",))
    assert resolver.resolve("[::1]", 0.0) == Resolution("[::1]", ("::1",))
    assert names.asked == []
    resolver.close()


def test_fetcher_wakes_up_when_an_answer_comes(names: NameServer) -> None:
    resolver = resolver_over(names.lookup)
    fetcher = Fetcher(FetchOptions("Exonym"))
    fetcher.watch(resolver.fileno())
    resolver.resolve("a.example", 0.0)
    assert (fetcher.poll(0.0), fetcher.ready) == ([], set())
    names.gate.set()
    assert (fetcher.poll(60.0), fetcher.ready) == ([], {resolver.fileno()})
    assert len(resolver.collect(0.0)) == 1
    assert (fetcher.poll(0.0), fetcher.ready) == ([], set())
    fetcher.unwatch(resolver.fileno())
    fetcher.close()
    resolver.close()


def test_resolver_may_be_closed_while_a_look_up_is_stuck(names: NameServer) -> None:
    resolver = resolver_over(names.lookup)
    resolver.resolve("a.example", 0.0)
    resolver.close()


def test_private_addresses_of_a_name_are_passed_over(names: NameServer) -> None:
    names.gate.set()
    mixed = looked_up("inner.example", names.lookup)
    assert (mixed.chosen(), mixed.chosen(allow_private=True)) == ("1.1.1.1", "10.0.0.1")
    inner = Resolution("x.example", ("10.0.0.1",))
    assert (inner.chosen(), inner.refusal) == (None, "address refused: 10.0.0.1")
    missing = looked_up("missing.example", names.lookup)
    assert (missing.chosen(), missing.refusal) == (None, "dns: no such host")


def test_ipv4_comes_before_ipv6() -> None:
    assert looked_up("a.example", lambda _: ["2001:db8::1", "8.8.8.8"]).addresses == ("8.8.8.8", "2001:db8::1")


def test_name_server_out_of_reach_is_not_a_missing_name() -> None:
    def lookup(host: str) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    assert looked_up("a.example", lookup).failure == "dns: no answer"


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", "a" * 3_000])
def test_impossible_names_have_no_address(host: str) -> None:
    assert looked_up(host).failure.startswith("dns: ")


def test_localhost_is_known_to_the_system() -> None:
    assert not any(map(is_public, looked_up("localhost").addresses))
    assert looked_up("localhost").addresses
