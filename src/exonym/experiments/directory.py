"""The directory of an experiment: what was asked for stands in it, so that the same command goes on and no other does.

experiment.json is written first; a directory with other things in it is never touched.
"""

import json
from pathlib import Path
from typing import Any

from exonym.errors import DirectoryError
from exonym.system.files import disk_errors
from exonym.version import __version__

FORMAT = "exonym-experiment"
FACTS = "experiment.json"
_DRAFT = FACTS + ".partial"


def take_directory(directory: Path, name: str, settings: dict[str, Any]) -> None:
    """Make `directory` the place of this experiment, or go on with it there; refuse what is not ours or differs."""
    facts = {"format": FORMAT, "experiment": name, "settings": settings, "version": __version__}
    with disk_errors(directory):
        if not directory.exists() or (directory.is_dir() and {path.name for path in directory.iterdir()} <= {_DRAFT}):
            directory.mkdir(parents=True, exist_ok=True)
            _write(directory / FACTS, facts)
            return
    found = _facts_in(directory)
    if found.get("format") != FORMAT:
        raise DirectoryError(f"{directory} holds something else. Name another directory with -o; nothing was written.")
    if found != facts:
        asked = ", ".join(f"{key} {value}" for key, value in _changes(found, facts).items())
        raise DirectoryError(f"{directory} holds another experiment: {asked}. Name another directory with -o.")


def _facts_in(directory: Path) -> dict[str, Any]:
    try:
        found = json.loads((directory / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _changes(found: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """What it holds that differs from what is asked for."""
    flat = [{**facts, **_settings(facts)} for facts in (found, asked)]
    names = [key for key in flat[1] if key != "settings" and flat[0].get(key) != flat[1][key]]
    return {key: str(flat[0].get(key))[:60] for key in names} or {"settings": str(found.get("settings"))[:60]}


def _settings(facts: dict[str, Any]) -> dict[str, Any]:
    settings = facts.get("settings")
    return settings if isinstance(settings, dict) else {}


def _write(path: Path, facts: dict[str, Any]) -> None:
    draft = path.with_name(_DRAFT)
    draft.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    draft.replace(path)
