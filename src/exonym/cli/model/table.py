"""`exonym model table train|show`: weight tables (HAPRC), made of queries and a collection of texts, and looked at."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AsJson, number, output
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.progress import Tell
from exonym.system.extras import require
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.models.weight_table import Change, WeightTable
    from exonym.models.weight_table_words import TextToTerms
    from exonym.training.corpus import CorpusDocument

    Material = tuple[list[CorpusDocument], list[str]]

Given = dict[str, Any]
TableArgument = Annotated[Path, typer.Argument(metavar="TABLE", help="A file by `exonym model table train`.")]
CorpusOption = Annotated[
    Path | None,
    typer.Option(
        "--corpus", metavar="FILE", help="Texts, each after a line `# id`; if not given, a small one of ours."
    ),
]


def build(
    output: Annotated[Path, output("TABLE", "The file to write; a table that is there is updated.")],
    query: Annotated[list[str], typer.Option(metavar="WORDS", help="What the topic is; may be given again.")],
    corpus: CorpusOption = None,
    query_log: Annotated[Path | None, typer.Option(metavar="FILE", help="Queries asked before, one a line.")] = None,
    alpha: Annotated[
        float | None, number("alpha", "How much of its weight a term keeps, 0 to 0.5 (0.25).", metavar="W")
    ] = None,
    documents: Annotated[int | None, typer.Option(metavar="N", help="Documents retrieved for a query (7).")] = None,
    url_weight: Annotated[float | None, number("url-weight", "What a term in a URL counts (2).", metavar="W")] = None,
    title_weight: Annotated[
        float | None, number("title-weight", "What a term in a title counts (3).", metavar="W")
    ] = None,
    body_weight: Annotated[
        float | None, number("body-weight", "What a term in a text counts (1).", metavar="W")
    ] = None,
    term_threshold: Annotated[float | None, number("term-threshold", "Terms enter above it (0).", metavar="W")] = None,
    page_threshold: Annotated[
        float | None,
        number("page-threshold", "Pages are relevant above it (half the typical document's weight).", metavar="W"),
    ] = None,
    stem: Annotated[bool | None, typer.Option("--stem/--no-stem", help="Whether words are stemmed (they are).")] = None,
    stop_words: Annotated[
        bool | None, typer.Option("--stop-words/--no-stop-words", help="Whether `of` and such count (they do not).")
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Of the texts, for stems and stop words (en).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a weight table of queries, or update one: query by query, with the texts that fit each best."""
    require("train")
    settings = {
        "alpha": alpha,
        "documents": documents,
        "url_weight": url_weight,
        "title_weight": title_weight,
        "body_weight": body_weight,
        "term_threshold": term_threshold,
        "page_threshold": page_threshold,
    }
    reading = {"language": language, "stem": stem, "drop_stop_words": None if stop_words is None else not stop_words}
    with status_line("reading") as tell:
        table = _open_table(output, _given(settings), _given(reading))
        changes = _updated_by(table, query, _material(corpus, query_log), tell)
        _save(output, changes[-1].table, corpus, query_log)
    _print_changes(output, list(zip(query, changes, strict=True)), as_json)


def _given(options: Given) -> Given:
    return {name: value for name, value in options.items() if value is not None}


def _open_table(path: Path, settings: Given, reading: Given) -> "WeightTable":
    """The table in the file, with the given settings changed; an empty one if there is no file."""
    from exonym.models.weight_table import TableSettings, WeightTable
    from exonym.models.weight_table_file import load_table
    from exonym.models.weight_table_words import TextToTerms

    if "language" in reading:
        from exonym.config import language_of

        reading = reading | {"language": language_of(reading["language"]).partition("-")[0]}
    if not path.exists():
        return WeightTable(TableSettings(**settings), TextToTerms(**reading))
    table = load_table(path)
    if replace(table.reading, **reading) != table.reading:
        raise ConfigError(
            f"{path} was made of words read otherwise ({_described_reading(table.reading)}). Name another table."
        )
    return replace(table, settings=replace(table.settings, **settings))


def _described_reading(reading: "TextToTerms") -> str:
    stop_words = "without" if reading.drop_stop_words else "with"
    return f"{reading.language}, {'stemmed' if reading.stem else 'not stemmed'}, {stop_words} stop words"


