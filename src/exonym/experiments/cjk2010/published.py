"""The figures that Chan and Yamana (2010) publish of their control experiment: Table 4."""

from typing import NamedTuple

PAPER = "Chan, Yamana: The Method of Improving the Specific Language Focused Crawler (2010)"
SEEDS = 1_000  # of each language


class CrawlPair(NamedTuple):
    """One of the three pairs of crawls."""

    language: str
    name: str
    profile: str
    domain: str  # the top-level domain that the rule looks for
    figures: tuple[int, int]
    baseline: dict[str, int]  # pages by language; the paper prints CN-C's Korean pages as 1.052
    rule: dict[str, int]


NATIONS = (
    CrawlPair(
        *("ko", "Korean", "korean2010", "kr", (4, 5)),
        baseline={"zh": 12_523, "ja": 1_926, "ko": 80_049, "other": 36_273},
        rule={"zh": 1_757, "ja": 380, "ko": 11_328, "other": 2_386},
    ),
    CrawlPair(
        *("ja", "Japanese", "japanese2010", "jp", (6, 7)),
        baseline={"zh": 6_555, "ja": 66_235, "ko": 108, "other": 2_838},
        rule={"zh": 1_179, "ja": 11_890, "ko": 24, "other": 465},
    ),
    CrawlPair(
        *("zh", "Chinese", "chinese2010", "cn", (8, 9)),
        baseline={"zh": 112_924, "ja": 2_468, "ko": 1_052, "other": 11_321},
        rule={"zh": 10_078, "ja": 202, "ko": 99, "other": 1_015},
    ),
)
