"""URLs have one normal form, and what they belong to follows from it. Golden values here must never change."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exonym.errors import UrlError
from exonym.urls import (
    LONGEST_URL,
    SESSION_PARAMETERS,
    bare_url_of,
    host_of,
    id_of,
    normal_form,
    partition_of,
    path_of,
    segment_of,
    server_of,
    site_of,
    spellings_of,
    tidied,
    top_level_domain_of,
)

# Stored in every frontier, journal and archive: a change here makes old crawls fetch everything again.
NORMAL_FORMS = {
    # WHATWG: scheme and host in lower case, an empty path is "/", back slashes are slashes, tabs and ends are no text
    "HTTP://Example.ORG": "http://example.org/",
    "http://example.org?a=1": "http://example.org/?a=1",
    "http:\\\\example.org\\a": "http://example.org/a",
    "  http://example.org/a\tb\n": "http://example.org/ab",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://[0:0:0:0:0:0:0:1]/": "http://[::1]/",
    # the scheme's own port is left out, others are kept
    "http://example.org:80/": "http://example.org/",
    "https://example.org:443/": "https://example.org/",
    "http://example.org:443/": "http://example.org:443/",
    "http://example.org:8080/": "http://example.org:8080/",
    # the fragment goes, even an empty one
    "http://example.org/a#b": "http://example.org/a",
    "http://example.org/a?b#": "http://example.org/a?b",
    "http://example.org/?q=a#b#c": "http://example.org/?q=a",
    # dot segments, spelled out or escaped
    "http://example.org/a/./b/../c": "http://example.org/a/c",
    "http://example.org/../../a": "http://example.org/a",
    "http://example.org/a/%2E%2e/b": "http://example.org/b",
    "http://example.org/a/..": "http://example.org/",
    "http://example.org/.well-known/x": "http://example.org/.well-known/x",
    "http://example.org//a//b": "http://example.org//a//b",
    # escapes: capital letters; none for letters, digits and -._~; spaces and foreign letters get them
    "http://example.org/%c3%a9%2f": "http://example.org/%C3%A9%2F",
    "http://example.org/%7euser/%41%5a%2d": "http://example.org/~user/AZ-",
    "http://example.org/a b?c d": "http://example.org/a%20b?c%20d",
    "http://example.org/ก?q=ก": "http://example.org/%E0%B8%81?q=%E0%B8%81",
    "http://example.org/100%": "http://example.org/100%",
    "http://example.org/%2%65%%32e": "http://example.org/%2%65%%32e",  # decoded, these would be new escapes
    "http://example.org/%2541": "http://example.org/%2541",
    # IDNA
    "http://ไทย.ไทย/": "http://xn--o3cw4h.xn--o3cw4h/",
    "http://bücher.example/": "http://xn--bcher-kva.example/",
    "http://EXAMPLE。org/": "http://example.org/",
    # credentials go; an @ in the path stays
    "http://user:word@example.org/": "http://example.org/",
    "http://user@example.org:8080/a@b": "http://example.org:8080/a@b",
    "http://a%40b@example.org/": "http://example.org/",
    # so does the dot behind a host name; dots elsewhere stay
    "http://example.org./a": "http://example.org/a",
    "https://u:w@Example.ORG.:8443/a./b.:c": "https://example.org:8443/a./b.:c",
    "http://example.org/a./": "http://example.org/a./",
    "http://example.org../": "http://example.org../",
    # session ids go: in the query …
    "http://example.org/?PHPSESSID=1a&page=2": "http://example.org/?page=2",
    "http://example.org/?page=2&sid=9": "http://example.org/?page=2",
    "http://example.org/a?sid=9": "http://example.org/a",
    "http://example.org/?a=1&JSESSIONID=2&b=3": "http://example.org/?a=1&b=3",
    "http://example.org/?%73id=9&b=3": "http://example.org/?b=3",
    "http://example.org/?a=1;sid=2&b=3": "http://example.org/?a=1&b=3",
    "http://example.org/?sid=1;b=2": "http://example.org/?b=2",
    "http://example.org/?CFID=1&CFTOKEN=2": "http://example.org/",
    # … and in the path …
    "http://example.org/a;jsessionid=1A?b=2": "http://example.org/a?b=2",
    "http://example.org/a;JSESSIONID=1/b": "http://example.org/a/b",
    "http://example.org/a;v=1;sid=2/b": "http://example.org/a;v=1/b",
    # … but not what only looks like one
    "http://example.org/?side=1&president=2": "http://example.org/?side=1&president=2",
    "http://example.org/?q=sid&sid": "http://example.org/?q=sid&sid",
    "http://example.org/session?": "http://example.org/session?",
    "http://a;sid=1.example/": "http://a;sid=1.example/",
    "http://example.org/a?b=/x;v=1": "http://example.org/a?b=/x;v=1",
    # what a session id hid is resolved too
    "http://example.org/x/..;sid=1/b": "http://example.org/b",
    "http://example.org/x/.;jsessionid=1/b": "http://example.org/x/b",
    "http://example.org/x/%2e%2E;sid=1": "http://example.org/",
}
# xxh3-64 computed by a second implementation, written from the algorithm's description.
IDS = {
    "": 0x2D06800538D394C2,  # the value that xxHash itself publishes for no input
    "example.org": 0x4037554F7EBCBF45,
    "127.0.0.1:8080": 0xC344BD6061193C55,
    "www.example.co.th": 0x4C351FF98D54312B,
    "http://example.org/": 0xB73DC5B066F53581,
    "http://www.kpnews.org/travel/": 0x99832EC36EA046BD,
    "http://www.kpnews.org/travel/guide.html": 0xC3AF68FDC1C085A4,
    "https://xn--12c1fe0br.xn--o3cw4h/%E0%B8%81?page=2": 0x4EAEC337814A0FC6,
}
# The remainders of the ids of registered domains: 0x4037554F7EBCBF45 for example.org,
# 0x6D9029313FCCC33C for example.co.th, 0x9A071D171774168C for 127.0.0.1, by arithmetic.
PARTITIONS = {
    "example.org": {1: 0, 2: 1, 3: 2, 7: 4, 16: 5, 1000: 277},
    "www.example.org:8080": {1: 0, 2: 1, 3: 2, 7: 4, 16: 5, 1000: 277},
    "www.example.co.th": {1: 0, 2: 0, 3: 1, 7: 6, 16: 12, 1000: 740},
    "shop.example.co.th": {1: 0, 2: 0, 3: 1, 7: 6, 16: 12, 1000: 740},
    "127.0.0.1:8080": {1: 0, 2: 0, 3: 1, 7: 3, 16: 12, 1000: 964},
}


@pytest.mark.parametrize(("text", "url"), NORMAL_FORMS.items())
def test_normal_form_is_golden(text: str, url: str) -> None:
    assert normal_form(text) == url


@pytest.mark.parametrize(("text", "number"), IDS.items())
def test_id_is_golden(text: str, number: int) -> None:
    assert id_of(text) == number


@pytest.mark.parametrize(("server", "owners"), PARTITIONS.items())
def test_partition_is_golden(server: str, owners: dict[int, int]) -> None:
    assert {count: partition_of(server, count) for count in owners} == owners


@pytest.mark.parametrize(
    "text",
    ["", "example.org", "/a", "http://", "http://a b/", "http://[::1/", "http://example.org:99999/", "http://\ud800/"],
)
def test_text_that_is_no_url_is_refused(text: str) -> None:
    with pytest.raises(UrlError, match="is not a URL"):
        normal_form(text)


@pytest.mark.parametrize("text", ["ftp://example.org/", "mailto:a@b.c", "javascript:x", "data:,x", "file:///etc/x"])
def test_other_schemes_are_refused(text: str) -> None:
    with pytest.raises(UrlError, match="not http or https"):
        normal_form(text)


def test_url_may_be_as_long_as_the_limit_and_no_longer() -> None:
    start = "http://example.org/"
    longest = start + "a" * (LONGEST_URL - len(start))
    assert normal_form(longest) == longest
    with pytest.raises(UrlError, match="longer than 2048"):
        normal_form(longest + "a")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("guide.html", "http://www.kpnews.org/travel/guide.html"),
        ("./guide.html?a#b", "http://www.kpnews.org/travel/guide.html?a"),
        ("../x", "http://www.kpnews.org/x"),
        ("/x", "http://www.kpnews.org/x"),
        ("//example.org", "http://example.org/"),
        ("?p=2", "http://www.kpnews.org/travel/index.html?p=2"),
        ("", "http://www.kpnews.org/travel/index.html"),
        ("#top", "http://www.kpnews.org/travel/index.html"),
        ("https://example.org/a", "https://example.org/a"),
        ("..;sid=4/x", "http://www.kpnews.org/x"),
    ],
)
def test_relative_text_is_joined_to_its_base(text: str, url: str) -> None:
    assert normal_form(text, "http://www.kpnews.org/travel/index.html") == url


def test_further_session_parameters_are_dropped_beside_the_usual_ones() -> None:
    names = SESSION_PARAMETERS | {"visitor"}
    assert normal_form("http://example.org/?visitor=7&a=1", session_parameters=names) == "http://example.org/?a=1"
    assert normal_form("http://example.org/?VISITOR=7", session_parameters=names) == "http://example.org/"
    assert normal_form("http://example.org/b;visitor=7/c?sid=1", session_parameters=names) == "http://example.org/b/c"
    assert normal_form("http://example.org/?visitor=7") == "http://example.org/?visitor=7"
    assert normal_form("http://example.org/a?", session_parameters=names) == "http://example.org/a?"


def test_with_no_session_parameters_none_is_dropped() -> None:
    url = "http://example.org/a;jsessionid=1?sid=2"
    assert normal_form(url, session_parameters=frozenset()) == url


@pytest.mark.parametrize(
    ("url", "server", "segment", "path"),
    [
        (
            "http://www.kpnews.org/travel/guide.html",
            "www.kpnews.org",
            "http://www.kpnews.org/travel/",
            "/travel/guide.html",
        ),
        ("http://www.kpnews.org/travel/", "www.kpnews.org", "http://www.kpnews.org/travel/", "/travel/"),
        ("https://example.org/", "example.org", "https://example.org/", "/"),
        ("https://example.org/?a=/b/c", "example.org", "https://example.org/", "/?a=/b/c"),
        ("http://[::1]:8080/a/b?c", "[::1]:8080", "http://[::1]:8080/a/", "/a/b?c"),
        ("http://example.org//a", "example.org", "http://example.org//", "//a"),
    ],
)
def test_url_belongs_to_server_and_segment(url: str, server: str, segment: str, path: str) -> None:
    assert (server_of(url), segment_of(url), path_of(url)) == (server, segment, path)


@pytest.mark.parametrize(
    ("server", "host", "domain"),
    [
        ("www.example.co.th", "www.example.co.th", "th"),
        ("example.org:8080", "example.org", "org"),
        ("xn--o3cw4h.xn--o3cw4h", "xn--o3cw4h.xn--o3cw4h", "xn--o3cw4h"),
        ("example.org.", "example.org.", "org"),
        ("localhost", "localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1", ""),
        ("127.0.0.1:80", "127.0.0.1", ""),
        ("[::1]", "[::1]", ""),
        ("[::1]:8080", "[::1]", ""),
    ],
)
def test_server_has_a_host_and_a_top_level_domain(server: str, host: str, domain: str) -> None:
    assert (host_of(server), top_level_domain_of(server)) == (host, domain)


_BITS = (
    "a|B|.|..|/|//|?|#|=|&|;|id=1|sid=2|;sid=|PHPSESSID=3|;jsessionid=4|v=1|%|%2|%41|%7e|%2e|%2E|%2F|%%|%25|e|"
    ":|@|user:word@|-|_|~|+|,|'|\\|\t| |\n|é|ก|\u00a0|session|visitor=5|[|]|^|\0|\ud800|"
)
_tails = st.lists(st.sampled_from(_BITS.split("|")), max_size=12).map("".join)
_servers = st.sampled_from(
    ["example.org", "Example.ORG:80", "ไทย.ไทย", "u:p@example.org", "[::1]:8080", "a;sid=1.b", "x"]
)
_texts = st.builds(
    lambda scheme, server, tail: f"{scheme}://{server}/{tail}", st.sampled_from(["http", "HTTPS"]), _servers, _tails
)
_names = st.sampled_from([SESSION_PARAMETERS, SESSION_PARAMETERS | {"visitor"}, frozenset[str]()])


def _form(text: str, base: str | None = None, names: frozenset[str] = SESSION_PARAMETERS) -> str:
    try:
        return normal_form(text, base, names)
    except UrlError:
        return ""


@given(_texts | st.text(max_size=40), _names)
@example("http://example.org/x/..;sid=1/b", SESSION_PARAMETERS)
@example("http://example.org/%2%65%2%65", SESSION_PARAMETERS)
@example("http://example.org/;sid=1;;sid=2/.;sid=3", SESSION_PARAMETERS)
def test_normal_form_of_a_normal_form_is_itself(text: str, names: frozenset[str]) -> None:
    url = _form(text, None, names)
    if url:
        assert normal_form(url, None, names) == url
        assert tidied(url, names) == url


@given(_texts, _texts)
def test_absolute_text_joined_to_any_base_is_its_normal_form(text: str, base: str) -> None:
    base = _form(base)
    if base:
        assert _form(text, base) == _form(text)


@given(_texts, st.integers(1, 50))
def test_what_a_url_belongs_to_is_consistent(text: str, partitions: int) -> None:
    url = _form(text)
    if not url:
        return
    server, segment, path = server_of(url), segment_of(url), path_of(url)
    assert url == url.partition("://")[0] + "://" + server + path
    assert url.isascii()
    assert url.startswith(segment)
    assert segment.endswith("/")
    assert "?" not in segment
    assert normal_form(segment) == segment
    assert (server_of(segment), segment_of(segment)) == (server, segment)
    assert host_of(server) == server or server.startswith(host_of(server) + ":")
    assert 0 <= partition_of(server, partitions) < partitions
    assert partition_of(server, partitions) == id_of(site_of(url)) % partitions
    assert 0 < id_of(url) < 2**64


@given(_tails)
def test_normal_form_has_no_fragment_no_credentials_and_no_dot_segment(tail: str) -> None:
    url = _form(f"http://user:word@example.org/{tail}")
    if url:
        assert "#" not in url
        assert server_of(url) == "example.org"
        assert not {".", ".."} & set(path_of(url).partition("?")[0].split("/"))


@pytest.mark.parametrize(
    "url", ["http://example.org/", "https://www.example.org:8080/a?b=http://www.c.org/", "http://www/"]
)
def test_page_is_one_of_its_spellings_and_all_of_them_have_one_bare_url(url: str) -> None:
    spellings = spellings_of(bare_url_of(url))
    assert url in spellings
    assert {bare_url_of(spelling) for spelling in spellings} == {bare_url_of(url)}
