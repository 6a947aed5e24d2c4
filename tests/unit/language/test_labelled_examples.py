"""Labelled examples: what a line may say, and every way in which it may say it wrongly."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import DirectoryError
from exonym.language.base import NO_CLUES
from exonym.language.evaluation import BadLine, LabelledText, examples, read_labelled

THAI = "ตลาดเก่าริมแม่น้ำเปิดตั้งแต่เช้าตรู่"


def _line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _page_line(html: str | bytes, label: str = "th", **fields: Any) -> bytes:
    body = html if isinstance(html, bytes) else html.encode()
    return _line(html_base64=base64.b64encode(body).decode(), label=label, **fields)


def _example(line: bytes) -> LabelledText:
    (found,) = examples([line])
    assert isinstance(found, LabelledText), found
    return found


def _fault(line: bytes) -> str:
    (found,) = examples([line])
    assert isinstance(found, BadLine), found
    return found.reason


# Texts


def test_text_comes_with_its_label_and_line() -> None:
    assert list(examples([_line(text=THAI, label="th")])) == [LabelledText(THAI, NO_CLUES, "th", 1)]


def test_text_may_be_written_out_or_escaped() -> None:
    written = json.dumps({"text": THAI, "label": "th"}, ensure_ascii=False).encode()
    assert _example(written) == _example(_line(text=THAI, label="th"))


@pytest.mark.parametrize(
    ("label", "code"),
    [
        ("th", "th"),
        ("tha", "th"),
        ("Thai", "th"),
        ("th-TH", "th"),
        ("nb", "no"),
        ("zh", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh_CN", "zh-Hans"),
        ("", ""),
        ("und", ""),
        ("unknown", ""),
        (" Unknown ", ""),
    ],
)
def test_label_is_any_name_of_a_language_or_of_none(label: str, code: str) -> None:
    assert _example(_line(text=THAI, label=label)).label == code


def test_empty_text_is_an_example_too() -> None:
    assert _example(_line(text="", label="unknown")) == LabelledText("", NO_CLUES, "", 1)


def test_more_fields_than_asked_for_do_no_harm() -> None:
    assert _example(_line(text="a", label="en", source="here", kind=[1, {}])) == LabelledText("a", NO_CLUES, "en", 1)


def test_text_is_taken_before_a_page() -> None:
    line = _line(text="a", html_base64="!", http_charset=7, label="en")
    assert _example(line) == LabelledText("a", NO_CLUES, "en", 1)


def test_byte_order_mark_before_the_first_line_is_passed_over() -> None:
    assert _example(b"\xef\xbb\xbf" + _line(text="a", label="en")).text == "a"


def test_blank_lines_are_passed_over_but_counted() -> None:
    lines = [b"\n", _line(text="a", label="en"), b"  \t\r\n", b"nonsense\n", b"", _line(text="b", label="de")]
    assert [found.line for found in examples(lines)] == [2, 4, 6]


# Pages


def test_page_is_read_as_a_crawl_reads_it() -> None:
    html = f"<html lang=th-TH><title>ข่าว</title><script>var x;</script><body><p>{THAI}</p><p>123</p></html>"
    found = _example(_page_line(html))
    assert found.text.split() == [THAI, "123"]
    assert (found.clues.language_tag, found.clues.title, found.clues.charset) == ("th-TH", "ข่าว", "utf-8")
    assert found.clues.is_frameset is False


def test_charset_of_the_header_is_heeded() -> None:
    found = _example(_page_line(f"<p>{THAI}".encode("cp874"), http_charset="TIS-620"))
    assert found.text.strip() == THAI
    assert (found.clues.charset, found.clues.charset_label) == ("windows-874", "windows-874")


@pytest.mark.parametrize("fields", [{}, {"http_charset": None}, {"http_charset": ""}])
def test_page_may_come_without_a_header(fields: dict[str, Any]) -> None:
    assert _example(_page_line(f"<p>{THAI}", **fields)).clues.charset_label == ""


@pytest.mark.parametrize("charset", ["klingon", "utf-8; charset=tis-620", "\n\x00", "ไทย", "x" * 5_000])
def test_header_may_name_any_charset(charset: str) -> None:
    assert THAI in _example(_page_line(f"<p>{THAI}", http_charset=charset)).text


def test_charset_of_the_page_is_heeded() -> None:
    found = _example(_page_line(f'<meta charset="windows-874"><p>{THAI}'.encode("cp874")))
    assert (found.text.strip(), found.clues.charset_label) == (THAI, "windows-874")


def test_numeric_character_references_are_read() -> None:
    assert _example(_page_line(f"<p>{THAI}".encode("ascii", "xmlcharrefreplace"))).text.strip() == THAI


def test_frameset_is_told() -> None:
    html = "<html><title>a</title><frameset cols='1,*'><frame src=b><frame src=c></frameset></html>"
    assert _example(_page_line(html, "unknown")).clues.is_frameset is True


@pytest.mark.parametrize("body", [b"", b"\x00\xff\xfe<", b"<" * 10_000])
def test_page_of_any_bytes_is_an_example(body: bytes) -> None:
    assert _example(_page_line(body, "unknown")).label == ""


# Bad lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense", "is not JSON"),
        (b'{"text": "a", "label": "th"', "is not JSON"),
        (b'{"text": "a", "label": "th"} {}', "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"text": ' + b"9" * 5_000 + b', "label": "th"}', "is not JSON"),  # more digits than Python reads
        (b"\xff\xfe{", "is not UTF-8"),
        ('{"text": "é", "label": "fr"}'.encode("latin-1"), "is not UTF-8"),
        (b'["text", "label"]', "is not a JSON object"),
        (b'"text"', "is not a JSON object"),
        (b"12", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b'{"text": "a"}', "label is missing"),
        (b'{"text": "a", "label": null}', "label is missing"),
        (b'{"text": "a", "label": 7}', "label is not a string"),
        (b'{"text": "a", "label": ["th"]}', "label is not a string"),
        (b'{"text": "a", "label": "thaiish"}', "label 'thaiish' is no language"),
        (b'{"text": "a", "label": "\\u001b[31m"}', "label '\\x1b[31m' is no language"),
        (b'{"text": "a", "label": "\\ud800"}', "label '\\ud800' is no language"),
        (b'{"label": "th"}', "has neither text nor html_base64"),
        (b"{}", "label is missing"),
        (b'{"text": null, "label": "th"}', "text is missing"),
        (b'{"text": 7, "label": "th"}', "text is not a string"),
        (b'{"text": {"a": "b"}, "label": "th"}', "text is not a string"),
        (b'{"html_base64": null, "label": "th"}', "html_base64 is missing"),
        (b'{"html_base64": true, "label": "th"}', "html_base64 is not a string"),
        (b'{"html_base64": "<p>", "label": "th"}', "html_base64 is not base64"),
        (b'{"html_base64": "abc", "label": "th"}', "html_base64 is not base64"),  # a letter is lacking
        (b'{"html_base64": "\\u0e01\\u0e02", "label": "th"}', "html_base64 is not base64"),
        (b'{"html_base64": "PHA+", "http_charset": 874, "label": "th"}', "http_charset is not a string"),
    ],
)
def test_bad_line_is_told_with_its_fault(line: bytes, reason: str) -> None:
    assert list(examples([_line(text="a", label="en"), line])) == [
        LabelledText("a", NO_CLUES, "en", 1),
        BadLine(2, reason),
    ]


def test_long_label_is_cut_short() -> None:
    assert len(_fault(_line(text="a", label="q" * 10_000))) < 100


# Files


def test_file_is_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    path.write_bytes(_line(text="a", label="en") + b"\n?\n" + _line(text="b", label="de").rstrip())
    assert list(read_labelled(path)) == [
        LabelledText("a", NO_CLUES, "en", 1),
        BadLine(3, "is not JSON"),
        LabelledText("b", NO_CLUES, "de", 4),
    ]


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    path = tmp_path / "labelled.jsonl"
    path.write_bytes(_line(text="a", label="en").replace(b"\n", b"\r\n") * 2)
    assert [found.line for found in read_labelled(path)] == [1, 2]


def test_empty_file_has_no_examples(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    assert list(read_labelled(tmp_path / "empty.jsonl")) == []


@pytest.mark.parametrize(("name", "said"), [("missing.jsonl", "No such file"), (".", "Is a directory")])
def test_file_that_cannot_be_read_is_told_in_one_line(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(DirectoryError, match=said) as refused:
        list(read_labelled(tmp_path / name))
    assert len(str(refused.value).splitlines()) == 1


# Laws


@given(st.binary())
def test_any_line_is_an_example_or_told_as_bad(line: bytes) -> None:
    assert len(list(examples([line]))) == bool(line.strip())


_JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3))


@given(
    st.dictionaries(st.sampled_from(["text", "label", "html_base64", "http_charset"]), _JSON | st.just("th")),
)
def test_any_object_is_an_example_or_told_as_bad(fields: dict[str, Any]) -> None:
    (found,) = examples([_line(**fields)])
    if isinstance(found, BadLine):
        assert len(found.reason.splitlines()) == 1


@given(st.text(), st.sampled_from(["th", "zh-Hant", "und", "de"]))
def test_what_is_written_comes_back(text: str, label: str) -> None:
    expected = "" if label == "und" else label
    assert _example(_line(text=text, label=label)) == LabelledText(text, NO_CLUES, expected, 1)


@given(st.binary(max_size=300))
def test_any_bytes_can_be_a_page(body: bytes) -> None:
    assert _example(_page_line(body)).label == "th"
