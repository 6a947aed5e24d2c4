"""A web that is served in a few lines for people, with what to write into crawl.toml to crawl it."""

import json

from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.topical.subjects import TARGETS
from exonym.practice.web import PracticeWeb


def describe(web: PracticeWeb | GraphWeb, address: str = "127.0.0.1:PORT") -> list[str]:
    """Lines that say what the web is and how to crawl it."""
    nation = f"; the nation's is {web.language}" if web.language else ""
    return [
        f"{_name_of(web)}: {web.page_count:,} pages on {len(web.servers):,} servers",
        f"Top-level domains: {' '.join('.' + domain for domain in _domains_of(web))}",
        f"Languages: {' '.join(web.languages)}{nation}",
        *_topics_of(web),
        f"Served on {address} for every host name; what was asked: http://practice.invalid/_stats",
        "To crawl it, write into crawl.toml:",
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


def _topics_of(web: PracticeWeb | GraphWeb) -> list[str]:
    if isinstance(web, GraphWeb) or not web.options.topics:
        return []
    return [f"English sites have topics; a judge can be trained for {', '.join(TARGETS)} (see --labels)"]


def _name_of(web: PracticeWeb | GraphWeb) -> str:
    return f"Web graph {web.directory}" if isinstance(web, GraphWeb) else f"Practice web {web.seed}"


def _domains_of(web: PracticeWeb | GraphWeb) -> list[str]:
    names = web.domains if isinstance(web, GraphWeb) else {name.rpartition(".")[2] for name in web.servers}
    return sorted(filter(None, names))
