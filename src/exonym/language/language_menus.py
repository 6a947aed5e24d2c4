"""Menus of languages: the names of languages in these languages, one after the other.

Such a menu is on pages in every language and is text in none. A detector takes a long one for Norwegian or Serbian, and
names in scripts of their own would make the page partly Thai, Lao and Georgian.
"""

import re

_NAMES = """
Afrikaans; Akan; Alemannisch; አማርኛ; Aragonés; العربية; عربي; অসমীয়া; Asturianu; Aymar aru; Azərbaycan;
Azərbaycanca; Azərbaycan dili; башҡортса; Беларуская; Български; Български език; भोजपुरी; বাংলা;
བོད་སྐད; བོད་ཡིག; Brezhoneg; Bosanski; Català; Valencià; Cebuano; нохчийн; ᏣᎳᎩ; کوردی; کوردیی ناوەندی;
Corsu; Čeština; Česky; Český; Чӑвашла; Cymraeg; Dansk; Deutsch; Zazaki; ދިވެހި; ދިވެހިބަސް; རྫོང་ཁ;
Eʋegbe; Ελληνικά; English; Esperanto; Español; Castellano; Eesti; Eesti keel; Euskara; Euskera;
Estremeñu; فارسی; Fulfulde; Suomi; Võro; Føroyskt; Français; Furlan; Frysk; West-Frysk; Gaeilge;
Gàidhlig; Galego; Avañe'ẽ; Guaraní; ગુજરાતી; Gaelg; Hausa; Hawaiʻi; ʻŌlelo Hawaiʻi; עברית; हिन्दी;
हिंदी; Hrvatski; Hornjoserbsce; Kreyòl ayisyen; Magyar; Հայերեն; Interlingua; Indonesia;
Bahasa Indonesia; Igbo; Ilokano; Ido; Íslenska; Italiano; ᐃᓄᒃᑎᑐᑦ; 日本語; にほんご; Jawa; Basa Jawa;
ქართული; Taqbaylit; Қазақша; Қазақ тілі; Қазақ; Kalaallisut; ភាសាខ្មែរ; ខ្មែរ; ಕನ್ನಡ; 한국어; 한국말;
कश्मीरी; Kurdî; Kurmancî; Кыргызча; Кыргыз тили; Latina; Lëtzebuergesch; Luganda; Limburgs; Ligure;
Lumbaart; Lingála; ລາວ; ພາສາລາວ; Lietuvių; Latviešu; Latviešu valoda; मैथिली; Malagasy; Māori;
Te reo Māori; Reo Māori; Македонски; Македонски јазик; മലയാളം; Монгол; Монгол хэл; मराठी; Melayu;
Bahasa Melayu; Bahasa Malaysia; Malti; မြန်မာ; မြန်မာဘာသာ; ဗမာ; Napulitano; Plattdüütsch; नेपाली;
नेपाल भाषा; Nederlands; Vlaams; Norsk; Norsk bokmål; Bokmål; Norsk nynorsk; Nynorsk; Occitan; Oromoo;
Afaan Oromoo; ଓଡ଼ିଆ; ଓଡିଆ; Ирон; ਪੰਜਾਬੀ; Pangasinan; Papiamentu; Polski; Język polski; Piemontèis;
پنجابی; پښتو; Português; Runa Simi; Rumantsch; Română; Limba română; Русский; Русский язык;
Ikinyarwanda; Kinyarwanda; संस्कृतम्; संस्कृत; Саха тыла; Sardu; Sicilianu; Scots; سنڌي;
Davvisámegiella; Srpskohrvatski; සිංහල; Slovenčina; Slovensky; Slovenščina; Slovenski; Soomaali;
Soomaaliga; Shqip; Gjuha shqipe; Српски; Srpski; Sesotho; Sunda; Basa Sunda; Svenska; Kiswahili;
Swahili; Ślůnski; தமிழ்; తెలుగు; Тоҷикӣ; ไทย; ภาษาไทย; ትግርኛ; Türkmençe; Türkmen; Türkmen dili; Tagalog;
Filipino; Setswana; Türkçe; Xitsonga; Татарча; Татар; Twi; ئۇيغۇرچە; Українська; Українська мова; اردو;
Oʻzbekcha; Oʻzbek; O‘zbek; O'zbek; Ўзбекча; Vèneto; Vepsän kel; Tiếng Việt; Walon; Winaray; Wolof;
吴语; isiXhosa; ייִדיש; Yorùbá; Vahcuengh; 中文; 汉语; 漢語; 简体中文; 簡體中文; 繁體中文; 繁体中文;
正體中文; 粵語; 粤语; 文言; isiZulu; Žemaitėška; Qafar; Аԥсшәа; башҡорт теле; བོད་སྐད་; avañe’ẽ;
Interlingue; ꆈꌠꉙ; کٲشُر; kreol morisien; ߒߞߏ; isiNdebele; Sesotho sa Leboa; Nyanja; Chichewa;
Runasimi; Ikirundi; ᱥᱟᱱᱛᱟᱲᱤ; Sängö; chiShona; Shona; siSwati; ܣܘܪܝܝܐ; lea fakatonga; Tshivenḓa;
Volapük; Èdè Yorùbá; ⵜⴰⵎⴰⵣⵉⵖⵜ
"""
# Words that menus add to a language's name: its country, its script.
_REGIONS = """
US USA UK GB India Brasil Brazil Portugal España Latinoamérica México Argentina France Canada Suisse Belgique Schweiz
Österreich Deutschland België Nederland 简体 繁體 繁体 简 繁 台灣 台湾 香港 中国 中國 Simplified Traditional latinica
ћирилица ćirilica latin Россия
"""
# Each menu of any length has some of these; the first letter may be capital or small.
_IN_MOST_MENUS = ("eutsch", "rançais", "spañol", "taliano", "ortuguês", "усский", "日本語", "中文", "한국어", "العربية")
_FEWEST_SIGNS = 3
_FEWEST_NAMES = 5  # one after the other
_MOST_BETWEEN = 25  # characters: the name of a rare language
_MARGIN = 600  # characters around the signs that may be part of the menu
_LONGEST_SEARCHED = 20_000
_WORD = re.compile(r"[^\s|,;:.!?/·•‹›«»()（）\[\]–—]+")


