"""Pages of menus, tables and lists: their main language, and that it agrees with the shares."""

from collections.abc import Sequence

import pytest
from babel import Locale, UnknownLocaleError
from hypothesis import given
from hypothesis import strategies as st

from exonym.extract.html import extract
from exonym.language.base import Identified, clues_of
from exonym.language.detector import identify, known_languages
from exonym.language.language_menus import without_language_menus

ARTICLES = {
    "th": "ตลาดเก่าริมแม่น้ำเปิดแต่เช้าตรู่ ผู้คนจากทุกหมู่บ้านมาซื้อผักและปลาสดที่นี่ทุกวัน",
    "en": "The old market by the river opens early in the morning and people come from every village there.",
    "lo": "ຕະຫຼາດເກົ່າແຄມແມ່ນ້ຳເປີດແຕ່ເຊົ້າໆ ຜູ້ຄົນຈາກທຸກບ້ານມາຊື້ຜັກແລະປາສົດຢູ່ນີ້ທຸກວັນ",
    "is": "Gamli markaðurinn við ána opnar snemma á morgnana og fólk kemur þangað úr hverju þorpi til að kaupa fisk.",
    "de": "Der alte Markt am Fluss öffnet früh am Morgen, und die Leute kommen aus jedem Dorf dorthin.",
    "fi": "Vanha tori joen rannalla avataan aikaisin aamulla, ja ihmiset tulevat sinne joka kylästä ostamaan kalaa.",
    "ru": "Старый рынок у реки открывается рано утром, и люди из каждой деревни приходят туда за свежей рыбой.",
    "zh": "河边的老市场一大早就开门了，附近村子里的人每天都来这里买新鲜的蔬菜和鱼。",
    "ko": "강가에 있는 오래된 시장은 아침 일찍 문을 열고 마을 사람들은 날마다 이곳에서 생선을 삽니다.",
}
_ALL_NAMES = (
    "Afrikaans|Aragonés|Asturianu|Azərbaycanca|Bahasa Indonesia|Bahasa Melayu|Bosanski|Brezhoneg|Català|Čeština|"
    "Cymraeg|Dansk|Deutsch|Eesti|English|Español|Esperanto|Euskara|Français|Frysk|Gaeilge|Galego|Hrvatski|Íslenska|"
    "Italiano|Kiswahili|Latviešu|Lietuvių|Magyar|Malti|Nederlands|Norsk bokmål|Norsk nynorsk|Polski|Português|"
    "Português do Brasil|Română|Shqip|Slovenčina|Slovenščina|Suomi|Svenska|Tagalog|Tiếng Việt|Türkçe|Ελληνικά|"
    "Български|Македонски|Русский|Српски|Українська|עברית|العربية|فارسی|हिन्दी|বাংলা|ไทย|ລາວ|한국어|日本語|中文（简体）"
)
NAMES = _ALL_NAMES.split("|")
MENUS = {
    "list": "<ul>" + "".join(f"<li><a href=/{number}>{name}</a>" for number, name in enumerate(NAMES)) + "</ul>",
    "line": "<div>" + " ".join(f"<a href=/{number}>{name}</a>" for number, name in enumerate(NAMES)) + "</div>",
    "bars": f"<p>{' | '.join(NAMES)}</p>",
    "small letters": f"<p>{' · '.join(NAMES).lower()}</p>",
    "footer": f"<footer>{', '.join(NAMES)}</footer>",
    "select": "<select>" + "".join(f"<option>{name}" for name in NAMES) + "</select>",
}
CELLS = {
    "zh": "产品名称 型号 规格 价格 库存 供应商 联系电话 电源插头 不锈钢螺丝 蓝牙耳机 液晶显示器 无线键盘 办公用品 "
    "儿童玩具 厨房用具 户外帐篷 登山背包 汽车轮胎 轴承配件 温度传感器",
    "ja": "製品名 型番 価格 在庫 電源コード ねじ ヘッドホン 液晶モニター 無線キーボード 事務用品 おもちゃ "
    "台所用品 テント 登山リュック タイヤ 温度センサー",
    "ko": "제품명 모델 가격 재고 전원코드 나사 헤드폰 모니터 무선키보드 사무용품 장난감 주방용품 텐트 배낭 "
    "타이어 온도센서",
}
CODES = (
    "SKF Kugellager 6204-2RSH Rillenkugellager einreihig mit Dichtung DIN 625 Normalspalt",
    "Siemens SIMATIC S7-1200 CPU 1214C DC/DC/DC 6ES7214-1AG40-0XB0 Kompakt CPU Power supply",
)
EXCEPTION = "has the largest share, but"


