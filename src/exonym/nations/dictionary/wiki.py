"""Which links of a MediaWiki page lead to articles of the same wiki, and to which.

The link itself decides, without a list of namespaces in some language. An address that a wiki's software made is
enough: articles are in one folder, a title has no `:` without a blank behind it unless it begins with the name of a
namespace or of another wiki, and a link to a missing article leads to the editor.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urljoin, urlsplit

from exonym.errors import ConfigError
from exonym.urls import normal_form

_NO_ARTICLE = frozenset(["new", "external", "extiw", "image", "internal", "mw-selflink", "selflink", "mw-disambig"])
_NO_RELATION = ("mw:ExtLink", "mw:WikiLink/Interwiki", "nofollow")
_PLACES = ("/wiki/", "/index.php/")
_ELSEWHERE = re.compile(r":|[^:]+:(?=[^ ])")  # Category:…, Talk:…, wikt:… but not Ayutthaya: A Guide
_REMARK = re.compile(r"\s*(?:\([^()]*\)|（[^（）]*）)\s*$")
# Of the languages of the nations that ship, and a few large ones.
_OVERVIEW = re.compile(
    r"(lists?|index|outline|timeline|glossary|history|geography|table) of |list[ae] d|liste |danh sách|รายชื่อ|รายการ"
    r"|listi |.*(の一覧|一覧|列表|목록)$",
    re.IGNORECASE,
)
_NEVER_IN_TITLES = frozenset("[]{}<>|#")
_IN_ADDRESSES = "/:,()!*@;~$"
_ABOUT_WORDS = "(disambiguation)"


class Wiki(NamedTuple):
    """Where a page is: enough to tell its wiki's articles from everything else."""

    address: str  # "" where unknown: then any wiki's articles are taken, unless their links say otherwise
    host: str
    folder: str  # of all articles, as /wiki/
    title: str


def article_address(wiki: str, title: str) -> str:
    """The address of an article by its title; a title that is an address already is only normalised.

    >>> article_address("https://en.wikipedia.org", "List of islands of Thailand")
    'https://en.wikipedia.org/wiki/List_of_islands_of_Thailand'
    """
    if title.lower().startswith(("http://", "https://")):
        return normal_form(title)
    name = "_".join(title.split())
    if not name or not _NEVER_IN_TITLES.isdisjoint(name):
        raise ConfigError(f"{title[:60]!r} is no title of an article. Write it as the wiki shows it, or its address.")
    if not wiki.lower().startswith(("http://", "https://")):
        raise ConfigError(f"--wiki must be a wiki's address, as https://th.wikipedia.org, got {wiki[:60]!r}.")
    base = wiki.rstrip("/")
    folder = "" if urlsplit(normal_form(base)).path.strip("/") else "/wiki"
    return normal_form(f"{base}{folder}/{quote(name, safe=_IN_ADDRESSES)}")


