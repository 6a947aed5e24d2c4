"""Two crawls side by side: pages by language, as in Table 4 of Chan and Yamana (2010).

Takes counts by language code, "" for unknown, as `exonym status --json` and results of simulations have them; so any
two crawls can be compared.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

OTHER = "other"  # all languages that are not asked for; pages of unknown language too
CJK = ("zh", "ja", "ko")


class LanguageRow(NamedTuple):
    """The pages in one language in both crawls."""

    language: str  # a code, or OTHER
    pages: tuple[int, int]
    shares: tuple[float | None, float | None]  # None of a crawl without pages

    @property
    def difference(self) -> float | None:
        """By how much the share is larger in the second crawl."""
        before, after = self.shares
        return None if before is None or after is None else after - before


def compare_languages(a: Mapping[str, int], b: Mapping[str, int], languages: Sequence[str] = CJK) -> list[LanguageRow]:
    """A row for each of the languages, and one for all others."""
    first, second = grouped(a, languages), grouped(b, languages)
    totals = sum(first.values()), sum(second.values())
    return [
        LanguageRow(one, (first[one], second[one]), (_share(first[one], totals[0]), _share(second[one], totals[1])))
        for one in first
    ]


def grouped(counts: Mapping[str, int], languages: Sequence[str] = CJK) -> dict[str, int]:
    """Pages in each of the languages, and in all others together; variants (zh-Hant) belong to their language."""
    found = dict.fromkeys([*languages, OTHER], 0)
    for code, pages in counts.items():
        language = code.partition("-")[0]
        found[language if language in languages else OTHER] += pages
    return found


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