def _identified(body: str, tag: str = "") -> Identified:
    html = f'<html lang="{tag}"><body>{body}</body></html>' if tag else f"<html><body>{body}</body></html>"
    page = extract(html.encode(), "http://a.example/", "text/html; charset=utf-8")
    return identify(page.blocks, clues_of(page))


# Menus of languages


@pytest.mark.parametrize("language", ARTICLES)
@pytest.mark.parametrize("menu", MENUS)
@pytest.mark.parametrize("paragraphs", [1, 2, 10])
def test_menu_of_sixty_languages_is_text_in_none(language: str, menu: str, paragraphs: int) -> None:
    article = f"<p>{ARTICLES[language]}</p>" * paragraphs
    for body in (MENUS[menu] + article, article + MENUS[menu], MENUS[menu] + article + MENUS[menu]):
        found = _identified(body)
        assert found.language == language
        assert found.shares[language] > 0.95


def test_evidence_says_that_a_menu_was_left_out() -> None:
    article = f"<p>{ARTICLES['th']}</p>"
    assert "its menu of languages is left out" in _identified(article + MENUS["list"]).evidence
    assert "its menu of languages is left out" not in _identified(article).evidence


def test_menu_of_languages_alone_is_too_little_text() -> None:
    assert _identified(MENUS["list"]).language == ""


@pytest.mark.parametrize(
    "text",
    [
        "Sie spricht Deutsch, Français und Español, er nur Русский.",
        "Il parle français et español, elle apprend le русский et le 日本語, et leur fils ne sait que le deutsch.",
        "He learnt 日本語 and 中文 before he took up Español in school; his sister prefers 한국어 to العربية now.",
        "Bahasa Indonesia adalah bahasa resmi Indonesia, dan bahasa Melayu adalah bahasa resmi Malaysia.",
    ],
)
def test_sentence_about_languages_is_no_menu(text: str) -> None:
    assert without_language_menus(text) == text


def test_only_the_menus_are_left_out_wherever_they_are() -> None:
    menu, text = " | ".join(NAMES), f"{ARTICLES['de']}\n" * 300
    assert without_language_menus(f"{menu}\n{text}{menu}").split() == text.split()
    assert without_language_menus(f"{text}{menu}\n{text}").split() == (text * 2).split()


@given(st.text(), st.text())
def test_text_around_a_menu_is_kept_whatever_it_is(before: str, after: str) -> None:
    text = f"{before}\n{'x' * 30}\n{' | '.join(NAMES)}\n{'x' * 30}\n{after}"
    rest = without_language_menus(text)
    assert rest.startswith(before)
    assert rest.endswith(after)
    assert "Deutsch" not in rest.removeprefix(before).removesuffix(after)


def test_names_of_languages_are_those_of_the_cldr() -> None:
    """Babel's names, for every language that the identifier can name, are recognised in a menu."""
    for code in sorted(known_languages()):
        try:
            name = Locale.parse(code).get_language_name(code)
        except UnknownLocaleError:  # Babel does not have it
            continue
        if name and name != code:
            menu = f"Deutsch | Français | Español | Italiano | {name} | Русский"
            assert without_language_menus(menu).strip() == "", name


# Tables and lists


@pytest.mark.parametrize("language", CELLS)
@pytest.mark.parametrize("codes", CODES)
@pytest.mark.parametrize("tag", ["", "same", "en"])
@pytest.mark.parametrize(("row", "cell"), [("tr", "td"), ("ul", "li"), ("div", "div"), ("dl", "dt")])
def test_short_cells_among_product_codes_are_text(language: str, codes: str, tag: str, row: str, cell: str) -> None:
    words = CELLS[language].split() * 40
    rows = [
        f"<{row}>"
        + "".join(f"<{cell}>{word}</{cell}>" for word in words[start : start + 40])
        + f"</{row}><p>{codes}</p>"
        for start in range(0, 480, 40)
    ]
    found = _identified("".join(rows), language if tag == "same" else tag)
    assert found.language == language
    assert found.shares[language] > 0.5


