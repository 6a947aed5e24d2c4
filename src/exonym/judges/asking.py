"""Judges as plain data: what a crawl.toml asks for, what worker processes are told, what a graph's manifest keeps.

{"kind": "language", "languages": ["th"], "identifier": "default", "hearsay": true}
{"kind": "about", "nation": "TH", "names": "", "languages": ["en"], "domains": [], "share": 0.01, "variety": 2}
{"kind": "any", "judges": [{"kind": "language", …}, {"kind": "about", …}]}, or "all"
"""

import os
from collections.abc import Iterator
from typing import Any

from exonym.config import Settings

Plain = dict[str, Any]


def judge_settings(settings: Settings, directory: str | os.PathLike[str]) -> Plain:
    """The judge that a crawl's target asks for; files are named from `directory`, the crawl's."""
    telling = {"identifier": settings.judge.identifier, "hearsay": settings.judge.hearsay}
    asked: list[Plain] = []
    if settings.target.languages:
        asked.append({"kind": "language", "languages": settings.target.languages, **telling})
    if settings.about.nation:
        asked.append(_about_settings(settings, os.path.abspath(directory)) | telling)
    return asked[0] if len(asked) == 1 else {"kind": settings.target.match, "judges": asked}


def _about_settings(settings: Settings, directory: str) -> Plain:
    about = settings.about
    is_file = about.nation.endswith(".toml") or "/" in about.nation
    return {
        "kind": "about",
        "nation": os.path.join(directory, about.nation) if is_file else about.nation,
        "names": os.path.join(directory, about.names) if about.names else "",
        "languages": about.languages,
        "domains": about.domains,
        "share": about.share,
        "variety": about.variety,
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


def told(settings: Plain) -> str:
    """A judge in a few words, for people.

    >>> told({"kind": "any", "judges": [{"kind": "language", "languages": ["th"]}, {"kind": "about", "nation": "TH"}]})
    'in th, or about TH'
    """
    match settings.get("kind"):
        case "any" | "all" as kind:
            joint = ", or " if kind == "any" else ", and "
            return joint.join(map(told, settings.get("judges") or ()))
        case "about":
            nation = os.path.basename(str(settings.get("nation", ""))).removesuffix(".toml")
            return " ".join([f"about {nation}", *_in(settings)])
        case _:
            return " ".join(_in(settings)) or "–"


def _in(settings: Plain) -> list[str]:
    languages = settings.get("languages") or ()
    return [f"in {', '.join(map(str, languages))}"] if languages else []
