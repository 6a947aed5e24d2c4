"""robots.txt as RFC 9309 and the large search engines read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.politeness.robots import PARSED_BYTES, RobotsRules, RobotsVerdict, robots_verdict
from exonym.urls import normal_form

AGENT = "FooBot"


def allowed(robots: str | bytes, path: str, agent: str = AGENT) -> bool:
    content = robots if isinstance(robots, bytes) else robots.encode()
    return RobotsRules.parse(content, agent).allows(normal_form("http://a.example" + path))


RFC_EXAMPLE = """\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("other", "/x.gif", False),
        ("other", "/x.gif?y", True),
        ("other", "/example/", False),
        ("other", "/publications/", True),
        ("other", "/publications/x.gif", True),  # 14 octets against 6
        ("foobot", "/", False),
        ("foobot", "/publications/", False),
        ("foobot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/example/other.html", True),
        ("quxbot", "/example/page.html", True),
        ("quxbot", "/x.gif", True),
    ],
)
def test_example_of_the_rfc(agent: str, path: str, expected: bool) -> None:
    assert allowed(RFC_EXAMPLE, path, agent) == expected


RULES = [
    # longest match wins, allow in a tie, empty rules say nothing
    ("Disallow: /x/page.html\nAllow: /x/", "/x/page.html", False),
    ("Allow: /x/page.html\nDisallow: /x/", "/x/page.html", True),
    ("Allow: /x/page.html\nDisallow: /x/", "/x/", False),
    ("Disallow:\nAllow:", "/x", True),
    ("Disallow: /\nAllow: /", "/x", True),
    ("Disallow: /x\nAllow: /x/", "/x", False),
    ("Disallow: /x\nAllow: /x/", "/x/", True),
    ("Disallow: /x/page.html\nAllow: /x/page.html", "/x/page.html", True),
    ("Allow: /page\nDisallow: /*.html", "/page.html", False),
    ("Allow: /page\nDisallow: /*.html", "/page", True),
    ("Allow: /x/page.\nDisallow: /*.html", "/x/page.html", True),
    ("Allow: /x/page.\nDisallow: /*.html", "/x/y.html", False),
    ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
    ("Allow: /p\nDisallow: /", "/page", True),
    ("Allow: /folder\nDisallow: /folder", "/folder/page", True),
    ("Allow: /page\nDisallow: /*.htm", "/page.htm", False),
    ("Allow: /$\nDisallow: /", "/", True),
    ("Allow: /$\nDisallow: /", "/page.htm", False),
    ("Allow: /*c\nDisallow: /bc", "/bc", True),
    # wildcards
    ("Disallow: /foo/bar/quz\nAllow: /foo/*/qux", "/foo/bar/quz", False),
    ("Disallow: /foo/bar/quz\nAllow: /foo/*/qux", "/foo/bax/quz", True),
    ("Disallow: /foo/bar$\nAllow: /foo/bar/qux", "/foo/bar", False),
    ("Disallow: /foo/bar$\nAllow: /foo/bar/qux", "/foo/bar/", True),
    ("Disallow: /foo/bar$\nAllow: /foo/bar/qux", "/foo/bar/baz", True),
    ("Disallow: *", "/x", False),
    ("Disallow: /*", "/", False),
    ("Disallow: *x*y$", "/axbycy", False),
    ("Disallow: *x*y$", "/axbycz", True),
    ("Disallow: *aa$", "/a", True),
    ("Disallow: /aa*aa$", "/aaa", True),
    ("Disallow: /aa*aa$", "/aaaa", False),
    ("Disallow: /a***b", "/acb", False),
    ("Disallow: /a*$", "/abc", False),
    ("Disallow: $", "/", True),
    ("Disallow: /a$b", "/a$bc", False),
    ("Disallow: /a$b", "/a", True),
    # paths
    ("Disallow: /X/", "/x/y", True),
    ("Disallow: /X/", "/X/y", False),
    ("Disallow: foo", "/foo", True),
    ("Disallow: /a b", "/a%20bc", False),
    ("Disallow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par", "/foo/bar?qux=taz&baz=http://foo.bar?tar&par", False),
    ("Disallow: /x?", "/x?q", False),
    ("Disallow: /x?", "/x", True),
    ("Disallow: /", "/robots.txt", True),
    ("Disallow: /", "/robots.txt?x", False),
    # escapes: the table of RFC 9309, section 2.2.2, and %2A, %24 of 2.2.3
    ("Disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", False),
    ("Disallow: /foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar", False),
    ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https%3a%2f%2ffoo.bar", False),
    ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", True),
    ("Disallow: /foo/bar/\u30c4", "/foo/bar/%E3%83%84", False),
    ("Disallow: /foo/bar/%e3%83%84", "/foo/bar/\u30c4", False),
    ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/x", True),
    ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
    ("Disallow: /foo/bar/baz", "/foo/bar/%62%61%7A", False),
    ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", False),
    ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-x.html", True),
    ("Disallow: /path/foo-%24", "/path/foo-$", False),
    ("Disallow: /a%2Fb", "/a/b", True),
    ("Disallow: /a{b}|c", '/a%7Bb%7D%7Cc', False),
    ("Disallow: /100%", "/100%", False),
    # lines
    ("Disallow: /foo/quz#qux\nAllow: /", "/foo/quz", False),
    ("# Disallow: /\nAllow: /x", "/y", True),
    ("disallow /", "/x", False),
    ("DISALLOW  :   /  ", "/x", False),
    ("Dissallow: /", "/x", False),
    ("Disallow / or not", "/x", True),
    ("Foo: /", "/x", True),
    ("Allow: /x\n\n\nDisallow: /", "/y", False),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "path", "expected"), RULES)
