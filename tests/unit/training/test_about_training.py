"""Thresholds for pages about a nation: chosen rightly, validated without a leak, set in a crawl.toml without harm."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.config import load, template
from exonym.config.editing import edited, set_values
from exonym.errors import ConfigError, DirectoryError
from exonym.extract.document import Document
from exonym.judges.about import AboutJudge, AboutRule
from exonym.judges.language import AnyLanguage
from exonym.nations.matching.page_names import PageNames
from exonym.nations.nation import Name, Nation
from exonym.training.about_thresholds import (
    MOST_NAMES,
    SHARES,
    NamedPages,
    Thresholds,
    chosen,
    g_mean_of,
    neighbours,
    validated,
)
from exonym.training.folds import Folds, dealt
from exonym.training.scores import scores_of

Row = tuple[float, int, bool, bool]  # share, variety, in the nation's domains, about it


def pages_of(rows: list[Row], sites: list[int] | None = None) -> NamedPages:
    shares, varieties, homes, positives = zip(*rows, strict=True)
    return NamedPages(
        np.array(shares, np.float64),
        np.array(varieties, np.int64),
        np.array(homes, np.bool_),
        np.array(positives, np.bool_),
        np.array(sites if sites is not None else range(len(rows)), np.int64),
    )


def plain_g_mean(rows: list[Row], share: float, variety: int, domains: bool) -> float:
    """By the words of the rule, page by page."""
    right = {True: 0, False: 0}
    for found, names, home, positive in rows:
        right[positive] += ((found >= share and names >= variety) or (domains and home)) == positive
    count = sum(positive for *_, positive in rows)
    return math.sqrt(right[True] / count * right[False] / (len(rows) - count))


def both_classes(rows: list[Row]) -> bool:
    return 2 <= sum(positive for *_, positive in rows) <= len(rows) - 2


ROWS = st.lists(
    st.tuples(
        st.one_of(st.just(0.0), st.sampled_from(SHARES.tolist()), st.floats(0.0, 1.0, allow_subnormal=False)),
        st.integers(0, 14),
        st.booleans(),
        st.booleans(),
    ),
    min_size=4,
    max_size=25,
).filter(both_classes)


# Choosing


def test_shares_to_choose_from_are_round_and_rise() -> None:
    assert SHARES[0] == 0.0005
    assert SHARES[-1] == 0.5
    assert np.all(np.diff(SHARES) > 0)
    assert 0.01 in SHARES
    assert all(len(f"{share:e}".rstrip("0").partition("e")[0].rstrip("0")) <= 3 for share in SHARES)


def test_thresholds_lie_between_pages_about_the_nation_and_others() -> None:
    about: list[Row] = [(0.08, 5, False, True), (0.06, 4, False, True), (0.05, 3, False, True)]
    other: list[Row] = [(0.0, 0, False, False), (0.02, 3, False, False), (0.09, 1, False, False)]
    found = chosen(pages_of(about + other))
    assert 0.02 < found.share <= 0.05
    assert found.variety == 2  # 3 would do as well, but 2 is usual
    assert not found.domains
    # In the middle of what would do: neither the least nor the most.
    assert found.share == pytest.approx(math.sqrt(0.02 * 0.05), rel=0.12)


def test_number_of_names_decides_where_shares_do_not() -> None:
    rows: list[Row] = [(0.05, 4, False, True)] * 3 + [(0.05, 3, False, False)] * 3
    assert chosen(pages_of(rows)).variety == 4


def test_domains_count_only_where_they_help() -> None:
    told: list[Row] = [(0.05, 4, False, True)] * 10 + [(0.0, 0, False, False)] * 10
    at_home = [(0.0, 0, True, True)] * 5
    assert chosen(pages_of(told + at_home)).domains
    assert g_mean_of(pages_of(told + at_home), domains=True) == 1.0
    assert g_mean_of(pages_of(told + at_home), domains=False) == pytest.approx(math.sqrt(10 / 15))
    assert not chosen(pages_of([*told, *[(0.0, 0, True, False)] * 5])).domains
    assert not chosen(pages_of(told)).domains


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_nothing_on_the_list_is_better_than_what_is_chosen(rows: list[Row]) -> None:
    found, pages = chosen(pages_of(rows)), pages_of(rows)
    best = {
        domains: max(
            plain_g_mean(rows, share, variety, domains)
            for share in SHARES.tolist()
            for variety in range(1, MOST_NAMES + 1)
        )
        for domains in (False, True)
    }
    assert [g_mean_of(pages, domains) for domains in best] == pytest.approx(list(best.values()))
    assert plain_g_mean(rows, *found) == pytest.approx(best[found.domains])
    assert found.domains == (best[True] - best[False] >= 0.005)
    assert chosen(pages_of(rows[::-1])) == found


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from(SHARES.tolist()), st.integers(1, MOST_NAMES), st.booleans())
def test_scores_are_those_of_the_rule(rows: list[Row], share: float, variety: int, domains: bool) -> None:
    scores = pages_of(rows).scores(Thresholds(share, variety, domains))
    assert scores.g_mean == pytest.approx(plain_g_mean(rows, share, variety, domains))


@pytest.mark.parametrize("domains", [True, False])
@pytest.mark.parametrize("url", ["http://a.th/", "http://a.com/"])
@pytest.mark.parametrize(
    "words", ["", "Bangkok", "Bangkok Phuket", "Bangkok Phuket and many other words of no country"]
)
def test_relevance_is_the_judges(domains: bool, url: str, words: str) -> None:
    places = tuple(Name(text, "city", "hand") for text in ("Bangkok", "Phuket"))
    names = PageNames(Nation("TH", "Thailand", names=places))
    rule = AboutRule(0.03, 2, frozenset(["th"] if domains else []))
    verdict = AboutJudge("T", names, AnyLanguage(), rule).judge(Document(url, "", words))
    found = names.mentions("", words)
    rows: list[Row] = [(found.share, found.variety, url.endswith(".th/"), True)]
    assert pages_of(rows).relevance(Thresholds(0.03, 2, domains))[0] == pytest.approx(verdict.relevance)


def test_neighbours_go_from_half_to_twice_the_share_and_stay_on_the_list() -> None:
    found = neighbours(Thresholds(0.01, 2, True))
    assert sorted({one.variety for one in found}) == [1, 2, 3, 4]
    shares = sorted({one.share for one in found})
    assert len(shares) == 5
    assert (shares[0], shares[2], shares[4]) == pytest.approx((0.005, 0.01, 0.02), rel=0.06)
    assert set(shares) <= set(SHARES.tolist())
    assert all(one.domains for one in found)
    assert {one.variety for one in neighbours(Thresholds(0.0005, 1))} == {1, 2, 3}
    assert min(one.share for one in neighbours(Thresholds(0.0005, 1))) == 0.0005


# Validation


def many(chance: np.random.Generator, count: int = 120) -> NamedPages:
    positives = chance.random(count) < 0.4
    return NamedPages(
        chance.beta(2, 30, count) + 0.04 * positives,
        chance.poisson(2 + 2 * positives),
        chance.random(count) < 0.1,
        positives,
        chance.integers(0, 30, count),
    )


@pytest.mark.parametrize("by_site", [True, False])
def test_each_page_is_judged_by_thresholds_chosen_without_its_fold(by_site: bool) -> None:
    pages = many(np.random.default_rng(5))
    found = validated(pages, Folds(4, by_site), 2, seed=3)
    expected = np.zeros(len(pages))
    for repeat in range(2):
        fold_of = dealt(pages.positives, pages.sites, Folds(4, by_site), (3, repeat))
        relevance = np.zeros(len(pages))
        for fold in range(4):
            rest = fold_of != fold
            without = NamedPages(*(getattr(pages, name)[rest] for name in NamedPages.__slots__))
            relevance[~rest] = pages.relevance(chosen(without))[~rest]
        assert found.rounds[repeat] == scores_of(relevance >= 0.5, pages.positives)
        expected += relevance / 2
    assert found.probabilities == pytest.approx(expected)
    assert (found.folds, found.repeats, found.by_site, found.remark) == (4, 2, by_site, "")


def test_labels_of_held_out_pages_do_not_matter_to_how_they_are_judged() -> None:
    pages = many(np.random.default_rng(6))
    fold_of = dealt(pages.positives, pages.sites, Folds(3, False), (0, 0))
    rest = fold_of != 1
    one = chosen(NamedPages(*(getattr(pages, name)[rest] for name in NamedPages.__slots__)))
    found = validated(pages, Folds(3, False), 1, seed=0).probabilities
    assert found[~rest] == pytest.approx(pages.relevance(one)[~rest])


def test_validation_says_why_it_has_fewer_folds() -> None:
    rows: list[Row] = [(0.1, 3, False, True)] * 4 + [(0.0, 0, False, False)] * 4
    found = validated(pages_of(rows, [0, 0, 1, 1, 2, 2, 3, 3]), Folds(10, True), 1, 0)
    assert found.folds == 2
    assert "2 folds in place of 10" in found.remark
    assert found.g_mean == 1.0


# Setting them in crawl.toml

ASKED: dict[str, dict[str, object]] = {
    "target.about": {"nation": "TH", "languages": ["en"], "domains": ["th"]},
    "seeds": {"urls": ["http://a.th/"]},
}


def test_only_the_lines_asked_for_change() -> None:
    text = template(ASKED)
    changed = edited(text, "target.about", {"share": 0.036, "variety": 3, "domains": []})
    before, after = text.splitlines(), changed.splitlines()
    assert sorted(set(after) - set(before)) == ["domains = []", "share = 0.036", "variety = 3"]
    assert set(before) - set(after) == {'domains = ["th"]'}
    assert after.index("share = 0.036") == after.index("# share = 0.006") + 1  # below what says what it means
    assert edited(changed, "target.about", {"share": 0.036}) == changed


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("[target.about]\nshare=0.5   # mine\n", "[target.about]\nshare=0.02   # mine\n"),
        ("[target.about] # here\r\n\r\n", "[target.about] # here\r\nshare = 0.02\r\n\r\n"),
        ("[target.about]", "[target.about]\nshare = 0.02\n"),
        ("[target.about]\n# shares\n[judge]\nhearsay = true\n", None),
        ("\ufeff[target.about]\nshare = 1.0\n", "\ufeff[target.about]\nshare = 0.02\n"),
        ('[target.about]\nnames = "share = 0.5" # share = 1\n', None),
        ("[judge]\n[target.about]\n\tshare = 0.5\n", "[judge]\n[target.about]\n\tshare = 0.02\n"),
    ],
)
def test_lines_keep_their_comments_blanks_and_ends(section: str, expected: str | None) -> None:
    found = edited(section, "target.about", {"share": 0.02})
    if expected is not None:
        assert found == expected
    kept = [line for line in section.splitlines() if "share" not in line or line.startswith(("#", "names"))]
    assert [line for line in found.splitlines() if line in kept] == kept
    assert tomllib.loads(found.removeprefix("\ufeff"))["target"]["about"]["share"] == 0.02


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[target]\nabout.share = 0.5\n",
        "[target]\nabout = {share = 0.5}\n",
        "# [target.about]\n",
        '[target.about]\ndomains = [\n  "th",\n]\n',
        '[x]\ny = """\n[target.about]\n"""\n',
        "[target.about]\nshare = 0.5\nshare = 0.6\n",
        "not toml\n[target.about]\n",
    ],
)
def test_what_cannot_be_changed_by_lines_is_left_with_a_word(text: str) -> None:
    with pytest.raises(ConfigError, match=r"by hand\.$"):
        edited(text, "target.about", {"share": 0.02, "domains": []})


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-6, 1.0), st.integers(1, 99), st.lists(st.sampled_from(["th", "xn--o3cw4h"])), st.booleans())
def test_settings_read_back_are_those_that_were_set(share: float, variety: int, domains: list[str], crlf: bool) -> None:
    text = template(ASKED).replace("\n", "\r\n" if crlf else "\n")
    values = {"share": share, "variety": variety, "domains": domains}
    about = tomllib.loads(edited(text, "target.about", values))["target"]["about"]
    assert about == {"nation": "TH", "languages": ["en"]} | values


def test_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "crawl.toml"
    path.write_text(template(ASKED))
    path.chmod(0o640)
    set_values(path, "target.about", {"variety": 4})
    assert load(path).about.variety == 4
    assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(ConfigError):
        set_values(path, "target.nothing", {"variety": 4})
    assert [one.name for one in tmp_path.iterdir()] == ["crawl.toml"]
    with pytest.raises(DirectoryError, match="nowhere"):
        set_values(tmp_path / "nowhere" / "crawl.toml", "target.about", {"variety": 4})
