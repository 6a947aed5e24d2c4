"""The directory of an experiment: its settings and its webs, made once, so that the same command continues there.

experiment.json is written first; a directory with other contents is never changed.
"""

import json
from pathlib import Path
from typing import Any

import msgspec

from exonym.errors import DirectoryError
from exonym.progress import Tell
from exonym.system.files import disk_errors, replacing
from exonym.version import __version__
from exonym.webgraph import Graph
from exonym.webgraph.generating.generate import MADE_BY, Order, generate
from exonym.webgraph.manifest import MANIFEST

FORMAT = "exonym-experiment"
FACTS = "experiment.json"


def take_directory(directory: Path, name: str, settings: dict[str, Any]) -> None:
    """Make `directory` for this experiment, or continue there; raises if it holds another experiment or other files."""
    facts = {"format": FORMAT, "experiment": name, "settings": settings, "version": __version__}
    with disk_errors(directory):
        files = list(directory.iterdir()) if directory.is_dir() else []
        # A directory that holds only drafts of a killed run counts as empty.
        drafts = [file for file in files if FACTS in file.name and file.name.endswith((".draft", ".partial"))]
        if not directory.exists() or (directory.is_dir() and files == drafts):
            directory.mkdir(parents=True, exist_ok=True)
            for draft in drafts:
                draft.unlink()
            with replacing(directory / FACTS) as draft:
                draft.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
            return
    found = _facts_in(directory)
    if found.get("format") != FORMAT:
        raise DirectoryError(f"{directory} holds something else. Name another directory with -o; nothing was written.")
    if found != facts:
        differing = ", ".join(f"{key} {value}" for key, value in _changes(found, facts).items())
        raise DirectoryError(f"{directory} holds another experiment: {differing}. Name another directory with -o.")


def _facts_in(directory: Path) -> dict[str, Any]:
    try:
        found = json.loads((directory / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _changes(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The facts of the directory that differ from those wanted."""
    settings = found.get("settings")
    flat = [{**found, **(settings if isinstance(settings, dict) else {})}, {**wanted, **wanted["settings"]}]
    names = [key for key in flat[1] if key != "settings" and flat[0].get(key) != flat[1][key]]
    return {key: str(flat[0].get(key))[:60] for key in names} or {"settings": str(settings)[:60]}


def web_at(directory: Path, order: Order, tell: Tell) -> Graph:
    """The web of `order`: the one in `directory` if it is there, else a new one."""
    if not (directory / MANIFEST).exists():
        generate(directory, order, lambda doing: tell(f"{order.profile_name} web: {doing}"))
    graph = Graph.open(directory)
    # The parameters through JSON, as the manifest has them: tuples become lists.
    parameters = msgspec.json.decode(msgspec.json.encode(order.profile))
    ordered = [MADE_BY, order.profile_name, order.seed, order.pages, parameters]
    if [graph.manifest.provenance.get(key) for key in ("made_by", "profile", "seed", "pages", "parameters")] != ordered:
        raise DirectoryError(f"{directory} holds another web than the experiment needs. Remove it to make it again.")
    return graph