def test_rules_of_one_group(rules: str, path: str, expected: bool) -> None:
    assert allowed(f"User-agent: FooBot\n{rules}", path) == expected
    assert allowed(f"User-agent: *\r\n{rules}".replace("\n", "\r"), path) == expected


FISH = {
    "/fish": (
        ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.html?id=anything"],
        ["/Fish.asp", "/catfish", "/?id=fish", "/bar"],
    ),
    "/fish*": (["/fish", "/fishheads", "/fish.html?id=anything"], ["/Fish.bar", "/catfish", "/?id=fish"]),
    "/fish/": (["/fish/", "/fish/salmon", "/fish/?salmon"], ["/fish", "/fish.html", "/bar"]),
    "/*.php": (
        ["/filename.php", "/folder/filename.php", "/folder/filename.php?parameters", "//folder/any.php.file.html"],
        ["/filename.phh", "/windows.PHP"],
    ),
    "/*.php$": (["/filename.php", "/folder/filename.php"], ["/filename.php?parameters", "/filename.php5", "/x.php/"]),
    "/fish*.php": (["/fish.php", "/fishheads/catfish.php?parameters"], ["/Fish.PHP", "/bar/fish.php"]),
}


@pytest.mark.parametrize("pattern", FISH)
def test_patterns_of_the_search_engines_manual(pattern: str) -> None:
    matching, others = FISH[pattern]
    robots = f"User-agent: FooBot\nDisallow: /\nAllow: {pattern}\n"
    assert [path for path in matching + others if allowed(robots, path)] == matching


