"""`PracticeWeb`: a deterministic web of many hosts, from a seed number and a size.

Pure: no clock, no files, no sockets. A page is computed when it is requested, so that a web of a million pages starts
at once and takes no more memory than its list of servers.
"""

import json
import shlex

from exonym.errors import UrlError
from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.graph.practice_graph import PracticeGraph, build_graph
from exonym.practice.kinds import TEXT_KINDS, PageKind
from exonym.practice.page_html import label_of, spelled_links, title_of
from exonym.practice.pages import PracticeLink, PracticePage, PracticeResponse
from exonym.practice.practice_crawl import PRACTICE_ADDRESS
from exonym.practice.serving.answers import UNKNOWN_HOST, answer
from exonym.practice.topical.subjects import TARGETS, PageTruth
from exonym.practice.tree import PagePlace
from exonym.practice.web_facts import WebFacts
from exonym.practice.web_languages import language_of
from exonym.practice.web_options import PracticeOptions
from exonym.urls import normal_form

_SHOWN_SEEDS = 5
_REDIRECTS = frozenset([PageKind.REDIRECT, PageKind.LOOP])


class PracticeWeb:
    """A web to practise on; the same seed, size and options give the same bytes everywhere."""

    def __init__(self, seed: int, pages: int, options: PracticeOptions | None = None) -> None:
        self.seed = seed
        self.page_count = pages
        self.options = options or PracticeOptions()
        self.facts = WebFacts(seed, pages, self.options)

    @property
    def servers(self) -> list[str]:
        """Host names of all servers, in the order of their page ids."""
        return self.facts.tree.table.names

    @property
    def language(self) -> str:
        """The nation's language: what a focused crawl of this web looks for."""
        return language_of(self.facts.tree.nation_tongue)

    @property
    def languages(self) -> list[str]:
        """The languages that servers are written in, the nation's first."""
        languages = {language_of(tongue) for tongue in self.facts.tree.table.tongues}
        return [self.language, *sorted(languages - {self.language})]

    def seeds(self) -> list[str]:
        """The home pages of three national portals; in a web with topics, one of them is in English, about travel."""
        return [self.url(page) for page in self.facts.seeds]

    def url(self, page_id: int) -> str:
        """The URL of a page, in normal form."""
        return self.facts.url(int(page_id))  # NumPy integers overflow where Python's do not

    def page_id(self, url: str) -> int | None:
        """The page of a URL in normal form; None for extras, robots.txt and unknown URLs."""
        return self.facts.tree.page_id(url)

    def page(self, page_id: int) -> PracticePage:
        """All facts about a page."""
        facts, page_id = self.facts, int(page_id)
        place = facts.tree.place(page_id)
        tongue = facts.linking.tongue(place)
        is_redirect = place.kind in _REDIRECTS
        truth = facts.truth(place)
        return PracticePage(
            id=page_id,
            url=facts.url(page_id),
            kind=place.kind,
            server=place.server.name,
            language=language_of(tongue),
            charset=place.server.charset,
            label=label_of(place.server, facts.tree.nation_tongue),
            title=title_of(facts.original(place), tongue),
            status=facts.status(place),
            location=facts.url(facts.redirect_target(place)) if is_redirect else None,
            links=tuple(self._links(place)),
            is_relevant=facts.is_relevant(place),
            is_forbidden=facts.is_forbidden(place),
            says_nofollow=facts.says_nofollow(place),
            topic=truth.topic,
            about=truth.about,
        )

    def truth(self, url: str) -> PageTruth | None:
        """What the page of a URL in normal form is about; None for extras, robots.txt and unknown URLs."""
        page = self.page_id(url)
        return None if page is None else self.facts.truth(self.facts.tree.place(page))

    def _links(self, place: PagePlace) -> list[PracticeLink]:
        if place.kind != PageKind.FRAMES and place.kind not in TEXT_KINDS:
            return []
        original = self.facts.original(place)
        return spelled_links(self.facts, original, self.facts.linking.plan(original))

    def respond(self, url: str, asked_before: int = 0) -> PracticeResponse:
        """The response to any URL, which was requested `asked_before` times already."""
        try:
            return answer(self.facts, normal_form(url), asked_before)
        except UrlError:
            return UNKNOWN_HOST

    def graph(self, months: int = 400) -> PracticeGraph:
        """The web as arrays, with the first `months` pages of each endless calendar."""
        return build_graph(self.facts, months)


def describe(web: PracticeWeb | GraphWeb, address: str = "127.0.0.1:PORT") -> list[str]:
    """Describes a served web in lines of text, with the settings that a crawl of it needs in crawl.toml."""
    if isinstance(web, GraphWeb):
        name, domains, has_topics = f"Web graph {web.directory}", set(web.domains), False
    else:
        domains = {name.rpartition(".")[2] for name in web.servers}
        name, has_topics = f"Practice web {web.seed}", web.options.topics
    nation = f"; the nation's is {web.language}" if web.language else ""
    topics = f"English sites have topics; a judge can be trained for {', '.join(TARGETS)} (see --labels)"
    return [
        f"{name}: {web.page_count:,} pages on {len(web.servers):,} servers",
        f"Top-level domains: {' '.join('.' + domain for domain in sorted(filter(None, domains)))}",
        f"Languages: {' '.join(web.languages)}{nation}",
        *([topics] if has_topics else []),
        f"Served on {address} for every host name; counts of requests: http://practice.invalid/_stats",
        "To crawl it, in another terminal:",
        "",
        _new_command(web, address),
        "exonym crawl DIR",
        "",
        "Or write into crawl.toml:",
        "",
        "[seeds]",
        f"urls = {json.dumps(web.seeds())}",
        "",
        "[target]",
        f"languages = {json.dumps(web.languages[:1])}",
        "",
        "[network]",
        f'connect_to = "{address}"',
    ]


def _new_command(web: PracticeWeb | GraphWeb, address: str) -> str:
    """The command that makes a crawl of a served web."""
    words = ["exonym new DIR --practice", *(f"--language {code}" for code in web.languages[:1])]
    words += [f"--seed {shlex.quote(seed)}" for seed in web.seeds()[:_SHOWN_SEEDS]]
    if address != PRACTICE_ADDRESS:
        words.append(f"--set network.connect_to={address}")
    return " ".join(words)
