"""What a graph is about, in the words that captions and notes use, and what it is compared with.

The manifest says which languages, or which nation, make a page relevant. Published figures of other webs are shown only
if they are asked for by name.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from exonym.errors import ConfigError
from exonym.judges.judge_settings import parts_of
from exonym.language_names import name_of
from exonym.published import thai_web, thesis
from exonym.webgraph.manifest import Manifest

# What graphs can be compared with.
THAI_2006, THAI_2014 = "thai2006", "thai2014"
COMPARISONS = {THAI_2006: thai_web.PAPER, THAI_2014: thesis.PAPER}
_LONGEST = 24  # letters of an adjective: captions fit a line of 80 letters


@dataclass(frozen=True, slots=True)
class GraphSubject:
    """What relevant pages are called, and the names of published figures to show beside those of the graph."""

    adjective: str = "relevant"  # or "Thai", "Portuguese"
    compared: frozenset[str] = frozenset()

    def paper(self, name: str, place: str) -> str:
        """Where in a paper a table is, as in "Table 3 of …"; nothing unless the graph is compared with it."""
        return f"{place} of {COMPARISONS[name]}" if name in self.compared else ""

    def published(self, name: str, text: str) -> str:
        """A text about published figures; nothing unless the graph is compared with them."""
        return text if name in self.compared else ""


PLAIN = GraphSubject()


def subject_of(manifest: Manifest, compared: Iterable[str] = ()) -> GraphSubject:
    """The subject of a graph; raises if it is to be compared with what nobody published."""
    names = frozenset(compared)
    for name in sorted(names - set(COMPARISONS)):
        raise ConfigError(f"nothing to compare with is called {name[:60]!r}. Choose from: {', '.join(COMPARISONS)}.")
    is_of_language = all(part.get("kind", "language") == "language" for part in _judges(manifest))
    adjective = " or ".join(name_of(code) for code in manifest.languages)
    if not is_of_language or not adjective or len(adjective) > _LONGEST or "target" in manifest.provenance:
        adjective = "relevant"
    return GraphSubject(adjective, names)


def nation_of(manifest: Manifest) -> str:
    """The nation, by code or file, that makes pages relevant; "" if the manifest names none."""
    nations = [part.get("nation") for part in _judges(manifest) if part.get("kind") == "about"]
    return next((nation for nation in nations if isinstance(nation, str)), "")


def _judges(manifest: Manifest) -> list[dict[str, object]]:
    judge = manifest.provenance.get("judge")
    return [part for part in parts_of(judge) if isinstance(part, dict)] if isinstance(judge, dict) else []
