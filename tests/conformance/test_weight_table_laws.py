"""The weight-table judge keeps the laws of judges, whatever its table."""

import pytest

from exonym.judges.language import AnyLanguage, LanguageJudge
from exonym.judges.weight_table import WeightTableJudge
from exonym.models.weight_table import LARGEST, TableSettings, WeightedTerm, WeightTable
from exonym.models.weight_table_words import TextToTerms
from exonym.testing.judges import check_judge

TERMS = {term: WeightedTerm(weight, 1, 1, 1) for term, weight in [("fox", 3.0), ("wood", 0.5), ("a", LARGEST)]}


@pytest.mark.parametrize("stem", [True, False])
@pytest.mark.parametrize("threshold", [0.0, 2.0])
def test_weight_table_judge_keeps_the_laws(stem: bool, threshold: float) -> None:
    table = WeightTable(reading=TextToTerms(stem=stem), terms=TERMS, typical_weight=5.0)
    check_judge(lambda: WeightTableJudge(table, LanguageJudge(("en", "th")), threshold))


def test_judge_by_the_heaviest_table_keeps_the_laws() -> None:
    heaviest = TableSettings(url_weight=LARGEST, title_weight=LARGEST, body_weight=LARGEST, page_threshold=0.0)
    reading = TextToTerms(stem=False, drop_stop_words=False)
    words = ["a", "the", "www", "example", "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง"]
    table = WeightTable(heaviest, reading, {word: WeightedTerm(LARGEST, 1, 1, 1) for word in words})
    check_judge(lambda: WeightTableJudge(table, AnyLanguage()))


def test_judge_by_an_empty_table_keeps_the_laws() -> None:
    check_judge(lambda: WeightTableJudge(WeightTable(), AnyLanguage()))
