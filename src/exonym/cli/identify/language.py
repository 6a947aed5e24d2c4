"""`exonym identify language FILE… | URL | -`: shows the language of pages, and the evidence for it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJsonLines, SourcesArgument
from exonym.cli.output import emit
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.extract.document import Document
    from exonym.language.base import Identified, Identifier

_BY = {
    "bom": "by its byte order mark",
    "bytes": "by its bytes",
    "http": "by its HTTP header",
    "meta": "by its <meta>",
    "xml": "by its <?xml?>",
    "detected": "detected from its bytes",
}


def identify(
    sources: SourcesArgument,
    as_json: AsJsonLines = False,
    classic: Annotated[bool, typer.Option("--classic", help="Use the identifier of the papers.")] = False,
    profiles: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Profiles for --classic, made by `exonym model language train`."),
    ] = None,
    target: Annotated[
        str, typer.Option("--prefer", metavar="LANGUAGE", help="The language that --classic prefers if several match.")
    ] = "th",
    charset: Annotated[
        str, typer.Option(metavar="CHARSET", help="The charset that an HTTP header would name for the files.")
    ] = "",
    allow_private: AllowPrivate = False,
) -> None:
    """Show the language of pages, the share of each language, the charset, and the evidence."""
    from exonym.cli.page_source import read_document
    from exonym.extract.charset_labels import charset_named
    from exonym.language.base import clues_of

    if charset and not charset_named(charset):
        raise ConfigError(f"--charset must be a charset that browsers know, as in tis-620, got {charset[:60]!r}.")
    identifier = _identifier(classic, profiles, target)
    for number, source in enumerate(sources):
        page = read_document(source, charset, allow_private)
        found = identifier.identify(page.blocks, clues_of(page))
        title = clean(source) if not number else f"\n{clean(source)}"
        emit(_document(source, found, page), [title, _rows(found, page)], as_json)


def _identifier(classic: bool, profiles: Path | None, target: str) -> "Identifier":
    from exonym.judges.by_name import make_identifier
    from exonym.language_names import language_of

    if profiles is None:
        return make_identifier("classic" if classic else "default", language_of(target))
    if not classic:
        raise ConfigError("--profiles needs the classic identifier. Add --classic.")
    from exonym.language.classic import ClassicIdentifier
    from exonym.language.profiles import load_profiles

    return ClassicIdentifier(load_profiles(profiles).profiles, language_of(target))


def _document(source: str, found: "Identified", page: "Document") -> dict[str, Any]:
    from exonym.language_names import name_of

    return {
        "source": source,
        "language": found.language or "unknown",
        "name": name_of(_code(found)),
        "variant": found.variant,
        "shares": {code: round(share, 4) for code, share in _by_share(found)},
        "charset": page.charset,
        "charset_evidence": page.charset_evidence,
        "charset_label": page.charset_label,
        "confidence": round(found.confidence, 4),
        "evidence": list(found.evidence),
    }


def _rows(found: "Identified", page: "Document") -> list[tuple[str, str]]:
    from exonym.language_names import name_of

    code = _code(found)
    shares = [f"{name_of(name)} {share:.0%}" for name, share in _by_share(found)]
    evidence = [clean(phrase) for phrase in found.evidence] or ["none"]
    return [
        ("language", f"{name_of(code)} ({code})" if code else "unknown"),
        ("shares", ", ".join(shares).replace("%", " %") or "none"),
        ("charset", _charset_line(page)),
        ("confidence", f"{found.confidence:.2f}"),
        *zip(["evidence"] + [""] * (len(evidence) - 1), evidence, strict=True),
    ]


def _code(found: "Identified") -> str:
    return f"{found.language}-{found.variant}" if found.variant else found.language


def _by_share(found: "Identified") -> list[tuple[str, float]]:
    return sorted(found.shares.items(), key=lambda item: (-item[1], item[0]))


def _charset_line(page: "Document") -> str:
    wrong = page.charset_label not in ("", page.charset)
    evidence = _BY.get(page.charset_evidence, page.charset_evidence)
    return f"{page.charset}, {evidence}" + (f"; its label, {page.charset_label}, is wrong" if wrong else "")