GROUPS = [
    ("", "FooBot", True),
    ("User-agent: FooBot\nDisallow: /", "", True),
    ("Disallow: /\nUser-agent: FooBot\nAllow: /y", "FooBot", True),  # a rule of no group
    ("User-agent: *\nAllow: /\nUser-agent: FooBot\nDisallow: /", "FooBot", False),
    ("User-agent: *\nAllow: /\nUser-agent: FooBot\nDisallow: /", "BarBot", True),
    ("User-agent: FooBot\nAllow: /\nUser-agent: BarBot\nDisallow: /", "QuxBot", True),
    ("User-agent: FooBot\nDisallow:\nUser-agent: *\nDisallow: /", "FooBot", True),
    ("User-agent: FooBot\nDisallow: /y\nUser-agent: *\nDisallow: /", "FooBot", True),
    # several groups for one agent are one group
    ("User-agent: FooBot\nDisallow: /y\nUser-agent: B\nAllow: /\nUser-agent: foobot\nDisallow: /x", "FooBot", False),
    ("User-agent: *\nDisallow: /y\nUser-agent: FooBot\nAllow: /\nUser-agent: *\nDisallow: /x", "BarBot", False),
    # other lines between agent lines do not end a group
    ("User-agent: BarBot\nSitemap: https://a.example/s\nUser-agent: *\nDisallow: /", "BarBot", False),
    ("User-agent: FooBot\nUnknown: line\nUser-agent: *\nDisallow: /", "FooBot", False),
    ("User-agent: FooBot\nCrawl-delay: 5\nUser-agent: BarBot\nDisallow: /", "FooBot", False),
    ("User-agent: FooBot\n\n# words\nUser-agent: BarBot\nDisallow: /", "FooBot", False),
    # names
    ("uSeR-aGeNt: fOObOt\ndIsAlLoW: /", "FooBot", False),
    ("User-agent: FooBot/2.1\nDisallow: /", "FooBot", False),
    ("User-agent: FooBot (like others)\nDisallow: /", "FooBot", False),
    ("User-agent: FooBot\nDisallow: /", "FooBot/1.0 (+https://example.org)", False),
    ("User-agent: Foo\nDisallow: /", "FooBot", True),
    ("User-agent: FooBot-News\nDisallow: /", "FooBot", True),
    ("User-agent: * # all\nDisallow: /", "FooBot", False),
    ("User-agent: * of them\nDisallow: /", "FooBot", False),
    ("User-agent: *bot\nDisallow: /", "FooBot", True),
    ("User-agent:\nDisallow: /", "FooBot", True),
    ("User agent: FooBot\nDisallow: /", "FooBot", False),
    ("Useragent: FooBot\nDisallow: /", "FooBot", False),
    ("\ufeffUser-agent: FooBot\nDisallow: /", "FooBot", False),
]  # fmt: skip


@pytest.mark.parametrize(("robots", "agent", "expected"), GROUPS)
def test_group_of_an_agent(robots: str, agent: str, expected: bool) -> None:
    assert allowed(robots, "/x", agent) == expected


def test_half_a_byte_order_mark_is_skipped() -> None:
    assert not allowed(b"\xef\xbbUser-agent: *\nDisallow: /", "/x")


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ("Crawl-delay: 10", 10.0),
        ("crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 86400", 86_400.0),
        ("Crawl-delay: 0", 0.0),
        ("Crawl-delay: 2\nCrawl-delay: 7\nCrawl-delay: 3", 7.0),
        ("Crawl-delay:", None),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: nan", None),
        ("Crawl-delay: inf", None),
        ("Crawl-delay: 1e309", None),
        ("Crawl-delay: 9999999999999999", None),
        ("Crawl-delay: \u0e51\u0e50", None),  # Thai digits are digits to Python
        ("Request-rate: 1/5", 5.0),
        ("Request-rate: 2/1m", 30.0),
        ("Request-rate: 1/10s 1600-0845", 10.0),
        ("Request-rate: 0/5", None),
        ("Request-rate: 1/5\nCrawl-delay: 2", 5.0),
    ],
)
def test_delay_is_read_and_hostile_values_are_ignored(lines: str, seconds: float | None) -> None:
    for group in ("FooBot", "*"):
        rules = RobotsRules.parse(f"User-agent: {group}\n{lines}\nDisallow: /x".encode(), AGENT)
        assert rules.delay_seconds == seconds


def test_delay_of_another_agent_is_not_ours() -> None:
    content = b"User-agent: *\nCrawl-delay: 9\nDisallow:\n\nUser-agent: FooBot\nDisallow: /x"
    assert RobotsRules.parse(content, AGENT).delay_seconds is None
    assert RobotsRules.parse(content, "BarBot").delay_seconds == 9.0


def test_sitemaps_are_absolute_normal_and_listed_once() -> None:
    content = b"""Sitemap: https://a.example/s.xml
User-agent: BarBot
SITEMAP: http://A.example:80/t.xml
Disallow: /
Sitemap: /relative.xml
Sitemap: ftp://a.example/
Sitemap: https://a.example/s.xml
Sitemap:
Site-map: https://a.example/u.xml # the last"""
    expected = ("https://a.example/s.xml", "http://a.example/t.xml", "https://a.example/u.xml")
    assert RobotsRules.parse(content, AGENT).sitemaps == expected


