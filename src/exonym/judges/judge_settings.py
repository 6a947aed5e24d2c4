"""Judges as plain data: what worker processes make judges from, and what a graph's manifest keeps.

`by_name` makes such settings from a crawl.toml, and judges from such settings.

{"kind": "language", "languages": ["th"], "identifier": "default", "inherit_language": true}
{"kind": "about", "nation": "TH", "names": "", "languages": ["en"], "domains": [], "share": 0.006, "variety": 2}
{"kind": "topic", "model": "tourism.topic", "languages": ["en"], "threshold": 0.0}
{"kind": "words", "words": ["scuba", "coral reef"], "languages": ["en"]}
{"kind": "table", "file": "ships.table", "languages": ["en"], "threshold": 0.0, "rule": "table"}
{"kind": "any", "judges": [{"kind": "language", …}, {"kind": "about", …}]}, or "all"
"""

from collections.abc import Iterator
from typing import Any

Plain = dict[str, Any]


def parts_of(settings: Plain) -> Iterator[Plain]:
    """The leaves of a tree of judges: `any` and `all` are walked through."""
    if settings.get("kind") in ("any", "all"):
        for inner in settings.get("judges") or ():
            yield from parts_of(inner)
    else:
        yield settings


def languages_of(settings: Plain) -> list[str]:
    """The languages that make a page relevant, or may, whatever its subject."""
    parts = (part for part in parts_of(settings) if part.get("kind") == "language")
    return [language for part in parts for language in part.get("languages", ())]


def reads_anchors(settings: Plain) -> bool:
    """Whether the texts of a page's links count in judging it."""
    return any(part.get("kind") == "topic" for part in parts_of(settings))


def described(settings: Plain) -> str:
    """A judge in a few words.

    >>> thai, about = {"kind": "language", "languages": ["th"]}, {"kind": "about", "nation": "TH"}
    >>> described({"kind": "any", "judges": [thai, about]})
    'in th, or about TH'
    """
    match settings.get("kind"):
        case "any" | "all" as kind:
            inner = settings.get("judges") or ()
            parts = (
                f"({described(part)})" if part.get("kind") in ("any", "all") else described(part) for part in inner
            )
            return (", or " if kind == "any" else ", and ").join(parts)
        case "about":
            nation = _file_name(settings.get("nation", "")).removesuffix(".toml")
            return " ".join([f"about {nation}", *_in_languages(settings)])
        case "topic":
            return " ".join([f"on {_file_name(settings.get('model', ''))}", *_in_languages(settings)])
        case "words":
            return f"with {' or '.join(map(str, settings.get('words') or ()))}"
        case "table":
            return " ".join([f"weighed by {_file_name(settings.get('file', ''))}", *_in_languages(settings)])
        case _:
            return " ".join(_in_languages(settings)) or "–"


def _in_languages(settings: Plain) -> list[str]:
    languages = settings.get("languages") or ()
    return [f"in {', '.join(map(str, languages))}"] if languages else []


def _file_name(path: object) -> str:
    return str(path).rpartition("/")[2]