def wiki_of(address: str) -> Wiki:
    """The wiki that has a page at `address`, in any spelling."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return Wiki("", "", "", "")
    folder = next((place for place in _PLACES if place in parts.path), parts.path.rpartition("/")[0] + "/")
    title = _readable(parts.path.partition(folder)[2])
    return Wiki(address, _without_mobile(host), folder, title) if host else Wiki("", "", "", title)


def article_of(href: str, classes: list[str], relations: str, wiki: Wiki) -> str:
    """The title of the article that a link leads to, "" if it leads to none."""
    if href.startswith("#") or not _NO_ARTICLE.isdisjoint(classes) or any(word in relations for word in _NO_RELATION):
        return ""
    try:
        title = title_in(href, wiki)
    except ValueError:  # brackets and the like where a server's name should be
        return ""
    is_elsewhere = _ELSEWHERE.match(title) or title == wiki.title
    return "" if is_elsewhere or _ABOUT_WORDS in title or is_overview(title) else title


def is_overview(title: str) -> bool:
    """Whether an article lists or introduces others: List of …"""
    return bool(_OVERVIEW.match(title))


def without_remark(text: str) -> str:
    """A title without the remark that distinguishes it from its namesakes.

    >>> without_remark("Wat Pho (temple)")
    'Wat Pho'
    """
    return _REMARK.sub("", text)


def title_in(href: str, wiki: Wiki) -> str:
    """The title of the page of the wiki that a link leads to, with its namespace; "" for none. May raise ValueError."""
    parts = urlsplit(urljoin(wiki.address, href) if wiki.address else href)
    if parts.scheme not in ("", "http", "https") or (wiki.host and _without_mobile(parts.hostname or "") != wiki.host):
        return ""
    if parts.query:
        query = parse_qs(parts.query, max_num_fields=50)
        is_read = "title" in query and not query.keys() & {"action", "redlink", "oldid", "diff", "veaction"}
        return _readable(query["title"][0]) if is_read else ""
    for folder in (*_PLACES, wiki.folder):
        if folder and folder in parts.path:
            return _readable(parts.path.partition(folder)[2])
    return "" if parts.path.startswith("/") else _readable(parts.path.removeprefix("./"))


def _readable(title: str) -> str:
    return " ".join(unquote(title).replace("_", " ").split())


def _without_mobile(host: str) -> str:
    return host.lower().replace(".m.", ".").removeprefix("www.")


# The parts of MediaWiki pages other than their contents: navigation boxes, and sections at the end.

NAVIGATION_TAGS = frozenset(["nav", "footer", "header", "aside"])
NAVIGATION_ROLES = frozenset(["navigation", "note", "banner", "contentinfo"])

_CLASSES_AND_IDS = """
ambox asbox authority-control catlinks citation dablink hatnote infobox metadata mbox-small mw-cite-backlink
mw-editsection mw-editsection-like mw-head mw-hidden-catlinks mw-indicators mw-jump-link mw-navigation mw-panel
mw-references-wrap navbar navbox navbox-inner navbox-styles navigation-not-searchable noprint ombox p-lang-btn portalbox
printfooter refbegin reference references reflist rellink shortdescription side-box sidebar sistersitebox siteNotice
stub tmbox toc toccolours vector-menu vertical-navbox footer
"""
NAVIGATION = frozenset(_CLASSES_AND_IDS.split())

# Sections that do not belong to a list, in the languages of the nations that ship and a few large ones.
_HEADINGS = """
see also|external links|references|notes|notes and references|footnotes|citations|sources|bibliography
further reading|works cited|explanatory notes|related articles|related pages|other websites|literature
ดูเพิ่ม|อ้างอิง|แหล่งข้อมูลอื่น|เชิงอรรถ|หมายเหตุ
関連項目|外部リンク|脚注|注釈|出典|参考文献
같이 보기|각주|외부 링크|참고 문헌
参见|參見|參考文獻|参考资料|參考資料|外部链接|外部連結|注释|註釋|相关条目|相關條目
xem thêm|tham khảo|liên kết ngoài|chú thích
tengt efni|tilvísanir|tenglar|heimildir
voir aussi|références|liens externes|notes et références
siehe auch|einzelnachweise|weblinks|literatur
véase también|referencias|enlaces externos
ver também|referências|ligações externas
"""
APPENDICES = frozenset(heading for line in _HEADINGS.splitlines() for heading in line.split("|") if heading)


# Years, dates and centuries, which list pages link to and which name nothing in a country.

_MONTH = (
    "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?"
    "|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?"
)
_DAY_OF_WEEK = "(mon|tues|wednes|thurs|fri|satur|sun)days?"
_ERA = r"(b\.?c\.?(e\.?)?|a\.?d\.?|c\.?e\.?|b\.?e\.?)"
_NUMBER = r"[0-9]{1,4}"
_TIMES = (
    rf"({_ERA} )?(c\. ?)?{_NUMBER}s?( ?[-–—] ?{_NUMBER}s?)?( {_ERA})?",
    rf"((early|mid|late)[- ])?{_NUMBER}(st|nd|rd|th)([ -](century|centuries|millennium))?( {_ERA})?",
    r"((early|mid|late)[- ])?(the )?[a-z]+(first|second|third|th)[ -](century|millennium)",
    rf"({_MONTH})\.?( {_NUMBER})?((,| of)? {_NUMBER})?( {_ERA})?",
    rf"{_NUMBER}(st|nd|rd|th)? (of )?({_MONTH})\.?(,? {_NUMBER})?( {_ERA})?",
    _DAY_OF_WEEK,
    r"[0-9]+\s*(年代?|月|日|世紀|世纪|년대?|월|일|세기)([0-9]+\s*(月|日|월|일))*",
    r"(พ\.ศ\.|ค\.ศ\.|พุทธศักราช|คริสต์ศักราช|คริสต์ศตวรรษที่|พุทธศตวรรษที่) ?[0-9]+",
    r"(thế kỷ|năm) [0-9ivxl]+",
)
_TIME = re.compile("|".join(f"(?:{pattern})" for pattern in _TIMES), re.IGNORECASE)


def is_time(text: str) -> bool:
    """Whether a text is a year, a date or a century and nothing else.

    >>> [is_time(text) for text in ("1782", "6 April 1782", "14th century", "Wat Pho", "May", "Maya")]
    [True, True, True, False, True, False]
    """
    return bool(_TIME.fullmatch(text))
