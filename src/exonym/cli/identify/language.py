"""`exonym identify language FILE… | URL | -`: the language of pages, and what says so."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.cli.page_source import PageBytes
    from exonym.extract.charset import Decoded
    from exonym.language.base import Clues, Identified, Identifier

_SMALLEST_SHARE = 0.005  # what rounds to nothing is not shown
_BY = {
    "bom": "by its byte order mark",
    "bytes": "by its bytes",
    "http": "by its HTTP header",
    "meta": "by its <meta>",
    "xml": "by its <?xml?>",
    "detected": "detected from its bytes",
}


def identify(
    sources: Annotated[
        list[str], typer.Argument(metavar="FILE… | URL | -", help="HTML or text files, web addresses, - for input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts, one line a page.")] = False,
    classic: Annotated[bool, typer.Option("--classic", help="Ask the papers' identifier instead of ours.")] = False,
    profiles: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Profiles of your own for --classic, by `language train`.")
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="What --classic prefers where several languages fit.")
    ] = "th",
    charset: Annotated[
        str, typer.Option(metavar="NAME", help="The charset that an HTTP header said of the files.")
    ] = "",
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")
    ] = False,
) -> None:
    """Show the language of pages, the shares of languages in them, their charset, and the evidence."""
    from exonym.cli.page_source import read_page_bytes

    _check_charset(charset)
    identifier = _identifier(classic, profiles, target)
    for number, source in enumerate(sources):
        page = read_page_bytes(source, charset, allow_private)
        text, clues, decoded = _read(page)
        found = identifier.identify(text, clues)
        if as_json:
            print(json.dumps(_json_of(source, found, decoded), ensure_ascii=False))
        else:
            _print(source, found, decoded, is_first=not number)


def _identifier(classic: bool, profiles: Path | None, target: str) -> "Identifier":
    from exonym.judges.by_name import make_identifier
    from exonym.language_names import language_of

    if profiles is None:
        return make_identifier("classic" if classic else "default", language_of(target))
    if not classic:
        raise ConfigError("--profiles are for the classic identifier. Add --classic.")
    from exonym.language.classic import ClassicIdentifier
    from exonym.language.profiles import load_profiles

    return ClassicIdentifier(load_profiles(profiles).profiles, language_of(target))


def _check_charset(charset: str) -> None:
    from exonym.extract.charset_labels import charset_named

    if charset and not charset_named(charset):
        raise ConfigError(f"--charset must be a charset that browsers know, as in tis-620, got {charset[:60]!r}.")


def _read(page: "PageBytes") -> "tuple[str, Clues, Decoded]":
    """The text of a page, what it says of itself, and how its bytes were decoded."""
    from exonym.extract.charset import Decoded, decode
    from exonym.extract.content_kind import is_html
    from exonym.extract.document import Wants
    from exonym.extract.html import extract
    from exonym.language.base import Clues, clues_of

    if not is_html(page.content_type.encode("latin-1", "replace"), page.body):
        decoded = decode(page.body, page.content_type)
        return decoded.text, Clues(charset=decoded.charset, charset_label=decoded.charset_label), decoded
    found = extract(page.body, page.url, page.content_type, Wants(around=False, place=False, anchor=False))
    return found.blocks, clues_of(found), Decoded("", found.charset, found.charset_evidence, found.charset_label)


def _json_of(source: str, found: "Identified", decoded: "Decoded") -> dict[str, Any]:
    """Scripts rely on these names; more may be added, none may go."""
    from exonym.language_names import name_of

    return {
        "source": source,
        "language": found.language or "unknown",
        "name": name_of(_code(found)),
        "variant": found.variant,
        "shares": {code: round(share, 4) for code, share in _by_share(found)},
        "charset": decoded.charset,
        "charset_evidence": decoded.evidence,
        "charset_label": decoded.charset_label,
        "confidence": round(found.confidence, 4),
        "evidence": list(found.evidence),
    }


def _print(source: str, found: "Identified", decoded: "Decoded", is_first: bool) -> None:
    from exonym.cli.terminal.numbers import print_rows
    from exonym.language_names import name_of

    code = _code(found)
    shares = [f"{name_of(name)} {share:.0%}" for name, share in _by_share(found) if share >= _SMALLEST_SHARE]
    evidence = [clean(phrase) for phrase in found.evidence] or ["none"]
    print(clean(source) if is_first else f"\n{clean(source)}")
    print_rows(
        [
            ("language", f"{name_of(code)} ({code})" if code else "unknown"),
            ("shares", ", ".join(shares).replace("%", " %") or "none"),
            ("charset", _charset_line(decoded)),
            ("confidence", f"{found.confidence:.2f}"),
            *zip(["evidence"] + [""] * (len(evidence) - 1), evidence, strict=True),
        ]
    )


def _code(found: "Identified") -> str:
    return f"{found.language}-{found.variant}" if found.variant else found.language


def _by_share(found: "Identified") -> list[tuple[str, float]]:
    return sorted(found.shares.items(), key=lambda item: (-item[1], item[0]))


def _charset_line(decoded: "Decoded") -> str:
    line = f"{decoded.charset}, {_BY.get(decoded.evidence, decoded.evidence)}"
    if decoded.charset_label in ("", decoded.charset):
        return line
    return f"{line}; its label, {decoded.charset_label}, is wrong"
