"""`exonym identify names FILE… | -`: the names of a nation in texts."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.terminal.numbers import print_rows
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.cli.page_source import PageBytes
    from exonym.nations.matching.matcher import FoundNames, Match, Matcher

_EXACT, _BY_SOUND, _PLAIN = "bold green", "bold yellow", ""
_BLANKS = re.compile(r"(\s+)")
_LONGEST_WORD = 500

NationOption = Annotated[str, typer.Option(metavar="XX | FILE", help="Whose names: TH, or a nation file of yours.")]


def names(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE… | URL | -", help="HTML or text files, web addresses, - for input.")
    ],
    nation: NationOption = "TH",
    own: Annotated[
        Path | None, typer.Option("--names", metavar="FILE", help="Names of your own, one a line; -name takes one out.")
    ] = None,
    matcher: Annotated[
        str, typer.Option(metavar="KIND", help="default; classic, the thesis' Soundex; or exact, nothing by sound.")
    ] = "default",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts, one line a text.")] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")
    ] = False,
) -> None:
    """Show a nation's names in texts: exactly as known, or by sound, and the share of words that are in names."""
    from exonym.cli.page_source import read_page_bytes

    found_by = _matcher(nation, own, matcher)
    for number, source in enumerate(sources):
        text = text_of(read_page_bytes(source, "", allow_private))
        found = found_by.find(text)
        if as_json:
            print(json.dumps(_json_of(source, found), ensure_ascii=False))
        else:
            print("\n" * bool(number), end="")
            _show(source, text, found)


def _matcher(nation: str, own: Path | None, kind: str) -> "Matcher":
    from exonym.nations import load_nation, with_names
    from exonym.nations.matching.matcher import KINDS, matcher_of

    chosen = next((known for known in KINDS if known == kind), None)
    if chosen is None:
        raise ConfigError(f"--matcher must be one of {', '.join(KINDS)}, got {kind[:60]!r}.")
    loaded = load_nation(nation)
    return matcher_of(with_names(loaded, own) if own else loaded, chosen)


def text_of(page: "PageBytes") -> str:
    """The words of a page, HTML or plain text."""
    from exonym.extract.charset import decode
    from exonym.extract.content_kind import is_html
    from exonym.extract.document import Wants
    from exonym.extract.html import extract

    if not is_html(page.content_type.encode("latin-1", "replace"), page.body):
        return decode(page.body, page.content_type).text
    return extract(page.body, page.url, page.content_type, Wants(around=False, place=False, anchor=False)).blocks


def _json_of(source: str, found: "FoundNames") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    return {
        "source": source,
        "words": found.words,
        "words_in_names": found.words_in_names,
        "share": round(found.share, 4),
        "names": [match._asdict() for match in found.names],
    }


def _show(source: str, text: str, found: "FoundNames") -> None:
    from rich.console import Console
    from rich.text import Text

    print(f"{clean(source)}\n")
    if sys.stdout.isatty():
        shown = Text.assemble(*((_fit(piece), style) for piece, style in _pieces(text, found, in_colour=True)))
        Console().print(shown, soft_wrap=True)
    else:
        print("".join(_fit(piece) for piece, _ in _pieces(text, found, in_colour=False)).rstrip())
    by_sound = sum(match.by_sound for match in found.names)
    print()
    print_rows(
        [
            ("names", f"{len(found.names) - by_sound:,} exact, {by_sound:,} by sound"),
            ("words", f"{found.words:,}, stop words left out"),
            ("in names", f"{found.words_in_names:,}, {found.share:.1%} of words"),
        ]
    )


def _pieces(text: str, found: "FoundNames", in_colour: bool) -> Iterator[tuple[str, str]]:
    """The text in pieces with their styles; where there are no colours, names are in brackets."""
    end = 0
    for match in found.names:
        yield text[end : match.start], _PLAIN
        yield (_told(match) if in_colour else f"[{_told(match)}]"), _BY_SOUND if match.by_sound else _EXACT
        end = match.end
    yield text[end:], _PLAIN


def _told(match: "Match") -> str:
    return f"{match.text} ≈ {match.name}" if match.by_sound else match.text


def _fit(text: str) -> str:
    """A text from the web made fit for a terminal; blanks stay, though not more than one or a new line."""
    return "".join(_fit_piece(piece) for piece in _BLANKS.split(text))


def _fit_piece(piece: str) -> str:
    if piece.isspace():
        return "\n" if "\n" in piece else " "
    return "".join(clean(piece[at : at + _LONGEST_WORD]) for at in range(0, len(piece), _LONGEST_WORD))
