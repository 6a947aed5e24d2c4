"""Charsets with honest, missing and lying labels, for the charsets that national webs were written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.charset import decode
from exonym.extract.charset_labels import charset_named

THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีสถานที่ท่องเที่ยวมากมายในทุกจังหวัด"
JAPANESE = "日本の首都は東京です。毎日たくさんの観光客が訪れています。今日のニュースをお届けします。"
KOREAN = "대한민국의 수도는 서울이다. 오늘의 뉴스와 날씨를 전해 드립니다. 새로운 지하철역이 문을 열었습니다."
SIMPLIFIED = "中国的首都是北京。今天的新闻和天气预报。许多游客来到这里参观历史悠久的城市和美丽的风景。"
TRADITIONAL = "台灣的首都是台北。今天的新聞和天氣預報。許多遊客來到這裡參觀歷史悠久的城市和美麗的風景。"
EXTENDED_KOREAN = KOREAN + " 똠방각하와 펲시콜라, 햏자 이야기."  # syllables that only cp949 has
RUSSIAN = "Столица России — город Москва. Сегодня новости и погода: много гостей приехало посмотреть старый город."
# Tone marks on their own, as windows-1258 writes them.
VIETNAMESE = (
    (
        "Thu\u0309 \u0111ô cu\u0309a Viê\u0323t Nam la\u0300 Ha\u0300 Nô\u0323i. Hôm nay trơ\u0300i n\u0103\u0301ng "
        "\u0111e\u0323p, nhiê\u0300u ngươ\u0300i \u0111ê\u0301n th\u0103m phô\u0301 cô\u0309."
    )
    .replace("la\u0300", "là")
    .replace("Ha\u0300", "Hà")
)
FRENCH = "Été comme hiver, les élèves déjà âgés préfèrent la forêt près du château; où sont passés leurs frères aînés?"
POLISH = "Zażółć gęślą jaźń. Święty Mikołaj późną nocą gonił źrebię przez łąkę, a dziś każdy mówi o tym głośno."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Dnešní zprávy a počasí: do města přijelo mnoho návštěvníků."
TURKISH = "Bugün hava güneşli, şehir çok kalabalık. Öğrenciler eski köprüyü görmek için ırmağın kıyısına gittiler."
GREEK = "Η πρωτεύουσα της Ελλάδας είναι η Αθήνα. Σήμερα ο καιρός είναι καλός και πολλοί επισκέπτες ήρθαν στην πόλη."

# label on the wire, Python's encoder, text, name by the WHATWG standard, names that detection may give
LEGACY = [
    ("tis-620", "tis-620", THAI, "windows-874", {"windows-874"}),
    ("windows-874", "cp874", THAI, "windows-874", {"windows-874"}),
    ("iso-8859-11", "iso8859-11", THAI, "windows-874", {"windows-874"}),
    ("euc-jp", "euc-jp", JAPANESE, "euc-jp", {"euc-jp"}),
    ("shift_jis", "shift_jis", JAPANESE, "shift_jis", {"shift_jis"}),
    ("iso-2022-jp", "iso-2022-jp", JAPANESE, "iso-2022-jp", {"iso-2022-jp"}),
    ("euc-kr", "euc-kr", KOREAN, "euc-kr", {"euc-kr"}),
    ("gb18030", "gb18030", SIMPLIFIED, "gb18030", {"gb18030", "gbk"}),
    ("gb2312", "gb2312", SIMPLIFIED, "gbk", {"gb18030", "gbk"}),
    ("gbk", "gbk", SIMPLIFIED, "gbk", {"gb18030", "gbk"}),
    ("hz", "hz", SIMPLIFIED, "hz-gb-2312", {"hz-gb-2312"}),
    ("big5", "big5", TRADITIONAL, "big5", {"big5"}),
    ("cp949", "cp949", EXTENDED_KOREAN, "euc-kr", {"euc-kr"}),
    ("windows-1258", "cp1258", VIETNAMESE, "windows-1258", {"windows-1258"}),
    ("windows-1251", "cp1251", RUSSIAN, "windows-1251", {"windows-1251"}),
    ("koi8-r", "koi8-r", RUSSIAN.replace("\u2014", "-"), "koi8-r", {"koi8-r", "koi8-u"}),
    ("iso-8859-5", "iso-8859-5", RUSSIAN.replace("\u2014", "-"), "iso-8859-5", {"iso-8859-5"}),
    ("iso-8859-1", "latin-1", FRENCH, "windows-1252", {"windows-1252"}),
    ("iso-8859-2", "iso-8859-2", POLISH * 2, "iso-8859-2", {"iso-8859-2"}),
    ("windows-1250", "cp1250", CZECH, "windows-1250", {"windows-1250"}),
    ("iso-8859-9", "iso-8859-9", TURKISH * 2, "windows-1254", {"windows-1254"}),
    ("windows-1253", "cp1253", GREEK, "windows-1253", {"windows-1253", "iso-8859-7"}),
]
SWITCHING = {"iso-2022-jp", "hz"}  # their escapes are seen, whatever the label
legacy = pytest.mark.parametrize(("label", "encoder", "text", "name", "names"), LEGACY)


def _page(text: str, encoder: str, meta: str = "") -> bytes:
    head = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">' if meta else ""
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>".encode(encoder)


@legacy
def test_honest_header_is_believed(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder), f'text/html; charset="{label.upper()}"')
    assert text in decoded.text
    assert (decoded.charset, decoded.charset_label) == (name, name)
    assert decoded.evidence == ("bytes" if encoder in SWITCHING else "http")


@legacy
def test_honest_meta_is_believed(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder, label), "text/html")
    assert text in decoded.text
    assert (decoded.charset, decoded.charset_label) == (name, name)
    assert decoded.evidence == ("bytes" if encoder in SWITCHING else "meta")


@legacy
def test_honest_xml_declaration_is_believed(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    body = f"<?xml version='1.0' encoding='{label}'?>".encode("ascii") + _page(text, encoder)
    decoded = decode(body, "application/xhtml+xml")
    assert text in decoded.text
    assert (decoded.charset, decoded.charset_label) == (name, name)
    assert decoded.evidence == ("bytes" if encoder in SWITCHING else "xml")


@legacy
def test_without_label_the_bytes_tell(label: str, encoder: str, text: str, name: str, names: set[str]) -> None:
    decoded = decode(_page(text, encoder), None)
    assert text in decoded.text
    assert decoded.charset in names
    assert decoded.charset_label == ""
    assert decoded.evidence == ("bytes" if encoder in SWITCHING else "detected")


@legacy
@pytest.mark.parametrize("lie", ["iso-8859-1", "utf-8", "windows-1251", "tis-620", "euc-kr", "utf-16", "nonsense"])
def test_lying_label_loses(label: str, encoder: str, text: str, name: str, names: set[str], lie: str) -> None:
    decoded = decode(_page(text, encoder, lie), f"text/html; charset={lie}")
    assert text in decoded.text
    assert decoded.charset_label == charset_named(lie)
    if charset_named(lie) != name:
        assert decoded.evidence == ("bytes" if encoder in SWITCHING else "detected")


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


def test_label_in_a_comment_is_none() -> None:
    body = b"<!-- <meta charset=tis-620> --><meta charset=euc-kr><p>plain"
    assert decode(body, None).charset_label == "euc-kr"
    assert decode(b"<!-- <meta charset=tis-620>", None).charset_label == ""


def test_label_of_the_header_is_told_before_the_pages_own() -> None:
    decoded = decode(_page(THAI, "tis-620", "tis-620"), "text/html; charset=iso-8859-1")
    assert (decoded.charset, decoded.evidence, decoded.charset_label) == ("windows-874", "meta", "windows-1252")


def test_unknown_label_of_the_header_leaves_the_pages_own() -> None:
    assert decode(_page(THAI, "utf-8", "tis-620"), "text/html; charset=bogus").charset_label == "windows-874"


def test_label_is_kept_beside_a_byte_order_mark() -> None:
    assert decode(b"\xef\xbb\xbf" + THAI.encode(), "text/html; charset=tis-620").charset_label == "windows-874"


@pytest.mark.parametrize("text", ["กรุงเทพมหานคร", "ยินดีต้อนรับ", "ข่าววันนี้ 2004", "หน้าแรก | ติดต่อเรา"])
@pytest.mark.parametrize("label", ["", "iso-8859-1", "utf-8"])
def test_few_words_of_thai_are_no_chinese_and_no_latin(text: str, label: str) -> None:
    decoded = decode(f"<p>{text}</p>".encode("tis-620"), f"text/html; charset={label}")
    assert (decoded.charset, decoded.evidence) == ("windows-874", "detected")


@pytest.mark.parametrize("text", ["北京市长春路", "今天的新闻和天气", "首页 | 联系我们 | 新闻"])
def test_few_words_of_chinese_are_no_thai(text: str) -> None:
    assert text in decode(f"<p>{text}</p>".encode("gbk"), None).text


@pytest.mark.parametrize("lie", ["tis-620", "windows-1251", "euc-kr", "shift_jis", "big5"])
@pytest.mark.parametrize(
    "text", ["A café in the city, naïve as ever", "Copyright © 2004 A. N. Other", "La città è qui"]
)
def test_few_accents_in_latin_text_are_not_read_by_the_label_of_another_script(text: str, lie: str) -> None:
    decoded = decode(_page(text, "latin-1", lie), None)
    assert text in decoded.text
    assert (decoded.evidence, decoded.charset_label) == ("detected", charset_named(lie))


def test_few_letters_side_by_side_are_read_by_the_label_of_their_script() -> None:
    assert "Bangkok กทม" in decode(_page("Bangkok กทม", "tis-620", "tis-620"), None).text


def test_tilde_in_hz_text_outlives_decoding() -> None:
    body = '<a href="/~wang/index.html">{}</a>'.replace("{}", "中文新闻").encode("hz").replace(b"/~~w", b"/~w")
    assert decode(body, "text/html; charset=hz").text == '<a href="/~wang/index.html">中文新闻</a>'


@pytest.mark.parametrize("text", ["a ~{ b ~} c", "x = ~{1};", "~{", "/~user/"])
def test_ascii_with_tildes_and_braces_is_no_hz(text: str) -> None:
    assert decode(text.encode(), None).text == text


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


def test_unclosed_hz_is_text_to_the_end_of_its_run() -> None:
    body = "中文新闻".encode("hz") + b" and " + "中文".encode("hz").removesuffix(b"~}") + b"\nplain"
    assert decode(body, None).text == "中文新闻 and 中文\nplain"


@given(st.binary(), st.none() | st.text())
def test_any_bytes_decode_to_text_that_can_be_written(body: bytes, content_type: str | None) -> None:
    decode(body, content_type).text.encode()