def test_number_of_sitemaps_is_bounded() -> None:
    content = b"".join(b"Sitemap: http://a.example/%d\n" % number for number in range(1_000))
    assert len(RobotsRules.parse(content, AGENT).sitemaps) == 50


def test_only_the_first_500_kib_are_read() -> None:
    beginning = b"User-agent: *\nDisallow: /first\n"
    filled = beginning + b"#" * (PARSED_BYTES - len(beginning) - 1) + b"\n"
    robots = filled + b"Disallow: /late\n"
    assert not allowed(robots, "/first")
    assert allowed(robots, "/late")


@pytest.mark.parametrize(
    "line",
    [
        b"Disallow: " + b"*" * 1_000,
        b"Disallow: " + b"*a" * 1_000 + b"b",
        b"Disallow: /" + b"a*" * 100_000 + b"$",
        b"Disallow: " + b"/a" * 200_000,
        b"Disallow" + b" " * 400_000 + b"/",
        b" " * 400_000,
        b":" * 400_000,
        b"User-agent: " + b"a" * 400_000,
        b"\n".join(b"Disallow: *%dz*q$" % number for number in range(20_000)),
    ],
)
def test_hostile_lines_do_not_blow_up(line: bytes) -> None:
    rules = RobotsRules.parse(b"User-agent: *\n" + line, AGENT)
    url = "http://a.example/" + "a" * 2_000
    assert rules.allows(url) == (not line.startswith(b"Disallow: **") and b" " * 400_000 + b"/" not in line)


@given(st.binary(max_size=400), st.sampled_from(["/", "/a", "/%E0%B8%81?x=*$"]))
def test_no_bytes_are_too_odd_to_be_read(rubbish: bytes, path: str) -> None:
    for content in (rubbish, b"User-agent: *\nDisallow:" + rubbish, b"User-agent: *\nCrawl-delay:" + rubbish):
        rules = RobotsRules.parse(content, AGENT)
        assert isinstance(rules.allows("http://a.example" + path), bool)
        assert rules.delay_seconds is None or 0.0 <= rules.delay_seconds < 4e12


def matches_slowly(pattern: str, path: str) -> bool:
    """The definition, letter by letter."""
    if not pattern:
        return True
    if pattern == "$":
        return not path
    if pattern[0] == "*":
        return matches_slowly(pattern[1:], path) or (bool(path) and matches_slowly(pattern, path[1:]))
    return path[:1] == pattern[0] and matches_slowly(pattern[1:], path[1:])


@given(st.text("ab*", max_size=8), st.booleans(), st.text("ab", max_size=10))
def test_matching_agrees_with_its_definition(middle: str, to_the_end: bool, rest: str) -> None:
    pattern = "/" + middle + "$" * to_the_end
    expected = matches_slowly(pattern, "/" + rest)
    assert allowed(f"User-agent: *\nDisallow: {pattern}", "/" + rest) == (not expected)


@pytest.mark.parametrize(
    ("status", "failure", "verdict"),
    [
        (200, "", RobotsVerdict.PARSE),
        (204, "", RobotsVerdict.PARSE),
        (301, "", RobotsVerdict.ALLOW_ALL),
        (401, "", RobotsVerdict.ALLOW_ALL),
        (403, "", RobotsVerdict.ALLOW_ALL),
        (404, "", RobotsVerdict.ALLOW_ALL),
        (410, "", RobotsVerdict.ALLOW_ALL),
        (429, "", RobotsVerdict.DISALLOW_ALL),
        (500, "", RobotsVerdict.DISALLOW_ALL),
        (503, "", RobotsVerdict.DISALLOW_ALL),
        (999, "", RobotsVerdict.DISALLOW_ALL),
        (0, "connect: refused", RobotsVerdict.DISALLOW_ALL),
        (0, "", RobotsVerdict.DISALLOW_ALL),
    ],
)
def test_verdict_on_the_reply(status: int, failure: str, verdict: RobotsVerdict) -> None:
    assert robots_verdict(status, failure) == verdict
