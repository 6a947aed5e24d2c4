"""Equations 1 to 5 of Suebchua's thesis to the letter, beside the G-mean that we compute: the remark in why/segments.

The thesis divides false positives by the number of positive samples, and false negatives by that of negative samples.
"""

import math
from pathlib import Path

import pytest

from exonym.published.thesis import TOPICS
from exonym.training.scores import Scores

PAGE = (Path(__file__).parents[3] / "docs/why/segments.md").read_text(encoding="utf-8")
TOPIC_CLASSIFIER = 6_112, 80_648  # Table 2, Thai-tourism: positive and negative examples


def printed_g_mean(counts: Scores) -> float:
    positive = counts.true_positives + counts.false_negatives
    negative = counts.true_negatives + counts.false_positives
    tp, fp = counts.true_positives / positive, counts.false_positives / positive  # equations 2 and 3
    fn, tn = counts.false_negatives / negative, counts.true_negatives / negative  # equations 4 and 5
    return math.sqrt(tp / (tp + fn) * tn / (tn + fp))  # equation 1


def counts_for(positive: int, negative: int, recall: float) -> Scores:
    """The counts of a classifier that recognises the same share of both classes."""
    found, refused = round(recall * positive), round(recall * negative)
    return Scores(found, positive - found, refused, negative - refused)


def sizes() -> list[tuple[int, int]]:
    return [TOPIC_CLASSIFIER, *((topic.relevant, topic.irrelevant) for topic in TOPICS.values())]


@pytest.mark.parametrize(("size", "printed"), list(zip(sizes(), ["76.7", "91.2", "87.4", "90.3"], strict=True)))
def test_printed_equations_give_less_than_95_per_cent_where_both_recalls_are_95(
    size: tuple[int, int], printed: str
) -> None:
    counts = counts_for(*size, recall=0.95)
    assert f"{100 * counts.g_mean:.1f}" == "95.0"
    assert f"{100 * printed_g_mean(counts):.1f}" == printed
    assert f"| {size[0]:,} : {size[1]:,} | {printed} % |" in PAGE


def test_printed_equations_give_the_same_where_both_classes_are_equally_large() -> None:
    counts = counts_for(2_000, 2_000, recall=0.95)
    assert printed_g_mean(counts) == pytest.approx(counts.g_mean) == pytest.approx(0.95)


def test_printed_equations_would_need_recalls_over_99_per_cent_for_the_thesis_95_78() -> None:
    assert printed_g_mean(counts_for(*TOPIC_CLASSIFIER, recall=0.993)) < 0.9578
    assert printed_g_mean(counts_for(*TOPIC_CLASSIFIER, recall=0.994)) > 0.9578