def _material(corpus: Path | None, log: Path | None) -> "Material":
    """Texts and query log; the small corpus has a log of its own, other corpora need none."""
    from exonym.experiments.haprc.small_corpus import small_corpus, small_query_log
    from exonym.training.corpus import read_corpus, read_queries

    if corpus is None:
        return small_corpus(), read_queries(log) if log else small_query_log()
    return read_corpus(corpus), read_queries(log) if log else []


def _updated_by(table: "WeightTable", queries: list[str], material: "Material", tell: Tell) -> list["Change"]:
    """The table after each query."""
    from exonym.models.weight_table import log_frequencies, updated
    from exonym.models.weight_table_words import WordReader
    from exonym.training.retrieval import Retrieval

    corpus, log = material
    reader = WordReader(table.reading)
    words = [reader.words(document.text) for document in corpus]
    tell("indexing")
    retrieval, frequencies = Retrieval(words), log_frequencies(map(reader.words, log))
    changes: list[Change] = []
    for query in queries:
        terms = reader.words(query)
        if not terms:
            raise ConfigError(f"--query {clean(query, 60)!r} has no term in it. Name words of the topic.")
        found = retrieval.top(terms, table.settings.documents)
        changes.append(updated(table, terms, frequencies, [words[place] for place in found]))
        table = changes[-1].table
    return changes


def _save(path: Path, table: "WeightTable", corpus: Path | None, log: Path | None) -> None:
    from exonym.experiments.haprc.small_corpus import NAME
    from exonym.models.weight_table_file import save_table
    from exonym.version import __version__

    named_log = str(log) if log else (NAME if corpus is None else "")
    names = {"corpus": str(corpus or NAME), "query_log": named_log, "version": __version__}
    safe = {key: clean(value) for key, value in names.items()}
    save_table(replace(table, provenance={**table.provenance, **safe}), path)


def _print_changes(path: Path, steps: "list[tuple[str, Change]]", as_json: bool) -> None:
    table = steps[-1][1].table
    queries = [
        {"query": query, "entered": change.entered, "changed": change.changed, "left": change.left}
        for query, change in steps
    ]
    shown: list[str | OutputRows] = []
    for query, change in steps:
        rows = [(name, _listed(getattr(change, name), change.table)) for name in ("entered", "changed", "left")]
        shown += [clean(query), rows]
    shown.append(f"\nWrote {clean(str(path))}: {len(table.terms):,} terms, threshold {table.threshold:,.1f}.")
    emit({"table": str(path), "terms": len(table.terms), "queries": queries}, shown, as_json)


def _listed(terms: tuple[str, ...], table: "WeightTable") -> str:
    weights = [f"{term} {table.terms[term].weight:,.1f}" if term in table.terms else term for term in terms]
    return ", ".join(weights) or "none"


def show(table: TableArgument, as_json: AsJson = False) -> None:
    """Show a weight table: its terms, heaviest first, and how it was made."""
    from exonym.models.weight_table_file import load_table, serialised

    found = load_table(table)
    emit(json.loads(serialised(found)) | {"threshold": found.threshold}, _shown(found), as_json)


def _shown(table: "WeightTable") -> Iterator[str | OutputRows]:
    settings = asdict(table.settings)
    yield [
        ("queries", f"{table.queries_seen:,}; the last: {' '.join(table.last_query) or '–'}"),
        ("documents", f"{table.documents_seen:,}, {settings.pop('documents')} a query"),
        ("words", _described_reading(table.reading)),
        ("threshold", f"{table.threshold:,.1f}" + (", learned" if settings.pop("page_threshold") is None else "")),
        *((name.replace("_", " "), f"{value:g}") for name, value in settings.items()),
        *((name.replace("_", " "), clean(value)) for name, value in sorted(table.provenance.items())),
    ]
    yield f"\n  {'term':<24}{'weight':>12}{'tf':>8}{'df':>6}{'qf':>6}"
    for term, one in sorted(table.terms.items(), key=lambda item: (-item[1].weight, item[0])):
        counts = f"{one.term_frequency:>8,}{one.document_frequency:>6,}{one.query_frequency:>6,}"
        yield f"  {term:<24}{one.weight:>12,.2f}{counts}"
