"""Figures of identifiers, worked out by hand, and what must hold of any."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.language.base import PARTLY, Identified
from exonym.language.evaluation import PUBLISHED, Confusion, Identification, YesNoScore, evaluated, outcome_of

# 35 pages: 10 Thai, 20 English, 5 in no language.
COUNTED = {
    Identification("th", "th", True): 8,
    Identification("th", "", False): 1,
    Identification("th", "en", True): 1,  # taken for English, but for partly Thai
    Identification("en", "en", False): 14,
    Identification("en", "en", True): 1,  # English, but said to be partly Thai
    Identification("en", "th", True): 2,
    Identification("en", "de", False): 3,
    Identification("", "", False): 4,
    Identification("", "en", False): 1,
}
OUTCOMES = st.builds(
    Identification,
    st.sampled_from(["", "th", "en", "lo"]),
    st.sampled_from(["", "th", "en", "lo", "de"]),
    st.booleans(),
)
COUNTS = st.dictionaries(OUTCOMES, st.integers(1, 50))


def _found(language: str, shares: dict[str, float] | None = None, variant: str = "") -> Identified:
    return Identified(language, shares if shares is not None else {language: 1.0}, 1.0, (), variant)


# The table of two by two


def test_published_table_has_the_figures_that_the_paper_prints() -> None:
    # Table 2: 764 and 71 assigned as Thai, 50 and 1,115 as others; §3.3: 94 % accuracy, 91 % precision, 94 % recall.
    assert (PUBLISHED.right, PUBLISHED.mistaken, PUBLISHED.missed, PUBLISHED.rejected) == (764, 71, 50, 1_115)
    figures = (PUBLISHED.accuracy, PUBLISHED.precision, PUBLISHED.recall)
    assert [round(100 * (figure or 0)) for figure in figures] == [94, 91, 94]


def test_table_counts_pages_by_what_they_are_and_what_they_were_taken_for() -> None:
    target = evaluated(COUNTED, "th").target
    # Thai: 8 + 1 taken for Thai, 1 not. Others: 1 + 2 taken for Thai, 14 + 3 + 4 + 1 not.
    assert (target.right, target.missed, target.mistaken, target.rejected) == (9, 1, 3, 22)


def test_kinds_of_pages_have_tables_of_their_own_the_most_frequent_first() -> None:
    outcomes = {
        Identification("th", "", False, "frames"): 2,
        Identification("th", "th", True, "plain"): 5,
        Identification("en", "th", True, "plain"): 1,
        Identification("en", "en", False): 4,  # of no kind
    }
    cases = evaluated(outcomes, "th").cases
    assert list(cases.items()) == [("plain", YesNoScore(5, 6, 5, 6)), ("frames", YesNoScore(0, 0, 2, 2))]


# One outcome


def test_label_and_answer_are_compared() -> None:
    assert outcome_of("th", _found("th"), "th") == Identification("th", "th", True)
    assert outcome_of("th", _found("en"), "th") == Identification("th", "en", False)
    assert outcome_of("", _found("", {}), "th") == Identification("", "", False)


@pytest.mark.parametrize(("share", "is_partly"), [(PARTLY, True), (0.5, True), (PARTLY - 0.001, False), (0.0, False)])
def test_page_is_in_the_target_language_from_a_tenth_on(share: float, is_partly: bool) -> None:
    found = _found("en", {"en": 1 - share, "th": share})
    assert outcome_of("en", found, "th") == Identification("en", "en", is_partly)


def test_part_in_the_target_language_counts_where_no_language_prevails() -> None:
    assert outcome_of("th", _found("", {"th": 0.2}), "th") == Identification("th", "", True)


@pytest.mark.parametrize(
    ("label", "variant", "answer"),
    [
        ("zh", "Hant", "zh"),
        ("zh", "", "zh"),
        ("zh-Hant", "Hant", "zh-Hant"),
        ("zh-Hant", "Hans", "zh-Hans"),
        ("zh-Hant", "", "zh"),
    ],
)
def test_variant_is_asked_for_by_labels_that_have_one(label: str, variant: str, answer: str) -> None:
    assert outcome_of(label, _found("zh", variant=variant), "th").answer == answer


def test_unknown_page_has_no_variant() -> None:
    assert outcome_of("zh-Hant", _found("", {}), "zh-Hant") == Identification("zh-Hant", "", False)


@pytest.mark.parametrize(
    ("target", "variant", "has_target"),
    [("zh", "Hant", True), ("zh-Hant", "Hant", True), ("zh-Hant", "Hans", False), ("zh-Hant", "", False)],
)
def test_target_may_be_a_variant(target: str, variant: str, has_target: bool) -> None:
    assert outcome_of("zh-Hant", _found("zh", variant=variant), target).has_target is has_target


# Figures by hand


def test_pages_are_counted() -> None:
    found = evaluated(COUNTED, "th")
    assert (found.pages, found.right, found.unknown) == (35, 8 + 15 + 4, 1 + 4)
    assert found.accuracy == pytest.approx(27 / 35)


def test_each_language_has_its_precision_recall_and_f1() -> None:
    languages = evaluated(COUNTED, "th").languages
    assert list(languages) == ["en", "th"]  # the most frequent first; nothing was labelled German
    thai, english = languages["th"], languages["en"]
    assert [thai.precision, thai.recall, thai.f1] == pytest.approx([0.8, 0.8, 0.8])
    assert thai.accuracy == pytest.approx(31 / 35)
    assert english.precision == pytest.approx(15 / 17)  # of a Thai page, of 15 English ones, of one without language
    assert english.recall == pytest.approx(15 / 20)
    assert english.f1 == pytest.approx(30 / 37)


def test_mean_f1_counts_every_language_alike() -> None:
    assert evaluated(COUNTED, "th").macro_f1 == pytest.approx((0.8 + 30 / 37) / 2)


def test_target_is_found_where_a_part_is_said_to_be_in_it() -> None:
    target = evaluated(COUNTED, "th").target
    assert target == YesNoScore(right=9, said=12, due=10, pages=35)
    assert target.precision == pytest.approx(0.75)
    assert target.recall == pytest.approx(0.9)
    assert target.f1 == pytest.approx(9 / 11)
    assert target.accuracy == pytest.approx(31 / 35)  # one overlooked, three wrongly said


def test_worst_pairs_come_first() -> None:
    assert evaluated(COUNTED, "th").confusions == (
        Confusion("en", "de", 3, 20),
        Confusion("en", "th", 2, 20),
        Confusion("", "en", 1, 5),
        Confusion("th", "", 1, 10),
        Confusion("th", "en", 1, 10),
    )


def test_ten_pairs_are_enough() -> None:
    counts = {Identification("th", f"x{number:02}", False): 100 - number for number in range(12)}
    confusions = evaluated(counts, "th").confusions
    assert [pair.answer for pair in confusions] == [f"x{number:02}" for number in range(10)]


def test_variants_of_the_target_are_due() -> None:
    counts = {
        Identification("zh-Hant", "zh-Hant", True): 3,
        Identification("zh-Hans", "ja", False): 1,
        Identification("ja", "ja", False): 4,
    }
    assert evaluated(counts, "zh").target == YesNoScore(right=3, said=3, due=4, pages=8)
    assert evaluated(counts, "zh-Hant").target == YesNoScore(right=3, said=3, due=3, pages=8)


def test_nothing_to_judge_gives_no_figures() -> None:
    found = evaluated({}, "th")
    assert (found.accuracy, found.macro_f1, found.languages, found.confusions) == (None, None, {}, ())
    target = found.target
    assert (target.precision, target.recall, target.f1, target.accuracy) == (None, None, None, None)


def test_figures_without_grounds_are_none() -> None:
    never_said = YesNoScore(right=0, said=0, due=5, pages=10)
    assert (never_said.precision, never_said.recall, never_said.f1) == (None, 0.0, 0.0)
    assert never_said.accuracy == pytest.approx(0.5)
    never_due = YesNoScore(right=0, said=5, due=0, pages=10)
    assert (never_due.precision, never_due.recall, never_due.f1) == (0.0, None, 0.0)


# Laws


@given(COUNTS)
def test_figures_are_those_of_counting_page_by_page(counts: dict[Identification, int]) -> None:
    pages = [outcome for outcome, count in counts.items() for _ in range(count)]
    found = evaluated(counts, "th")
    assert found.pages == len(pages)
    assert found.right == sum(page.label == page.answer for page in pages)
    assert found.unknown == sum(not page.answer for page in pages)
    assert set(found.languages) == {page.label for page in pages} - {""}
    for name, score in found.languages.items():
        wrong = sum((page.label == name) != (page.answer == name) for page in pages)
        assert score.accuracy == pytest.approx(1 - wrong / len(pages))
    wrong = sum((page.label == "th") != page.has_target for page in pages)
    assert found.target.accuracy == (pytest.approx(1 - wrong / len(pages)) if pages else None)


@given(COUNTS)
def test_figures_are_shares_and_f1_lies_between_precision_and_recall(counts: dict[Identification, int]) -> None:
    found = evaluated(counts, "th")
    for score in (found.target, *found.languages.values()):
        given_figures = [one for one in (score.precision, score.recall, score.f1, score.accuracy) if one is not None]
        assert all(0 <= figure <= 1 for figure in given_figures)
        if score.precision is not None and score.recall is not None:
            low, high = sorted([score.precision, score.recall])
            assert score.f1 is not None
            assert low - 1e-9 <= score.f1 <= high + 1e-9
    assert found.macro_f1 is None or 0 <= found.macro_f1 <= 1


@given(COUNTS)
def test_swapping_labels_and_answers_swaps_precision_and_recall(counts: dict[Identification, int]) -> None:
    swapped: Counter[Identification] = Counter()
    for outcome, count in counts.items():
        swapped[Identification(outcome.answer, outcome.label, outcome.has_target)] += count
    there, back = evaluated(counts, "th").languages, evaluated(swapped, "th").languages
    for name in there.keys() & back.keys():
        assert (there[name].precision, there[name].recall) == (back[name].recall, back[name].precision)
        assert there[name].f1 == back[name].f1


@given(COUNTS, st.integers(2, 9))
def test_shares_do_not_depend_on_how_often_all_was_tried(counts: dict[Identification, int], times: int) -> None:
    once, often = evaluated(counts, "th"), evaluated({one: count * times for one, count in counts.items()}, "th")
    assert often.accuracy == (None if once.accuracy is None else pytest.approx(once.accuracy))
    assert often.macro_f1 == (None if once.macro_f1 is None else pytest.approx(once.macro_f1))
    assert [pair[:2] for pair in often.confusions] == [pair[:2] for pair in once.confusions]


@given(COUNTS)
def test_order_of_outcomes_does_not_matter(counts: dict[Identification, int]) -> None:
    turned = dict(reversed(counts.items()))
    assert evaluated(turned, "th") == evaluated(counts, "th")


@given(COUNTS)
def test_confusions_are_what_is_wrong(counts: dict[Identification, int]) -> None:
    found = evaluated(counts, "th")
    assert all(pair.label != pair.answer and 0 < pair.pages <= pair.due for pair in found.confusions)
    assert [pair.pages for pair in found.confusions] == sorted((pair.pages for pair in found.confusions), reverse=True)
    wrong = sum(pair.pages for pair in found.confusions)
    assert wrong <= found.pages - found.right
    if len(found.confusions) < 10:
        assert wrong == found.pages - found.right
