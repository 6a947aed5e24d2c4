"""The country of a server: by address, by domain, or unknown."""

import ipaddress
import re
import struct
from pathlib import Path

import publicsuffixlist
import pycountry
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ExonymError
from exonym.nations.country import UNKNOWN, Countries, Country, country_of_domain


@pytest.fixture(scope="module")
def countries() -> Countries:
    return Countries()


# Blocks that registries assigned long ago to holders who still have them.
@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("8.8.8.8", "US"),  # Google
        ("2001:4860:4860::8888", "US"),
        ("161.200.0.1", "TH"),  # Chulalongkorn University
        ("133.11.0.1", "JP"),  # University of Tokyo
        ("147.46.0.1", "KR"),  # Seoul National University
        ("140.112.0.1", "TW"),  # National Taiwan University
        ("166.111.0.1", "CN"),  # Tsinghua University
        ("130.208.0.1", "IS"),  # University of Iceland
        ("::ffff:161.200.0.1", "TH"),  # an IPv4 address inside an IPv6 one, in three ways
        ("2002:a1c8:1::", "TH"),
        ("64:ff9b::a1c8:1", "TH"),
        ("[2001:4860:4860::8888]", "US"),
    ],
)
def test_address_has_the_country_that_its_registry_says(countries: Countries, address: str, code: str) -> None:
    assert countries.country_of(address, "www.example.com") == Country(code, "registry")


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "10.1.2.3", "::1", "fe80::1%eth0", "224.0.0.1", "no address", "1"]
)
def test_where_the_address_says_nothing_the_domain_does(countries: Countries, address: str) -> None:
    assert countries.country_of(address, "www.example.co.th:8080") == Country("TH", "domain")


@pytest.mark.parametrize("server", ["", "www.example.com", "example.eu", "example.su", "127.0.0.1", "[::1]:80", "a.zz"])
def test_unknown_is_said_as_such(countries: Countries, server: str) -> None:
    assert countries.country_of("127.0.0.1", server) == UNKNOWN == Country("", "")


@pytest.mark.parametrize(
    ("domain", "code"),
    [
        *[("th", "TH"), ("uk", "GB"), ("za", "ZA"), ("ck", "CK"), ("ac", "SH")],
        *[("xn--o3cw4h", "TH"), ("xn--3e0b707e", "KR"), ("xn--mgberp4a5d4a87g", "SA"), ("xn--yfro4i67o", "SG")],
        *[("com", ""), ("asia", ""), ("", ""), ("TH", ""), ("xn--zckzah", "")],
    ],
)
def test_domain_belongs_to_a_country_or_to_none(domain: str, code: str) -> None:
    assert country_of_domain(domain) == code


def test_every_country_has_its_domain() -> None:
    # Territories whose domain was never delegated, or is shared with the whole of which they are part.
    without = {"BL", "BQ", "EH", "MF", "UM"}
    named = {country.alpha_2 for country in pycountry.countries}
    found = {code for one in named if (code := country_of_domain("uk" if one == "GB" else one.lower()))}
    assert found == named - without


def test_every_domain_in_a_script_of_its_own_has_the_country_that_the_list_says() -> None:
    text = Path(publicsuffixlist.PSLFILE).read_text(encoding="utf-8")
    said = re.findall(r"^// (xn--\S+) \(.*?: ([A-Z]{2})$", text, re.MULTILINE)
    assert len(said) > 50
    assert {domain: country_of_domain(domain) or "EU" for domain, _ in said} == dict(said)


@given(st.text() | st.ip_addresses().map(str), st.text())
def test_anything_has_a_country_or_none(address: str, server: str) -> None:
    found = Countries().country_of(address, server)
    assert (found == UNKNOWN) or (re.fullmatch("[A-Z]{2}", found.code) and found.source in ("registry", "domain"))


# A user's own database


def _text(value: str) -> bytes:
    return bytes([0x40 | len(value)]) + value.encode()


def _map(*pairs: tuple[str, bytes]) -> bytes:
    return bytes([0xE0 | len(pairs)]) + b"".join(_text(key) + value for key, value in pairs)


def _number(kind: int, value: int) -> bytes:
    size = {5: 2, 6: 4}[kind]
    return bytes([kind << 5 | size]) + value.to_bytes(size, "big")


def mmdb(network: str, record: bytes) -> bytes:
    """A database in MaxMind's format, version 2, that knows one IPv4 network: one node a bit, 24 bits a record."""
    block = ipaddress.IPv4Network(network)
    depth, empty = block.prefixlen, block.prefixlen
    tree = b""
    for place in range(depth):
        bit = int(block.network_address) >> (31 - place) & 1
        following = place + 1 if place + 1 < depth else depth + 16
        pair = (empty, following) if bit else (following, empty)
        tree += b"".join(struct.pack(">I", one)[1:] for one in pair)
    facts = _map(
        ("node_count", _number(6, depth)),
        ("record_size", _number(5, 24)),
        ("ip_version", _number(5, 4)),
        ("database_type", _text("Test")),
        ("languages", b"\x00\x04"),
        ("binary_format_major_version", _number(5, 2)),
        ("binary_format_minor_version", _number(5, 0)),
        ("build_epoch", b"\x01\x02\x01"),
        ("description", _map()),
    )
    return tree + bytes(16) + record + b"\xab\xcd\xefMaxMind.com" + facts


@pytest.mark.parametrize(
    "record",
    [
        _map(("country", _map(("iso_code", _text("LA"))))),
        _map(("registered_country", _map(("iso_code", _text("LA"))))),
        _map(("country", _text("LA"))),
        _map(("country_code", _text("LA"))),
    ],
)
def test_own_database_is_asked_in_place_of_the_registries(record: bytes, tmp_path: Path) -> None:
    pytest.importorskip("maxminddb")
    (tmp_path / "own.mmdb").write_bytes(mmdb("8.0.0.0/8", record))
    countries = Countries(tmp_path / "own.mmdb")
    assert countries.country_of("8.8.8.8", "a.th") == Country("LA", "mmdb")
    assert countries.country_of("161.200.0.1", "a.kh") == Country("KH", "domain")
    assert countries.country_of("2001:4860:4860::8888", "") == UNKNOWN


@pytest.mark.parametrize("record", [_text("LA"), _map(("country", _map())), _map(("country", _text("Laos"))), b"\xff"])
def test_record_that_names_no_country_is_unknown(record: bytes, tmp_path: Path) -> None:
    pytest.importorskip("maxminddb")
    (tmp_path / "own.mmdb").write_bytes(mmdb("8.0.0.0/8", record))
    assert Countries(tmp_path / "own.mmdb").country_of("8.8.8.8", "") == UNKNOWN


def test_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("maxminddb")
    (tmp_path / "bad").write_bytes(b"no database at all")
    for path, said in ((tmp_path / "bad", "is no MMDB"), (tmp_path / "missing", "cannot be read"), (tmp_path, "MMDB")):
        with pytest.raises(ExonymError, match=said):
            Countries(path)
