"""The rule of national domains and anchors on a web drawn by hand; a language in brackets is an anchor's."""

import random
from dataclasses import replace

import numpy as np
import pytest

from exonym.batches import NO_ROW
from exonym.errors import ConfigError
from exonym.strategies.cjk import NationalDomain
from exonym.testing.handdrawn import drawn, visits
from exonym.testing.random_batches import link_batch

WEB = drawn("""
    www.com/  en → a.th/ b.com/[th] c.com/[en] d.com/
    a.th/     en → a.th/1 e.com/ f.jp/[th]
    b.com/    en → b.com/1 b.com/2[th] c.com/[th]
    a.th/1    th → g.org/[en] b.com/1
    f.jp/     th → f.jp/1 f.jp/2[ja] a.th/2[en]
    b.com/2   th → h.co.th/
    c.com/    en → www.com/[th] d.com/[en]
    a.th/2    en
    h.co.th/  redirect → i.net/
    i.net/    th
    b.com/1   th
    d.com/    th
""")


def test_links_into_the_domain_or_with_anchors_in_the_language_are_followed_first_found_first() -> None:
    assert visits(WEB, NationalDomain("th", "th"), ["www.com/"]) == [
        "www.com/",  # a seed: always followed
        *("a.th/", "b.com/"),  # by domain, by anchor; c.com/ has an English anchor, that of d.com/ tells nothing
        *("a.th/1", "f.jp/"),  # found on a.th/; e.com/ has nothing that speaks for it
        *("b.com/2", "c.com/"),  # found on b.com/, c.com/ with a Thai anchor this time; b.com/1 has none
        "a.th/2",  # found on f.jp/: the domain is enough, whatever the anchor; nor does f.jp/ being Thai help f.jp/1
        "h.co.th/",  # found on b.com/2; where it redirects to, there is no anchor to speak for i.net/
    ]


def test_without_domains_only_anchors_count_and_the_other_way_round() -> None:
    assert visits(WEB, NationalDomain("th", ""), ["www.com/"]) == ["www.com/", "b.com/", "b.com/2", "c.com/"]
    assert visits(WEB, NationalDomain("", "th"), ["www.com/"]) == ["www.com/", "a.th/", "a.th/1"]


def test_rule_without_language_and_domains_follows_nothing_but_seeds() -> None:
    assert visits(WEB, NationalDomain(), ["www.com/", "d.com/"]) == ["www.com/", "d.com/"]


def test_redirect_of_a_seed_is_followed_wherever_it_leads() -> None:
    web = drawn("""
        old.com/  redirect → new.com/
        new.com/  en → a.cn/
    """)
    assert visits(web, NationalDomain("zh", "cn"), ["old.com/"]) == ["old.com/", "new.com/", "a.cn/"]


def test_nation_may_have_several_domains_in_any_script_and_spelling() -> None:
    web = drawn("en.com/ en → a.cn/ b.tw/ c.xn--o3cw4h/ d.com/ 10.0.0.1/ e.xn--fiqs8s:8080/")
    rule = NationalDomain("zh", "cn .TW ไทย xn--fiqs8s")
    assert rule.domains == "cn tw xn--o3cw4h xn--fiqs8s"
    assert visits(web, rule, ["en.com/"]) == ["en.com/", "a.cn/", "b.tw/", "c.xn--o3cw4h/", "e.xn--fiqs8s:8080/"]


def test_several_languages_may_be_looked_for() -> None:
    web = drawn("en.com/ en → a.com/[th] b.com/[lo] c.com/[ja]")
    assert visits(web, NationalDomain("th lo", ""), ["en.com/"]) == ["en.com/", "a.com/", "b.com/"]


def test_way_to_write_chinese_is_known_by_the_language_of_its_anchors() -> None:
    web = drawn("en.com/ en → a.com/[zh] b.com/[ja]")
    assert visits(web, NationalDomain("zh-Hant", ""), ["en.com/"]) == ["en.com/", "a.com/"]


def test_anchor_of_unknown_language_is_in_no_language() -> None:
    links = replace(link_batch(random.Random(1), 5), anchor_language=np.zeros(5, np.uint16), source=np.arange(5))
    assert np.isnan(NationalDomain("", "").score(links)).all()
    seeds = replace(links, source=np.full(5, NO_ROW))
    assert NationalDomain("", "").score(seeds).tolist() == [0.0] * 5


@pytest.mark.parametrize("domain", ["co.th", "127", ".", "a/b", "a b:c", "x" * 3_000])
def test_domain_that_is_no_top_level_domain_is_refused(domain: str) -> None:
    with pytest.raises(ConfigError, match=r"domains must be top-level domains") as caught:
        NationalDomain("th", f"th {domain}")
    assert len(str(caught.value)) < 250
