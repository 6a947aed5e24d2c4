"""Charsets with honest, missing and lying labels, for the charsets that national webs were written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.charset import decode
from exonym.extract.labels import charset_named

THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีสถานที่ท่องเที่ยวมากมายในทุกจังหวัด"
JAPANESE = "日本の首都は東京です。毎日たくさんの観光客が訪れています。今日のニュースをお届けします。"
KOREAN = "대한민국의 수도는 서울이다. 오늘의 뉴스와 날씨를 전해 드립니다. 새로운 지하철역이 문을 열었습니다."
SIMPLIFIED = "中国的首都是北京。今天的新闻和天气预报。许多游客来到这里参观历史悠久的城市和美丽的风景。"
TRADITIONAL = "台灣的首都是台北。今天的新聞和天氣預報。許多遊客來到這裡參觀歷史悠久的城市和美麗的風景。"

# label on the wire, Python's encoder, text, name by the WHATWG standard, names that detection may give
LEGACY = [
    ("tis-620", "tis-620", THAI, "windows-874", {"windows-874"}),
    ("windows-874", "cp874", THAI, "windows-874", {"windows-874"}),
    ("euc-jp", "euc-jp", JAPANESE, "euc-jp", {"euc-jp"}),
    ("shift_jis", "shift_jis", JAPANESE, "shift_jis", {"shift_jis"}),
    ("iso-2022-jp", "iso-2022-jp", JAPANESE, "iso-2022-jp", {"iso-2022-jp"}),
    ("euc-kr", "euc-kr", KOREAN, "euc-kr", {"euc-kr"}),
    ("gb18030", "gb18030", SIMPLIFIED, "gb18030", {"gb18030", "gbk"}),
    ("gb2312", "gb2312", SIMPLIFIED, "gbk", {"gb18030", "gbk"}),
    ("big5", "big5", TRADITIONAL, "big5", {"big5"}),
]
legacy = pytest.mark.parametrize(("label", "encoder", "text", "name", "names"), LEGACY)


def _page(text: str, encoder: str, meta: str = "") -> bytes:
    head = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">' if meta else ""
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>".encode(encoder)


@legacy
def test_honest_header_is_believed(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder), f'text/html; charset="{label.upper()}"')
    assert text in decoded.text
    assert decoded.charset == name


@legacy
def test_honest_meta_is_believed(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder, label), "text/html")
    assert text in decoded.text
    assert decoded.charset == name


@legacy
def test_without_label_the_bytes_tell(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder), None)
    assert text in decoded.text
    assert decoded.charset in names


@legacy
@pytest.mark.parametrize("lie", ["iso-8859-1", "utf-8", "windows-1251", "tis-620", "euc-kr", "utf-16", "nonsense"])
def test_lying_label_loses(label: str, encoder: str, text: str, name: str, names: set[str], lie: str) -> None:
    decoded = decode(_page(text, encoder, lie), f"text/html; charset={lie}")
    assert text in decoded.text


@legacy
def test_honest_meta_outlives_a_lying_header(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    assert text in decode(_page(text, encoder, label), "text/html; charset=iso-8859-1").text


@pytest.mark.parametrize("label", ["tis-620", "iso-8859-1", "shift_jis", ""])
def test_utf8_is_utf8_whatever_the_label(label: str) -> None:
    decoded = decode(_page(THAI, "utf-8"), f"text/html; charset={label}")
    assert (decoded.charset, decoded.evidence) == ("utf-8", "bytes")
    assert THAI in decoded.text


def test_utf8_cut_in_the_middle_of_a_letter_is_still_utf8() -> None:
    assert decode(THAI.encode()[:-1], None).text == THAI[:-1]


def test_utf8_with_a_strayed_byte_is_still_utf8() -> None:
    decoded = decode(THAI.encode() + b"\xa9 2004", "text/html; charset=iso-8859-1")
    assert decoded.charset == "utf-8"


def test_utf8_that_begins_with_strayed_bytes_is_still_utf8() -> None:
    assert decode(b"<title>caf\xe9 \xa9\xae</title>" + THAI.encode() * 3, None).charset == "utf-8"


def test_strayed_byte_does_not_cost_a_korean_page_its_label() -> None:
    decoded = decode(_page(KOREAN * 5, "euc-kr") + b"\xff", "text/html; charset=euc-kr")
    assert decoded.charset == "euc-kr"


def test_few_foreign_letters_are_read_by_the_label() -> None:
    assert decode("<p>caf\u00e9".encode("latin-1"), "text/html; charset=iso-8859-1").text == "<p>café"


@pytest.mark.parametrize(
    ("mark", "encoder", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
    ],
)
def test_byte_order_mark_decides(mark: bytes, encoder: str, name: str) -> None:
    decoded = decode(mark + THAI.encode(encoder), "text/html; charset=tis-620")
    assert (decoded.text, decoded.charset, decoded.evidence) == (THAI, name, "bom")


def test_xml_declaration_is_a_label() -> None:
    body = b"<?xml version='1.0' encoding='TIS-620'?><html><body>plain"
    assert decode(body, None).charset == "windows-874"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("TIS-620", "windows-874"),
        ("iso-8859-11", "windows-874"),
        ("latin1", "windows-1252"),
        ("x-sjis", "shift_jis"),
        ("ks_c_5601-1987", "euc-kr"),
        (" 'UTF8' ", "utf-8"),
        ("bogus", ""),
    ],
)
def test_labels_mean_what_the_whatwg_standard_says(label: str, name: str) -> None:
    assert charset_named(label) == name


@given(st.binary(), st.none() | st.text())
def test_any_bytes_decode_to_text_that_can_be_written(body: bytes, content_type: str | None) -> None:
    decode(body, content_type).text.encode()
