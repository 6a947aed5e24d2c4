"""The pages on which the papers' identifier fails (§3.3 of the paper on the Thai web).

Thai pages taken for others: frames, mostly digits, half Thai and half English, numeric character references. English
pages taken for Thai: a wrong charset in <meta>. The pages are bytes, read as a crawl reads them.
"""

from collections.abc import Callable
from functools import cache

import pytest

from exonym.extract.html import extract
from exonym.judges.base import Verdict
from exonym.judges.by_name import make_judge

THAI = "วันนี้อากาศดีมาก เราจึงเดินไปตลาดเพื่อซื้อผลไม้และดอกไม้ แล้วนั่งรถไฟกลับบ้านในตอนเย็นกับเพื่อนที่โรงเรียน"
ENGLISH = (
    "The weather is fine today, so we walk to the market, where we buy fruit and flowers, and in the evening we take "
    "the train home with the friends that we met at school."
)
REFERENCES = "".join(f"&#{ord(letter)};" for letter in THAI)
HEXADECIMAL = "".join(f"&#x{ord(letter):x};" for letter in THAI)
EXCUSE = "<noframes><body>This page uses frames, but your browser does not support them.</body></noframes>"

FRAMES = f"<html><title>ตลาดริมแม่น้ำ</title><frameset cols='*'><frame src=a>{EXCUSE}</frameset></html>"
DIGITS = f"<html><title>ราคาทองคำวันนี้</title><table>{'<tr><td>19,850.00<td>20,150.50' * 200}</table></html>"
HALVES = f"<html><body><p>{THAI}</p><p>{ENGLISH}</p></body></html>"
MISLABELLED = (
    f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=tis-620"></head><p>{ENGLISH}</p></html>'
)


@cache
def judge_of(identifier: str) -> Callable[[str, str], Verdict]:
    judge = make_judge({"kind": "language", "languages": ["th"], "identifier": identifier})
    return lambda html, parent: judge.judge(
        extract(html.encode(), "http://a.example/", "text/html", parent_language=parent)
    )


@pytest.mark.parametrize(
    ("page", "classic"),
    [
        pytest.param(DIGITS, "", id="mostly digits"),
        pytest.param(HALVES, "en", id="half Thai, half English"),
        pytest.param(f"<html><p>{REFERENCES}</html>", "", id="numeric references"),
        pytest.param(f"<html><p>{HEXADECIMAL}</html>", "en", id="hexadecimal references"),  # made of x, a, b, e
        pytest.param(f"<html><p>{REFERENCES}<p>{ENGLISH}</html>", "en", id="numeric references and English"),
    ],
)
def test_thai_page_is_missed_by_the_classic_identifier_only(page: str, classic: str) -> None:
    missed, found = judge_of("classic")(page, ""), judge_of("default")(page, "")
    assert (missed.language, missed.relevant) == (classic, False)
    assert found.relevant
    assert found.shares["th"] > 0.3


def test_frames_page_has_the_language_of_its_excuse_by_the_classic_identifier() -> None:
    verdict = judge_of("classic")(FRAMES, "th")
    assert (verdict.language, verdict.relevant) == ("en", False)


def test_frames_page_is_unknown_to_the_default_identifier_and_inherits_the_language_that_links_to_it() -> None:
    assert judge_of("default")(FRAMES, "").language == ""
    verdict = judge_of("default")(FRAMES, "th")
    assert (verdict.language, verdict.relevant) == ("th", True)


def test_english_page_labelled_tis_620_is_thai_to_the_classic_identifier_only() -> None:
    mistaken, found = judge_of("classic")(MISLABELLED, ""), judge_of("default")(MISLABELLED, "")
    assert (mistaken.language, mistaken.relevant) == ("th", True)
    assert (found.language, found.relevant) == ("en", False)
