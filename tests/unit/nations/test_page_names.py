"""Names in pages as evidence: how they are written, where they stand, and in which company."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exonym.extract.document import Document
from exonym.judges.about import AboutJudge, AboutRule
from exonym.judges.language import AnyLanguage
from exonym.nations import load_nation
from exonym.nations.matching.page_names import Mentions, PageNames, is_running
from exonym.nations.shipped import shipped_codes

PLAIN = "We walked along the river in the early morning and had something to eat at a little market near the bridge."
NATIONS = sorted(shipped_codes())


@cache
def names_of(code: str) -> PageNames:
    return PageNames(load_nation(code))


def is_about(code: str, text: str, title: str = "") -> bool:
    judge = AboutJudge(code, names_of(code), AnyLanguage(), AboutRule())
    return judge.judge(Document("http://www.example.org/", title, text)).relevant


# Pages about the nation.


@pytest.mark.parametrize(
    "text",
    [
        "Thai cooks like it hot. Thai soups are sour, Thai salads too. A Thai lunch costs little, a Thai supper less.",
        "The capital of Thailand is Bangkok, where most people arrive.",
        "From Phuket the boat goes to Krabi in two hours.",
        "The Siamese kings built it. Today Thais visit it on Sundays.",
    ],
)
def test_page_that_speaks_of_the_nation_is_about_it(text: str) -> None:
    assert is_about("TH", f"{PLAIN}\n{text}\n{PLAIN}")


@pytest.mark.parametrize("code", NATIONS)
def test_country_and_demonym_are_names(code: str) -> None:
    nation = load_nation(code)
    text = f"Few people visit {nation.name} in winter, but {nation.demonyms[0]} food is the same all year round."
    assert is_about(code, f"{PLAIN}\n{text}\n{PLAIN}")


def test_one_place_in_the_title_and_named_often_may_do() -> None:
    often = "\n".join(f"The bus to Bangkok leaves at {hour}." for hour in range(5))
    assert is_about("TH", f"{PLAIN}\n{often}", title="A bus to Bangkok")
    assert not is_about("TH", f"{PLAIN}\n{often}", title="A bus")


def test_country_that_is_named_twice_needs_no_other_name_where_no_other_country_is_named() -> None:
    twice = "The currency of Myanmar is the kyat. You can change money at any bank in Myanmar."
    assert is_about("MM", f"{PLAIN}\n{twice}")
    assert not is_about("MM", f"{PLAIN}\n{twice}\nThe same is true of Peru and of Lima.")
    assert not is_about("MM", f"{PLAIN}\n{twice.replace(' Myanmar.', ' town.')}")


def test_script_without_blanks_is_running_text() -> None:
    assert is_about("TH", "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และเชียงใหม่เป็นเมืองใหญ่ทางเหนือ")


def test_page_without_capitals_is_read_as_well() -> None:
    assert is_about("TH", "we took the train from bangkok to chiang mai and saw half of thailand")


# Pages that only seem to be.


@pytest.mark.parametrize(
    ("code", "text"),
    [
        # Each text has what a matcher takes for two names of the nation: by sound, in small letters …
        ("TH", "Python has a Market of modules. Visit it. Life is short, and Korean fonts are one of them."),
        (
            "TH",
            "The price of oil fell again. Oil is cheap, heating oil is not, and nobody knows how long oil will last.",
        ),
        ("CN", "The dining room is a mile away. Bake the bread, then bake the cake: dining late is your fate."),
        ("JP", "Yoga is good for your nose, aka breathing. Sue her? Her yoga teacher said so, ie never."),
        (
            "IS",
            "The island has a harbour. Every Island ferry calls at the island twice a day, and the island is small.",
        ),
        ("KH", "The UN met again. The UN said that UN members had paid, and un homme came from the UN."),
        # … or parts of the names of other countries' places.
        (
            "TH",
            "Hong Kong is crowded. We liked Hong Kong food, and the harbour of Hong Kong. Nha Trang too.",
        ),
        ("LA", "From Chiang Mai we went back to Chiang Mai, because Chiang Mai is nice; so is Khon Kaen."),
    ],
)
def test_words_that_are_spelt_or_sound_like_places_are_no_evidence(code: str, text: str) -> None:
    assert not is_about(code, f"{text}\n{PLAIN}")
    assert not is_about(code, f"{text}\n{PLAIN}", title=text[:40])


def test_menus_of_languages_are_no_evidence() -> None:
    menu = "English Deutsch Français 日本語 한국어 ไทย Tiếng Việt 中文 Íslenska"
    each = "\n".join(menu.split())
    named = "English, German, French, Japanese, Korean, Thai, Vietnamese, Chinese, Lao, Khmer, Burmese, Icelandic"
    lines = "\n".join(named.split(", "))
    for code in NATIONS:
        assert not is_about(code, f"{menu}\n{each}\n{PLAIN}\n{lines}\n{named}\n{named}\n{PLAIN}")


def test_lists_of_countries_are_no_evidence() -> None:
    countries = ", ".join(load_nation(code).name for code in NATIONS)
    offices = f"Our offices: {countries}, France, Spain, Italy, Peru, Chile."
    for code in NATIONS:
        assert not is_about(code, f"{PLAIN}\n{offices}\n{PLAIN}\n{offices}\n{countries}")


def test_page_that_names_another_country_more_is_about_that_one() -> None:
    there = [f"Road {number} of Peru is long, and Peru is high." for number in range(6)]
    here = [f"Road {number} of Thailand leads to Bangkok." for number in range(6)]
    assert not is_about("TH", "\n".join(there + here[:1]))
    assert is_about("TH", "\n".join(there[:1] + here))


@pytest.mark.parametrize(
    ("code", "title", "text"),
    [
        # Streets of Taipei have the names of Chinese cities, and a town in Malaysia that of one.
        ("CN", "A walk in Taipei", "From Nanjing Road we went to Zhongshan and on to Changchun, all within Taipei."),
        ("CN", "Taiping and its lake", "\n".join(f"Walk {number} leads round Taiping." for number in range(5))),
        # What is Japanese, Thai or Chinese may be anywhere.
        (
            "JP",
            "A garden in Singapore",
            "A Japanese bridge, Japanese lamps, a Japanese pond, Japanese tea: a Japanese garden.",
        ),
        (
            "TH",
            "Supper in Mumbai",
            "Thai curry, Thai soup and Thai rice, cooked in Mumbai by a Thai chef and his Thai wife.",
        ),
        # Another country's cities speak of that country, all of them together.
        (
            "KH",
            "",
            "Hanoi, Hue and Saigon by bus. Da Nang by train, Hanoi again. Then Cambodia and Phnom Penh at last.",
        ),
        ("KR", "A visit to North Korea", "North Korea is closed. Few Koreans leave North Korea, where Pyongyang is."),
        # South Korea is the Republic of Korea: one name, not two.
        ("KR", "", "Cases were found in Jordan, near Amman, and in South Korea, also called the Republic of Korea."),
        # A firm that is spelt like a village.
        ("KR", "Samsung sells phones", "\n".join(f"Phone {number} of Samsung is black." for number in range(5))),
    ],
)
def test_page_that_is_rather_about_another_country_or_thing(code: str, title: str, text: str) -> None:
    assert not is_about(code, f"{text}\n{PLAIN}", title=title)


def test_other_countries_take_less_from_a_page_that_names_the_country_itself() -> None:
    places = "From Phuket we took a boat to Krabi. Phuket is hot, and Krabi is quiet."
    abroad = "\n".join(f"Day {number} in Peru was cold." for number in range(3))
    assert not is_about("TH", f"{places}\n{abroad}")  # three mentions are more than half of four
    assert is_about("TH", f"{places}\n{abroad}\nAll of this is in Thailand.")  # and less than one and a quarter of five


def test_name_that_has_the_nation_in_it_names_the_nation() -> None:
    assert is_about("TH", f"The Bank of Thailand sold bonds.\n{PLAIN}", title="Bank of Thailand sells bonds")


def test_names_that_are_no_evidence_have_no_share_but_are_told() -> None:
    assert names_of("TH").mentions("", f"The Phuket of the North. {PLAIN}") == Mentions(0.0, 0, ("Phuket",))


def test_lines_that_a_page_repeats_count_once() -> None:
    line = "Offices in Bangkok and Thailand."
    assert names_of("TH").mentions("", f"{line}\n{PLAIN}\n{line}") == names_of("TH").mentions("", f"{line}\n{PLAIN}")


def test_lines_of_few_words_do_not_count_where_there_is_running_text() -> None:
    places = "Bangkok\nPhuket\nKrabi\nThailand\nThai food"
    assert names_of("TH").mentions("", f"{places}\n{PLAIN}") == Mentions()
    assert is_about("TH", places)  # all that the page has
    assert [is_running(line) for line in ("Thai food", "Thai food is not hot", "")] == [False, True, False]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.lists(st.sampled_from(["Thai", "Bangkok", "ไทย", "Peru", "oil", "\n", "a", "İ", "Ko"])))
def test_any_text_has_a_share_from_zero_to_one(title: str, words: list[str]) -> None:
    found = names_of("TH").mentions(title, " ".join(words))
    assert 0.0 <= found.share <= 1.0
    assert (found.share > 0) <= (found.variety > 0) <= bool(found.names)