def _words_of(names: str) -> frozenset[str]:
    return frozenset(_WORD.findall(names.casefold()))


_NAME_WORDS = _words_of(_NAMES)
_WORDS = _NAME_WORDS | _words_of(_REGIONS)


def without_language_menus(text: str) -> str:
    """The text without its menus of languages; the same text if it has none."""
    signs = [sign for sign in _IN_MOST_MENUS if sign in text]
    if len(signs) < _FEWEST_SIGNS:
        return text
    first = max(0, min(map(text.find, signs)) - _MARGIN)
    last = min(len(text), max(map(text.rfind, signs)) + _MARGIN)
    if last - first <= _LONGEST_SEARCHED:
        return text[:first] + _without_runs(text[first:last]) + text[last:]
    half = _LONGEST_SEARCHED // 2  # a menu at the top, a menu at the bottom, or both
    top, bottom = text[first : first + half], text[last - half : last]
    return text[:first] + _without_runs(top) + text[first + half : last - half] + _without_runs(bottom) + text[last:]


def _without_runs(text: str) -> str:
    """The text without runs of words that are names of languages for the most part."""
    words = list(_WORD.finditer(text))
    known = [place for place, word in enumerate(_WORD.findall(text.casefold())) if word in _WORDS]
    runs: list[list[int]] = []  # places of known words that follow each other closely
    for place in known:
        if not runs or words[place].start() - words[runs[-1][-1]].end() > _MOST_BETWEEN:
            runs.append([])
        runs[-1].append(place)
    kept, done = [], 0
    for run in runs:
        names = sum(words[place][0].casefold() in _NAME_WORDS for place in run)
        if names >= _FEWEST_NAMES and 3 * len(run) >= 2 * (run[-1] - run[0] + 1):
            kept.append(text[done : words[run[0]].start()])
            done = words[run[-1] + 1].start() if run[-1] + 1 < len(words) else len(text)
    return "\n".join([*kept, text[done:]])
