"""The domains of the nations that ship, for strategies that follow a language's own domains."""

import pytest

from exonym.nations import load_nation, shipped_codes
from exonym.nations.shipped import language_domains, shipped_domains
from exonym.strategies.by_name import make_strategy, strategy_from
from exonym.strategies.cjk import NationalDomain


@pytest.mark.parametrize(
    ("language", "nations"),
    [
        *[
            ("ja", "JP"),
            ("ko", "KR"),
            ("zh", "CN TW"),
            ("zh-Hant", "TW"),
            ("zh-Hans", "CN"),
            ("th", "TH"),
            ("is", "IS"),
        ],
        *[("en", ""), ("hak", ""), ("", "")],
    ],
)
def test_language_has_the_domains_of_the_nations_whose_main_language_it_is(language: str, nations: str) -> None:
    assert shipped_domains(language) == tuple(
        domain for nation in nations.split() for domain in load_nation(nation).domains
    )


def test_every_shipped_nation_is_reached_by_its_main_language() -> None:
    for code in shipped_codes():
        nation = load_nation(code)
        main = max(nation.languages, key=lambda language: language.share)
        assert set(nation.domains) <= set(shipped_domains(main.code))


@pytest.mark.parametrize(
    ("language", "domains"),
    [("ja", "jp"), ("is", "is"), ("cy", "uk"), ("uk", "ua"), ("zh-Hant", "tw hk mo"), ("zh", "cn tw hk mo sg")],
)
def test_language_has_the_domains_of_its_territories(language: str, domains: str) -> None:
    assert [one for one in language_domains(language) if not one.startswith("xn--")] == domains.split()


def test_internationalised_domains_are_those_of_their_names() -> None:
    # Python's own encoder says how the names are written in host names.
    names = {"zh": "中国 中國 台湾 台灣 臺灣 香港 澳門 新加坡", "th": "ไทย", "ko": "한국", "lo": "ລາວ", "ru": "рф"}
    for language, texts in names.items():
        written = {text.encode("idna").decode() for text in texts.split()}
        assert {one for one in language_domains(language) if one.startswith("xn--")} == written


def test_cjk_follows_the_domains_of_nation_files_unless_domains_are_given() -> None:
    chinese = make_strategy("cjk", {}, ["zh"])
    assert isinstance(chinese, NationalDomain)
    # Of Taiwan's file, and of no other list: 臺灣. Hong Kong does not ship and is a domain of Chinese too.
    assert {"cn", "tw", "hk", "臺灣".encode("idna").decode()} <= set(chinese.domains.split())
    given = strategy_from("cjk:domains=cn", "zh")
    assert isinstance(given, NationalDomain)
    assert given.domains == "cn"
