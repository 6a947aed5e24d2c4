"""`exonym identify names FILE… | -`: shows the names of a nation in texts."""

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJsonLines, Names, NationOption, SourcesArgument
from exonym.cli.output import OutputRows, emit
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.nations import Nation
    from exonym.nations.matching.matcher import FoundNames, Matcher

_EXACT, _BY_SOUND, _PLAIN = "bold green", "bold yellow", ""
_BLANKS = re.compile(r"(\s+)")
_LONGEST_WORD = 500
_MOST_NAMES = 5  # of those that decide


def names(
    sources: SourcesArgument,
    nation: NationOption = "TH",
    own: Names = None,
    matcher: Annotated[
        str, typer.Option(metavar="NAME", help="default, classic (the thesis' Soundex) or exact (nothing by sound).")
    ] = "default",
    as_json: AsJsonLines = False,
    allow_private: AllowPrivate = False,
) -> None:
    """Show a nation's names in texts, as listed or by sound, and whether the texts are about the nation."""
    from exonym.cli.page_source import read_document
    from exonym.judges.about import ENOUGH, AboutRule
    from exonym.nations import load_nation, with_names
    from exonym.nations.matching.page_names import PageNames

    loaded = with_names(load_nation(nation), own) if own else load_nation(nation)
    chosen, page_names = _matcher(loaded, matcher), PageNames(loaded)
    for number, source in enumerate(sources):
        page = read_document(source, allow_private=allow_private)
        found, mentioned = chosen.find(page.blocks), page_names.mentions(page.title, page.blocks)
        relevance = AboutRule().relevance_of(mentioned)
        about = {"relevant": relevance >= ENOUGH, "relevance": round(relevance, 4), **mentioned._asdict()}
        document = {
            "source": source,
            "words": found.words,
            "words_in_names": found.words_in_names,
            "share": round(found.share, 4),
            "names": [match._asdict() for match in found.names],
            "about": about,
        }
        verdict = (f"about {loaded.name}", _verdict(about))
        emit(document, _shown(source, page.blocks, found, verdict, is_first=not number), as_json)


def _verdict(about: dict[str, Any]) -> str:
    """Whether the whole text is about the nation, as a crawl with default settings judges it, and by which names."""
    listed = ", ".join(about["names"][:_MOST_NAMES]) + (" …" if len(about["names"]) > _MOST_NAMES else "")
    by = f"{about['share']:.1%} of words are in names that are evidence: {listed}" if about["share"] else "no evidence"
    return f"{'yes' if about['relevant'] else 'no'}; {by}"


def _matcher(nation: "Nation", kind: str) -> "Matcher":
    from exonym.nations.matching.matcher import KINDS, matcher_of

    chosen = next((known for known in KINDS if known == kind), None)
    if chosen is None:
        raise ConfigError(f"--matcher must be one of {', '.join(KINDS)}, got {kind[:60]!r}.")
    return matcher_of(nation, chosen)


def _shown(
    source: str, text: str, found: "FoundNames", verdict: tuple[str, str], is_first: bool
) -> Iterator[str | OutputRows]:
    from rich.console import Console
    from rich.text import Text

    yield f"{clean(source)}\n" if is_first else f"\n{clean(source)}\n"
    if sys.stdout.isatty():
        shown = Text.assemble(*((_cleaned(piece), style) for piece, style in _pieces(text, found, in_colour=True)))
        Console().print(shown, soft_wrap=True)
    else:
        yield "".join(_cleaned(piece) for piece, _ in _pieces(text, found, in_colour=False)).rstrip()
    by_sound = sum(match.by_sound for match in found.names)
    yield ""
    yield [
        ("names", f"{len(found.names) - by_sound:,} exact, {by_sound:,} by sound"),
        ("words", f"{found.words:,}, without stop words"),
        ("in names", f"{found.words_in_names:,}, {found.share:.1%} of words"),
        verdict,
    ]


def _pieces(text: str, found: "FoundNames", in_colour: bool) -> Iterator[tuple[str, str]]:
    """The text in pieces with their styles; where there are no colours, names are in brackets."""
    end = 0
    for match in found.names:
        yield text[end : match.start], _PLAIN
        shown = f"{match.text} ≈ {match.name}" if match.by_sound else match.text
        yield shown if in_colour else f"[{shown}]", _BY_SOUND if match.by_sound else _EXACT
        end = match.end
    yield text[end:], _PLAIN


def _cleaned(text: str) -> str:
    """A text from the web, cleaned for a terminal; white space becomes one blank or one line break."""
    pieces = []
    for piece in _BLANKS.split(text):
        if piece.isspace():
            pieces.append("\n" if "\n" in piece else " ")
        else:
            pieces += [clean(piece[at : at + _LONGEST_WORD]) for at in range(0, len(piece), _LONGEST_WORD)]
    return "".join(pieces)
