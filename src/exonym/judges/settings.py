"""Judges as plain data: what a crawl.toml asks for, what worker processes are told, what a graph's manifest keeps.

{"kind": "language", "languages": ["th"], "identifier": "default", "inherit_language": true}
{"kind": "about", "nation": "TH", "names": "", "languages": ["en"], "domains": [], "share": 0.01, "variety": 2}
{"kind": "topic", "model": "tourism.topic", "languages": ["en"], "threshold": 0.0}
{"kind": "words", "words": ["scuba", "coral reef"], "languages": ["en"]}
{"kind": "table", "file": "ships.table", "languages": ["en"], "threshold": 0.0}
{"kind": "any", "judges": [{"kind": "language", …}, {"kind": "about", …}]}, or "all"
"""

import os
from collections.abc import Iterator
from typing import Any

from exonym.config import Settings
from exonym.config.settings import About, Topic, WeightTableTarget

Plain = dict[str, Any]


def judge_settings(settings: Settings, directory: str | os.PathLike[str]) -> Plain:
    """The judge that a crawl's target asks for; files are named from `directory`, the crawl's."""
    here = os.path.abspath(directory)
    asked: list[Plain] = []
    if settings.target.languages:
        asked.append({"kind": "language", "languages": settings.target.languages})
    if settings.about.nation:
        asked.append(_about_settings(settings.about, here))
    if settings.topic.model:
        asked.append(_topic_settings(settings.topic, here))
    if settings.table.file:
        asked.append(_table_settings(settings.table, here))
    joined = _joined(settings.target.match, asked)
    for part in parts_of(joined):
        part |= {"identifier": settings.judge.identifier, "inherit_language": settings.judge.inherit_language}
    return joined


def _joined(how: str, judges: list[Plain]) -> Plain:
    return judges[0] if len(judges) == 1 else {"kind": how, "judges": judges}


def _about_settings(about: About, directory: str) -> Plain:
    is_file = about.nation.endswith(".toml") or "/" in about.nation
    nation = {
        "kind": "about",
        "nation": os.path.join(directory, about.nation) if is_file else about.nation,
        "names": os.path.join(directory, about.names) if about.names else "",
        "languages": about.languages,
        "domains": about.domains,
        "share": about.share,
        "variety": about.variety,
    }
    topic = _topic_settings(Topic(model=about.topic, languages=about.languages), directory) if about.topic else None
    return _joined("all", [nation, topic] if topic else [nation])


def _topic_settings(topic: Topic, directory: str) -> Plain:
    model = {
        "kind": "topic",
        "model": os.path.join(directory, topic.model),
        "languages": topic.languages,
        "threshold": topic.threshold,
    }
    words = {"kind": "words", "words": topic.words, "languages": topic.languages}
    return _joined("all", [model, words] if topic.words else [model])


def _table_settings(table: WeightTableTarget, directory: str) -> Plain:
    return {
        "kind": "table",
        "file": os.path.join(directory, table.file),
        "languages": table.languages,
        "threshold": table.threshold,
    }


def parts_of(settings: Plain) -> Iterator[Plain]:
    """The judges that others are joined of."""
    if settings.get("kind") in ("any", "all"):
        for inner in settings.get("judges") or ():
            yield from parts_of(inner)
    else:
        yield settings


def languages_of(settings: Plain) -> list[str]:
    """The languages for whose sake alone pages are relevant, or may be."""
    return [one for part in parts_of(settings) if part.get("kind") == "language" for one in part.get("languages", ())]


def reads_anchors(settings: Plain) -> bool:
    """Whether the texts of a page's links count in judging it."""
    return any(part.get("kind") == "topic" for part in parts_of(settings))


def told(settings: Plain) -> str:
    """A judge in a few words, for people.

    >>> told({"kind": "any", "judges": [{"kind": "language", "languages": ["th"]}, {"kind": "about", "nation": "TH"}]})
    'in th, or about TH'
    """
    match settings.get("kind"):
        case "any" | "all" as kind:
            joint = ", or " if kind == "any" else ", and "
            return joint.join(_told_within(inner) for inner in settings.get("judges") or ())
        case "about":
            nation = os.path.basename(str(settings.get("nation", ""))).removesuffix(".toml")
            return " ".join([f"about {nation}", *_in(settings)])
        case "topic":
            return " ".join([f"on {os.path.basename(str(settings.get('model', '')))}", *_in(settings)])
        case "words":
            return f"with {' or '.join(map(str, settings.get('words') or ()))}"
        case "table":
            return " ".join([f"weighed by {os.path.basename(str(settings.get('file', '')))}", *_in(settings)])
        case _:
            return " ".join(_in(settings)) or "–"


def _told_within(settings: Plain) -> str:
    return f"({told(settings)})" if settings.get("kind") in ("any", "all") else told(settings)


def _in(settings: Plain) -> list[str]:
    languages = settings.get("languages") or ()
    return [f"in {', '.join(map(str, languages))}"] if languages else []