def test_chinese_table_of_german_products_is_chinese() -> None:
    """Two thirds of the letters are Chinese, in cells; the sentences are German. It was called German."""
    cells = "".join(f"<td>{word}</td>" for word in CELLS["zh"].split() * 4)
    german = f"<p>{ARTICLES['de']}</p>" * 2
    for tag in ("zh-cn", ""):
        found = _identified(f"<table><tr>{cells}</tr></table>{german}", tag)
        assert found.language == "zh"
        assert found.shares["zh"] > 0.6


def test_links_in_thai_around_much_less_english_are_thai() -> None:
    links = "".join(f"<li><a href=/{word}>{word}</a>" for word in ["หน้าแรก", "ข่าวประชาสัมพันธ์", "ติดต่อเรา"] * 20)
    found = _identified(f"<ul>{links}</ul><p>{ARTICLES['en']}</p><p>{ARTICLES['en']}</p>")
    assert found.language == "th"


def test_english_article_in_menus_of_another_script_is_english_and_says_why() -> None:
    links = "".join(f"<li>{word}" for word in ["หน้าแรก", "ข่าว", "ติดต่อ", "แผนที่"] * 15)
    found = _identified(f"<ul>{links}</ul>" + f"<p>{ARTICLES['en']}</p>" * 3)
    assert found.language == "en"
    assert found.shares["th"] > found.shares["en"]
    assert f"th {EXCEPTION} sentences are in en" in found.evidence


def test_page_that_claims_the_language_of_its_links_is_in_it() -> None:
    links = "".join(f"<li>{word}" for word in ["หน้าแรก", "ข่าว", "ติดต่อ", "แผนที่"] * 15)
    assert _identified(f"<ul>{links}</ul>" + f"<p>{ARTICLES['en']}</p>" * 3, "th").language == "th"


# Main language and shares


@st.composite
def _pages(draw: st.DrawFn) -> tuple[str, str]:
    """Articles, tables, lists of links and menus of languages in any order, and a language that the page claims."""
    parts = draw(
        st.lists(
            st.one_of(
                st.sampled_from([f"<p>{text}</p>" for text in ARTICLES.values()]),
                st.sampled_from(["".join(f"<td>{word}</td>" for word in words.split()) for words in CELLS.values()]),
                st.sampled_from([f"<p>{code}</p>" for code in CODES]),
                st.sampled_from([f"<li>{text[:12]}</li>" * 5 for text in ARTICLES.values()]),
                st.sampled_from(list(MENUS.values())),
            ),
            min_size=1,
            max_size=8,
        )
    )
    return "".join(parts), draw(st.sampled_from(["", "en", *ARTICLES]))


@given(_pages())
def test_main_language_has_the_largest_share_or_the_evidence_says_why(page: tuple[str, str]) -> None:
    found = _identified(*page)
    assert all(share >= 0.01 for share in found.shares.values())
    assert sum(found.shares.values()) < 1 + 1e-9
    if found.language:
        is_largest = found.shares[found.language] == max(found.shares.values())
        assert is_largest != any(EXCEPTION in phrase for phrase in found.evidence)


def test_shares_below_one_per_cent_are_not_listed() -> None:
    article = ARTICLES["en"] * 20  # 1,540 letters
    assert set(identify(f"{article}\nไทย").shares) == {"en"}  # 3 of 1,543
    assert set(identify(f"{article}\n{ARTICLES['th']}").shares) == {"en", "th"}


RUSSIAN_LINES = ("Главная страница", "Новости и статьи", "Каталог товаров", "Доставка", "Отзывы", "О компании")
GERMAN_LINES = (
    "Alte Möbel und Lampen",
    "Gebrauchte Fahrräder",
    "Bücher für Kinder",
    "Werkzeug und Zubehör",
    "Neue Kleidung",
)


@pytest.mark.parametrize(("language", "lines"), [("ru", RUSSIAN_LINES), ("de", GERMAN_LINES)])
def test_long_list_is_not_judged_by_the_one_sentence_at_its_end(language: str, lines: Sequence[str]) -> None:
    """One notice in English, which every place of the page led to, made all of it English or unknown."""
    entries = "".join(f"<li>{line}</li>" for line in [*lines] * 30)
    notice = f"<p>{ARTICLES['en']} This notice is shown on every page of this shop to all of its customers.</p>"
    for tag in ("", language):
        found = _identified(f"<ul>{entries}</ul>{notice}", tag)
        assert found.language == language
        assert found.shares[language] > 0.7
