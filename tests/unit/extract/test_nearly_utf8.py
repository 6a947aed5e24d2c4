"""UTF-8 with bad bytes in it, and pages in other charsets that must not pass for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.charset import decode
from exonym.extract.html import extract
from exonym.language.base import clues_of
from exonym.language.detector import identify

TEXTS = {
    "th": "ตลาดเก่าริมแม่น้ำเปิดแต่เช้าตรู่ ผู้คนจากทุกหมู่บ้านมาซื้อผักและปลาสดที่นี่ทุกวัน",
    "ru": "Старый рынок у реки открывается рано утром, и люди из каждой деревни идут туда за свежей рыбой.",
    "zh": "河边的老市场一大早就开门了，附近村子里的人每天都来这里买新鲜的蔬菜和鱼，学校在寺庙和桥的旁边。",
    "ko": "강가에 있는 오래된 시장은 아침 일찍 문을 열고 마을 사람들은 날마다 이곳에서 채소와 생선을 삽니다.",
    "ja": "川のそばの古い市場は朝早く開き、近くの村の人々は毎日ここで新しい野菜と魚を買います。",
    "de": "Der alte Markt am Fluß öffnet früh, und Leute aus jedem Dörfchen kaufen täglich Gemüse für die Küche.",
    "fr": "Le vieux marché près de la rivière est déjà animé à l'aube, où les élèves achètent des légumes frais.",
    "vi": "Khu chợ cũ bên sông mở cửa từ sáng sớm, người dân các làng đến đây mua rau và cá tươi mỗi ngày.",
}
LEGACY = {
    "th": ["cp874", "tis-620"],
    "ru": ["cp1251", "koi8-r", "iso-8859-5"],
    "zh": ["gbk", "gb18030"],
    "ko": ["euc-kr", "cp949"],
    "ja": ["euc-jp", "shift_jis"],
    "de": ["iso-8859-1", "cp1252"],
    "fr": ["iso-8859-1", "cp1252"],
}
PAIRS = [(language, encoder) for language, encoders in LEGACY.items() for encoder in encoders]
ENCODED_ADVERTISEMENTS = [TEXTS[language].encode(encoder) for language, encoder in PAIRS]
LABELS = [None, "text/html; charset=utf-8", "text/html; charset=iso-8859-1"]
PARAGRAPHS = 40
FILLER = "<script>var settings = {width: 640, height: 480, colour: 'blue'};</script>\n"

languages = pytest.mark.parametrize("language", TEXTS)
labels = pytest.mark.parametrize("label", LABELS)


def _page(language: str, before: bytes = b"", middle: bytes = b"", after: bytes = b"") -> bytes:
    """A page of many paragraphs, with other bytes at its beginning, in its middle, or at its end."""
    half = "".join(f"{FILLER}<p>{TEXTS[language]}</p>\n" for _ in range(PARAGRAPHS // 2)).encode()
    return b"<html><body>" + before + half + middle + half + after + b"</body></html>"


def _bad_bytes(language: str) -> bytes:
    """Bytes that no UTF-8 has in this order: one for twenty of a page's letters beyond ASCII."""
    letters = sum(not letter.isascii() for letter in TEXTS[language]) * PARAGRAPHS
    return b"\xe9\x92\xff" * (letters // 60)


@languages
@labels
@pytest.mark.parametrize("place", ["before", "middle", "after"])
def test_cluster_of_bad_bytes_costs_only_itself(language: str, label: str | None, place: str) -> None:
    decoded = decode(_page(language, **{place: _bad_bytes(language)}), label)
    assert (decoded.charset, decoded.evidence) == ("utf-8", "bytes")
    assert decoded.text.count(TEXTS[language]) == PARAGRAPHS
    assert "\ufffd" in decoded.text


@languages
@labels
@pytest.mark.parametrize("place", ["before", "middle", "after"])
def test_fragment_in_another_charset_costs_only_itself(language: str, label: str | None, place: str) -> None:
    for advertisement in ENCODED_ADVERTISEMENTS:
        for fragment in (b"<p>" + advertisement + b"</p>", b"<!-- " + advertisement + b" -->"):
            decoded = decode(_page(language, **{place: fragment}), label)
            assert decoded.charset == "utf-8"
            assert decoded.text.count(TEXTS[language]) == PARAGRAPHS


@languages
@labels
@pytest.mark.parametrize("damage", [b"", b"\xff", b"\xe9\x92\xff" * 20])
def test_truncated_last_letter_costs_only_itself(language: str, label: str | None, damage: bytes) -> None:
    body = _page(language, middle=damage).removesuffix(b"</body></html>") + "é".encode()[:1]
    decoded = decode(body, label)
    assert decoded.charset == "utf-8"
    assert decoded.text.count(TEXTS[language]) == PARAGRAPHS


def test_thai_newspaper_with_clusters_of_bad_bytes_is_thai() -> None:
    """161 bad bytes among 8,149 letters, most of them in two clusters, on a page that is half scripts."""
    cluster, thai = b"\xa9\x92\xe9 " * 20, TEXTS["th"].encode()
    article = b"<p>" + thai + b"</p>" + FILLER.encode() * 8
    body = b"<html><body>" + cluster + article * 40 + b"<p>\xff\xfe\xfd" + article * 40 + cluster + b"</body></html>"
    page = extract(body, "http://a.example/", "text/html; charset=utf-8")
    assert page.charset == "utf-8"
    assert identify(page.blocks, clues_of(page)).language == "th"


@languages
@labels
def test_bad_bytes_in_one_letter_of_twenty_cost_only_these_letters(language: str, label: str | None) -> None:
    pieces = TEXTS[language].split(" ") if " " in TEXTS[language] else list(TEXTS[language])
    body = "".join(f"<p>{piece}</p>" for piece in pieces * 20).encode()
    letters = sum(byte >= 0xC0 for byte in body)
    for _ in range(letters // 20):
        place = max(range(len(body)), key=lambda at: (body[at] >= 0xC0, at * 7_919 % len(body)))
        body = body[:place] + b"?" + body[place + 1 :]
    assert decode(body, label).charset == "utf-8"


@given(st.integers(0, 3_000), st.integers(1, 400), st.integers(0, 1_000))
def test_one_cluster_of_bad_bytes_anywhere_is_outvoted_by_twice_as_many_letters(
    place: int, bad: int, more: int
) -> None:
    letters = 2 * bad + 8 + more
    place %= letters + 1
    body = "я".encode() * place + b"\xff" * bad + "я".encode() * (letters - place)
    decoded = decode(body, None)
    assert decoded.charset == "utf-8"
    assert decoded.text.replace("\ufffd", "") == "я" * letters


def test_label_that_says_utf8_needs_fewer_good_letters() -> None:
    mixed = ("Привет" * 3).encode() + ("Привет" * 2).encode("cp1251")  # 18 good letters and 12 bad bytes
    assert decode(mixed, "text/html; charset=utf-8").charset == "utf-8"
    assert decode(mixed, None).charset != "utf-8"


@pytest.mark.parametrize(("language", "encoder"), PAIRS)
@pytest.mark.parametrize("label", ["", "utf-8", "iso-8859-1"])
def test_page_in_another_charset_with_an_advertisement_in_utf8_is_what_it_was(
    language: str, encoder: str, label: str
) -> None:
    advertisement = f"<p>{TEXTS['de']}</p><p>{TEXTS['ru'][:40]}</p>".encode()
    body = f"<p>{TEXTS[language]}</p>".encode(encoder) * 20
    decoded = decode(body[: len(body) // 20 * 10] + advertisement + body, f"text/html; charset={label}")
    assert decoded.charset != "utf-8"
    if language not in ("ru", "zh", "ko", "ja"):  # of these, detection may go by the advertisement
        assert decoded.text.count(TEXTS[language]) >= 20


@st.composite
def _legacy_passages(draw: st.DrawFn) -> tuple[str, str]:
    """A few consecutive words or characters of a text, and a charset that it can be written in."""
    language, encoder = draw(st.sampled_from(PAIRS))
    text = TEXTS[language]
    start = draw(st.integers(0, len(text) - 1))
    return text[start : start + draw(st.integers(1, len(text)))], encoder


@given(_legacy_passages(), st.sampled_from(["", "utf-8", "iso-8859-1"]))
def test_passage_in_another_charset_is_not_utf8_unless_strictly(passage: tuple[str, str], label: str) -> None:
    text, encoder = passage
    body = f"<html><body><p>{text}</p></body></html>".encode(encoder)
    try:
        body.decode()
    except UnicodeDecodeError:
        if sum(byte >= 0x80 for byte in body) >= 8:
            assert decode(body, f"text/html; charset={label}").charset != "utf-8"


@given(_legacy_passages())
def test_passage_is_read_by_the_label_that_it_was_written_in(passage: tuple[str, str]) -> None:
    text, encoder = passage
    body = f"<html><body><p>Old market</p><p>{text}</p></body></html>".encode(encoder)
    try:
        body.decode()
    except UnicodeDecodeError:
        if sum(not letter.isascii() for letter in text) >= 4:
            assert text in decode(body, f"text/html; charset={encoder}").text


SONG = "瞼の奥に遠い歌声が響く。最後の踊りを私に残してください。 " * 4
MULTI_BYTE = {"ko": ["euc-kr", "cp949"], "zh": ["gbk", "gb18030"], "ja": ["euc-jp", "shift_jis"], "tw": ["big5"]}
TRADITIONAL = "河邊的老市場一大早就開門了，附近村子裡的人每天都來這裡買新鮮的蔬菜和魚，學校在寺廟和橋的旁邊。"


@pytest.mark.parametrize(
    ("language", "encoder"), [(language, encoder) for language, found in MULTI_BYTE.items() for encoder in found]
)
@pytest.mark.parametrize("beginning", [SONG, "Старый рынок у реки. " * 10, "① ② ③ ■ □ ◆ ◇ ★ ☆ " * 10, "αβγδε " * 30])
def test_declared_charset_that_reads_well_wins_over_any_other(language: str, encoder: str, beginning: str) -> None:
    """Detection that reads only the beginning of such a page takes EUC-KR for Big5."""
    text = TRADITIONAL if language == "tw" else TEXTS[language]
    body = f"<p>{beginning}</p>".encode(encoder, "ignore") + f"<p>{text}</p>".encode(encoder) * 20
    decoded = decode(body, f"text/html; charset={encoder}")
    assert decoded.text.count(text) == 20
    assert decoded.evidence == "http"


def test_korean_that_begins_with_japanese_is_korean_without_a_label_too() -> None:
    body = (
        f"<p>{SONG.replace('歌声', '歌聲')}</p>".encode("euc-kr", "ignore")
        + f"<p>{TEXTS['ko']}</p>".encode("euc-kr") * 20
    )
    assert decode(body, None).charset == "euc-kr"
