"""`exonym identify country` as users run it."""

import json
from functools import partial
from pathlib import Path

import pytest
from commands import run_here

run = partial(run_here, "identify", "country")


@pytest.mark.parametrize(
    ("given", "country", "source"),
    [
        ("161.200.0.1", "TH", "registry"),  # Chulalongkorn University
        ("2001:4860:4860::8888", "US", "registry"),
        ("http://161.200.0.1:8080/page", "TH", "registry"),
        ("[2001:4860:4860::8888]:81", "US", "registry"),
        ("www.Example.co.TH", "TH", "domain"),
        ("https://ตัวอย่าง.ไทย/หน้า?q=1", "TH", "domain"),
        ("example.org:8080", None, None),
        ("127.0.0.1", None, None),
        ("localhost", None, None),
    ],
)
def test_country_is_told_with_what_says_so(given: str, country: str | None, source: str | None) -> None:
    code, output, _ = run(given, "--json")
    (server,) = json.loads(output)["servers"]
    assert code == 0
    assert (server["given"], server["country"], server["source"]) == (given, country, source)


def test_table_has_a_line_for_each_server() -> None:
    code, output, _ = run("161.200.0.1", "a.jp", "a.com")
    assert code == 0
    assert [line.split(maxsplit=2) for line in output.splitlines()] == [
        ["161.200.0.1", "TH", "by address (registry)"],
        ["a.jp", "JP", "by domain"],
        ["a.com", "-", "unknown"],
    ]


def test_host_is_looked_up_when_asked_for() -> None:
    # The one name that every machine knows; loopback belongs to no country.
    (server,) = json.loads(run("localhost", "--resolve", "--json")[1])["servers"]
    assert server["address"] in ("127.0.0.1", "::1")
    assert server["how"] == "unknown"


def test_host_that_nobody_knows_goes_by_its_domain() -> None:
    (server,) = json.loads(run("no-such-host.invalid", "--resolve", "--json")[1])["servers"]
    assert (server["address"], server["country"]) == (None, None)


@pytest.mark.parametrize("given", ["", " ", "a b", "http://", "ftp://example.org/", "\x1b[31m"])
def test_what_is_no_server_is_told_in_one_line(given: str) -> None:
    code, output, said = run(given)
    assert (code, output) == (2, "")
    assert said.startswith("exonym: ")
    assert len(said.splitlines()) == 1
    assert "\x1b" not in said


def test_database_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("maxminddb")
    (tmp_path / "no.mmdb").write_bytes(b"nothing")
    for name in ("no.mmdb", "missing.mmdb"):
        code, _, said = run("161.200.0.1", "--mmdb", tmp_path / name)
        assert code == 2
        assert len(said.splitlines()) == 1
