"""Every setting of a crawl, with its default, its rule and its description in one place.

The template that `exonym new` writes, the error messages and the check of the reference page are all made from these
annotations, so they cannot disagree.
"""

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from exonym.errors import ConfigError, UrlError
from exonym.urls import normal_form
from exonym.version import __version__

OptionValue = bool | int | float | str
_MOST = 2**62  # whole numbers must fit the store's 64 bits with room to add
_LONGEST_SECONDS = 1e9  # about 30 years; keeps `inf` out of arithmetic with clocks


def _whole(description: str, least: int = 0) -> Meta:
    return Meta(ge=least, le=_MOST, description=description)


def _seconds(description: str, least: float = 0.0) -> Meta:
    return Meta(ge=least, le=_LONGEST_SECONDS, description=description)


def _text(description: str) -> Meta:
    return Meta(description=description)


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[section]` of crawl.toml."""


class Seeds(Section, frozen=True):
    """Where the crawl begins."""

    urls: Annotated[list[str], _text("Web addresses to begin with; one without http:// or https:// is https.")] = field(
        default_factory=list
    )
    file: Annotated[
        str,
        _text("A file of more addresses, one a line, # for comments; its path is relative to this file. Empty: none."),
    ] = ""
    sitemaps: Annotated[bool, _text("Whether sitemaps that servers name in robots.txt are read for addresses.")] = True


class Target(Section, frozen=True):
    """What the crawl looks for."""

    languages: Annotated[
        list[str],
        _text("Pages written, all or partly, in one of these languages are relevant: codes or English names."),
    ] = field(default_factory=list)
    match: Annotated[
        Literal["any", "all"],
        _text("If the sections below ask for more than languages: whether a page must match any of them, or all."),
    ] = "any"


class About(Section, frozen=True):
    """Pages about a nation, in any language: its places, dishes, institutions and so on."""

    nation: Annotated[
        str, _text("Two letters of a nation that ships, as TH, or the path of a nation file. Empty: none.")
    ] = ""
    languages: Annotated[
        list[str], _text("Only pages written, all or partly, in one of these languages. Empty: in any.")
    ] = field(default_factory=list)
    names: Annotated[
        str, _text("A file of names to add, one a line, or to take out, as in -Hot. Empty: the nation's alone.")
    ] = ""
    domains: Annotated[
        list[str],
        _text("Pages at servers in these top-level domains count too, whatever they are about. Empty: names decide."),
    ] = field(default_factory=list)
    share: Annotated[
        float, Meta(gt=0.0, le=1.0, description="The share of a page's words that must be in names; titles count more.")
    ] = 0.006
    variety: Annotated[
        int, _whole("How many different names a page must have; one that it mentions often counts as two.", 1)
    ] = 2
    topic: Annotated[
        str, _text("A topic model that must say yes too: a file that `exonym model topic train` wrote. Empty: none.")
    ] = ""


class Topic(Section, frozen=True):
    """Pages on a topic, by a model that was trained with examples."""

    model: Annotated[str, _text("A file that `exonym model topic train` wrote. Empty: none.")] = ""
    languages: Annotated[
        list[str], _text("Only pages written, all or partly, in one of these languages. Empty: in any.")
    ] = field(default_factory=list)
    words: Annotated[
        list[str], _text("Narrows the topic: a page must have one of these words or phrases. Empty: none.")
    ] = field(default_factory=list)
    threshold: Annotated[
        float, Meta(ge=0.0, le=1.0, description="The probability from which on a page is on the topic; 0: the model's.")
    ] = 0.0


class WeightTableTarget(Section, frozen=True):
    """Pages that weigh enough by a table of weighted terms (HAPRC)."""

    file: Annotated[str, _text("A table that `exonym model table train` wrote. Empty: none.")] = ""
    languages: Annotated[
        list[str], _text("Only pages written, all or partly, in one of these languages. Empty: in any.")
    ] = field(default_factory=list)
    threshold: Annotated[
        float, Meta(ge=0.0, le=1e9, description="The weight from which on a page is relevant; 0: the table's.")
    ] = 0.0
    rule: Annotated[
        Literal["table", "weighted", "paper"],
        _text("weighted: the sum of all weighted terms; paper: a term at a time, unweighted; table: as in the file."),
    ] = "table"
    grow: Annotated[
        int, _whole("After how many relevant pages the table learns from them, as in 100; it is kept in DIR. 0: never.")
    ] = 0


class JudgeSettings(Section, frozen=True):
    """How the language of a page is identified."""

    identifier: Annotated[
        Literal["default", "classic"],
        _text("default, or classic: n-gram profiles and charset labels, as in the papers that strategies come from."),
    ] = "default"
    inherit_language: Annotated[
        bool,
        _text("Whether a page too short to identify is taken to be in the language of the page that linked to it."),
    ] = True


class StrategyChoice(Section, frozen=True):
    """In which order links are followed, and which are not."""

    name: Annotated[
        str,
        _text(
            "adaptive, bfs, hard, soft, limited-distance, lswc, server-filter, directory-filter, best-page, "
            "best-segment, mean-segment, segment, site, naive-bayes or cjk; the options of each stand beside it. "
            "`exonym strategies` explains them."
        ),
    ] = "adaptive"
    eagerness: Annotated[
        Annotated[float, Meta(ge=0.0, le=1.0)] | Literal["auto"],
        _text(
            "How far connections may stray from the order to stay busy: 0, only the best link is fetched, and the "
            "others wait for its server; 1, every connection is kept busy. auto: 0.02 with limits.pages, else 1."
        ),
    ] = "auto"
    options: dict[str, OptionValue] = field(default_factory=dict)


class Limits(Section, frozen=True):
    """When the crawl stops; 0 is no limit. A crawl also stops when nothing is left to fetch."""

    pages: Annotated[int, _whole("Pages to fetch in all, failed requests included.")] = 0
    bytes: Annotated[int, _whole("Bytes to receive in all.")] = 0
    seconds: Annotated[float, _seconds("Running time in all, over all resumptions.")] = 0.0
    pages_per_server: Annotated[int, _whole("Pages to fetch from one server.")] = 300


class ScopeSettings(Section, frozen=True):
    """What is left out, and how single servers are treated. Rules in a file scope.txt beside this one come after these,
    and a running crawl obeys changes of both within seconds. `exonym scope DIR` writes and tests them."""

    rules: Annotated[
        list[str],
        _text(
            'Rules, of which later ones win, as in ["drop *.example.org", "keep www.example.org", '
            '"limit 50 blog.example.org", "delay 10 example.net/search/", "drop /calendar/"].'
        ),
    ] = field(default_factory=list)


class PolitenessSettings(Section, frozen=True):
    """How servers are treated. robots.txt is always obeyed."""

    operator: Annotated[
        str, _text("Who runs this crawl: a web page or e-mail address that is sent with every request. Required.")
    ] = ""
    delay_seconds: Annotated[float, _seconds("Least wait between two requests to one server.")] = 2.0
    address_delay_seconds: Annotated[
        float, _seconds("Least wait between two requests to one IP address, which may host many servers.")
    ] = 0.5
    retries: Annotated[int, _whole("How often a request that failed for a passing reason is tried again.")] = 3
    retry_seconds: Annotated[float, _seconds("Wait before the first retry; doubles with each.")] = 30.0
    robots_seconds: Annotated[float, _seconds("How long a robots.txt is trusted before it is requested again.")] = (
        86_400.0
    )


class Network(Section, frozen=True):
    """Connections and their limits."""

    connections: Annotated[int, _whole("Connections open at a time, never more than one to a server.", 1)] = 100
    connect_seconds: Annotated[float, _seconds("Longest wait for a connection.", 0.1)] = 20.0
    total_seconds: Annotated[float, _seconds("Longest time for one request.", 0.1)] = 120.0
    low_speed_bytes: Annotated[int, _whole("A response slower than this many bytes a second …")] = 100
    low_speed_seconds: Annotated[int, _whole("… for this many seconds is given up.")] = 30
    page_bytes: Annotated[int, _whole("A response is cut after this many bytes; the part received is kept.", 1)] = (
        10_000_000
    )
    allow_private: Annotated[bool, _text("Whether requests to private and loopback addresses are allowed.")] = False
    connect_to: Annotated[
        str, _text("Send every request, whatever its host name, to this host:port (practice webs). Empty: the web.")
    ] = ""
    connect_to_tls: Annotated[
        bool, _text("Whether https links are asked for by TLS at `connect_to` too; false: by plain HTTP.")
    ] = True
    user_agent: Annotated[str, _text("A token to add to the user agent, such as MyLibrary/1. Empty: none.")] = ""


class ArchiveSettings(Section, frozen=True):
    """What is kept of the pages."""

    file_bytes: Annotated[int, _whole("A WARC file is closed and a new one begun when it is this long.", 1)] = (
        1_000_000_000
    )
    other_types: Annotated[bool, _text("Whether bodies that are not HTML (images, PDF …) are kept too.")] = False
    documents: Annotated[
        list[str],
        _text('Endings of documents to fetch and keep besides pages, as in ["pdf", "docx"]. Empty: none.'),
    ] = field(default_factory=list)


class Readers(Section, frozen=True):
    """The processes that parse pages and judge their language, kept apart because pages can be hostile."""

    count: Annotated[int, _whole("How many; -1 is one for each spare core, at least one.", -1)] = -1
    cpu_seconds: Annotated[int, _whole("A page that costs a reader more processor time is given up.", 1)] = 10
    memory_bytes: Annotated[int, _whole("A page that costs a reader more memory is given up.", 1)] = 1_000_000_000
    wall_seconds: Annotated[float, _seconds("A page that keeps a reader longer is given up.", 0.1)] = 60.0


class Urls(Section, frozen=True):
    """How addresses are written in one way."""

    session_parameters: Annotated[
        list[str], _text("Names of query parameters to drop from addresses, in addition to the usual session ids.")
    ] = field(default_factory=list)
    files: Annotated[
        Literal["skip", "follow"],
        _text(
            "Whether links to files (images, PDF …), which are recognised by their ending and by what the server "
            "answered to such addresses, are left out; those that [archive] wants never are."
        ),
    ] = "skip"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All of crawl.toml."""

    seeds: Seeds = field(default_factory=Seeds)
    target: Target = field(default_factory=Target)
    about: About = field(default_factory=About, name="target.about")
    topic: Topic = field(default_factory=Topic, name="target.topic")
    table: WeightTableTarget = field(default_factory=WeightTableTarget, name="target.table")
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    strategy: StrategyChoice = field(default_factory=StrategyChoice)
    limits: Limits = field(default_factory=Limits)
    scope: ScopeSettings = field(default_factory=ScopeSettings)
    politeness: PolitenessSettings = field(default_factory=PolitenessSettings)
    network: Network = field(default_factory=Network)
    archive: ArchiveSettings = field(default_factory=ArchiveSettings)
    readers: Readers = field(default_factory=Readers)
    urls: Urls = field(default_factory=Urls)

    def check_live(self) -> None:
        """Raise unless a live crawl may start with these settings: it must name who runs it."""
        if not self.politeness.operator:
            raise ConfigError(
                "politeness.operator is missing: a live crawl must say who runs it. "
                "Set it in crawl.toml, section [politeness], to a web page or e-mail address of yours."
            )
        if not self.seeds.urls and not self.seeds.file:
            raise ConfigError(
                "seeds.urls is empty: the crawl has no place to begin. Add addresses in crawl.toml, [seeds]."
            )


# By their names in the file; one with a point is a part of another section.
SECTIONS: dict[str, type[Section]] = {item.encode_name: item.type for item in msgspec.structs.fields(Settings)}

_E_MAIL = re.compile(r"[^@\s()<>,;]+@[^@\s()<>,;]+\.[^@\s()<>,;]+")


def is_operator(text: str) -> bool:
    """Whether `text` is a web page or e-mail address that may be sent in a request header."""
    if not is_header_text(text) or set(text) & set("() "):
        return False
    if _E_MAIL.fullmatch(text):
        return True
    try:
        return bool(normal_form(text))
    except UrlError:
        return False


def is_header_text(text: str) -> bool:
    """Whether `text` may be sent in a request header: printable ASCII only."""
    return text.isascii() and text.isprintable()


def user_agent(settings: Settings) -> str:
    """The user agent of the crawl: program, version, whom to contact, and a token that the operator chose."""
    operator = settings.politeness.operator
    parts = [f"Exonym/{__version__}", f"(+{operator})" if operator else "", settings.network.user_agent]
    return " ".join(part for part in parts if part)
