"""How the rules of a scope are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError
from exonym.scope.crawl_scope import CrawlScope
from exonym.scope.scope_rule import Verb, rule_of, target_of


def drops(target: str, url: str) -> bool:
    rule = rule_of(f"drop {target}")
    assert rule is not None
    return CrawlScope([rule]).decide(url).drop is rule


@pytest.mark.parametrize(
    ("target", "inside", "outside"),
    [
        ("example.org", "http://example.org/a?b", "http://sub.example.org/"),
        ("example.org", "https://www.example.org:8443/", "http://example.org.example/"),
        ("www.example.org", "http://example.org/", "http://ww.example.org/"),
        ("example.org:8080", "http://example.org:8080/", "http://example.org/"),
        ("example.org:80", "https://example.org/", "http://example.org:8080/"),
        ("https://example.org:443/a", "https://example.org/a", "http://example.org/"),
        ("http://example.org:443", "http://example.org:443/", "http://example.org:8443/"),
        ("EXAMPLE.org", "http://example.org/", "http://example.net/"),
        ("ไทย.example", "http://xn--o3cw4h.example/", "http://example/"),
        ("[::1]:8080", "http://[::1]:8080/a", "http://[::2]:8080/a"),
        ("192.0.2.7", "http://192.0.2.7/", "http://192.0.2.70/"),
        ("*.example.pt", "http://a.b.example.pt/x", "http://notexample.pt/"),
        ("*.example.pt", "https://example.pt/", "http://example.com/"),
        ("*.pt", "http://www.gov.pt/", "http://pt.example/"),
        ("*.www.example.pt", "http://a.www.example.pt/", "http://blog.example.pt/"),
        ("*", "http://anything.example/", ""),
        ("http://example.org/news/", "https://www.example.org/news/1", "http://example.org/new"),
        ("example.org/news", "http://example.org/newspaper", "http://example.org/"),
        ("https://example.org", "http://example.org/x", "http://example.com/"),
        ("example.org/a%7Eb", "http://example.org/a~b/c", "http://example.org/a"),
        ("http://(pt,example,)/", "http://www.example.pt/", "http://blog.example.pt/"),
        ("http://(pt,example,", "http://blog.example.pt/", "http://notexample.pt/"),
        ("http://(pt,example,www,", "http://www.example.pt/", "http://blog.example.pt/"),
        ("http://(192.0.2.7)/a", "http://192.0.2.7/a", "http://192.0.2.7/b"),
        ("http://([::1]:8080)", "http://[::1]:8080/", "http://[::1]/"),
        ("http://(pt,example", "http://examples.pt/", "http://exam.pt/"),
        ("(pt,example,www,)/news", "http://example.pt/news/1", "http://example.pt/"),
        ("pt,example)/news", "http://example.pt/news/1", "http://example.pt/"),
        ("pt,example,", "http://a.example.pt/", "http://a.pt/"),
        ("http://(org,example,:8080)/a", "http://example.org:8080/a", "http://example.org/a"),
        ("/calendar/", "http://any.example/calendar/1", "http://any.example/my/calendar/"),
        ("/*/calendar/", "http://any.example/my/calendar/", "http://any.example/calendar/"),
        ("*/*?print=", "http://any.example/a?print=1", "http://any.example/print"),
        ("*.example.pt/*.pdf$", "http://a.example.pt/x.pdf", "http://a.example.pt/x.pdf?1"),
        ("example.org?q=", "http://example.org/?q=1", "http://example.org/a?q=1"),
    ],
)
def test_target_matches_what_it_names_and_nothing_else(target: str, inside: str, outside: str) -> None:
    assert drops(target, inside)
    assert not outside or not drops(target, outside)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("remove example.org", "begins with drop, keep, limit N or delay S"),
        ("drop", "drop TARGET"),
        ("limit inf example.org", "whole number"),
        ("drop example.org#part", "is no host"),
        ("drop a.example b.example", "drop TARGET"),
        ("limit example.org", "limit N TARGET"),
        ("limit 0 example.org", "To fetch nothing, use drop"),
        ("limit 1.5 example.org", "whole number"),
        ("limit 5", "limit N TARGET"),
        ("delay soon example.org", "number of seconds"),
        ("delay -1 example.org", "number of seconds"),
        ("delay nan example.org", "number of seconds"),
        ("drop exa mple.org", "drop TARGET"),
        ("drop ftp://example.org/", "no host, domain"),
        ("drop *example.org", "no host, domain"),
        ("drop http://(pt,,example,)/", "no host, domain"),
        ("drop http://(pt,example,/a", "no host, domain"),
        ("drop exam%ple", "no host, domain"),
        ("drop example.org\\news", "no host, domain"),
        ("drop webmaster@example.org", "no host, domain"),
    ],
)
def test_line_that_is_no_rule_is_refused_in_words(line: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        rule_of(line)


@pytest.mark.parametrize("line", ["", "   ", "# drop example.org", "\t# x"])
def test_blank_lines_and_comments_are_no_rules(line: str) -> None:
    assert rule_of(line) is None


def test_comment_says_who_and_why() -> None:
    rule = rule_of("DROP  example.org \t#  asked by mail; # 7")
    assert rule is not None
    assert (rule.verb, rule.text, rule.comment) == (Verb.DROP, "DROP example.org", "asked by mail; # 7")


def test_number_sign_within_an_address_is_no_comment() -> None:
    rule = rule_of("drop http://example.org/a#b")
    assert rule is not None
    assert rule.comment == ""
    assert rule.target == target_of("example.org/a")


@given(st.text(max_size=80))
def test_any_line_is_a_rule_or_refused(text: str) -> None:
    for line in (text, f"drop {text}", f"limit {text}", f"delay 3 {text}"):
        try:
            rule = rule_of(line)
        except ConfigError:
            continue
        if rule is not None:
            CrawlScope([rule]).decide("http://www.example.org/a/b?c")
