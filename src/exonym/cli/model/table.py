"""`exonym model table train|show`: trains weight tables (HAPRC) from queries and a corpus of texts, and shows them."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from enum import StrEnum
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

TableArgument = Annotated[Path, typer.Argument(metavar="TABLE", help="A file written by `exonym model table train`.")]


class PageRuleOption(StrEnum):
    """Rules that decide about a page."""

    WEIGHTED = "weighted"
    PAPER = "paper"


class RetrievalOption(StrEnum):
    """Ways to rank the documents of a corpus."""

    LUCENE = "lucene"
    PAPER = "paper"


RULE_HELP = "How a page is decided: the sum of all weighted terms, or, as the paper prints it, a term at a time"
RETRIEVAL_HELP = "How documents are ranked: BM25 as Lucene has it, or as gives the paper's table"
NUMBERS_HELP = "Whether words without a letter are terms"


def _weight(name: str, help: str) -> Any:
    return number(name, help, metavar="W")


def build(
    output: Annotated[Path, output("TABLE", "The file to write; an existing table is updated.")],
    query: Annotated[list[str], typer.Option(metavar="WORDS", help="Words of the topic; may be given again.")],
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Texts, each after a line `# id`; if not given, a small corpus of ours."),
    ] = None,
    query_log: Annotated[Path | None, typer.Option(metavar="FILE", help="Earlier queries, one per line.")] = None,
    alpha: Annotated[
        float | None, _weight("alpha", "Share of its old weight that a term keeps, 0 to 0.5 (0.25).")
    ] = None,
    documents: Annotated[int | None, typer.Option(metavar="N", help="Documents retrieved per query (7).")] = None,
    url_weight: Annotated[float | None, _weight("url-weight", "Weight of a term in a URL (2).")] = None,
    title_weight: Annotated[float | None, _weight("title-weight", "Weight of a term in a title (3).")] = None,
    body_weight: Annotated[float | None, _weight("body-weight", "Weight of a term in a text (1).")] = None,
    term_threshold: Annotated[float | None, _weight("term-threshold", "Terms above this weight enter (0).")] = None,
    page_threshold: Annotated[
        float | None,
        _weight("page-threshold", "Pages above this weight are relevant (half the typical document's; paper: 1)."),
    ] = None,
    rule: Annotated[
        PageRuleOption | None, typer.Option(metavar="weighted|paper", help=f"{RULE_HELP} (weighted).")
    ] = None,
    retrieval: Annotated[
        RetrievalOption, typer.Option(metavar="lucene|paper", help=f"{RETRIEVAL_HELP}.")
    ] = RetrievalOption.LUCENE,
    stem: Annotated[bool | None, typer.Option("--stem/--no-stem", help="Whether to stem words (yes).")] = None,
    stop_words: Annotated[
        bool | None,
        typer.Option("--stop-words/--no-stop-words", help="Whether stop words such as `of` are terms (no)."),
    ] = None,
    numbers: Annotated[bool | None, typer.Option("--numbers/--no-numbers", help=f"{NUMBERS_HELP} (no).")] = None,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="Language of the texts, for stems and stop words (en).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make or update a weight table, query by query, with the texts that match each query best."""
    require("train")
    settings = {
        "alpha": alpha,
        "documents": documents,
        "url_weight": url_weight,
        "title_weight": title_weight,
        "body_weight": body_weight,
        "term_threshold": term_threshold,
        "page_threshold": page_threshold,
        "rule": rule.value if rule else None,
    }
    reading = {
        "language": language,
        "stem": stem,
        "drop_stop_words": None if stop_words is None else not stop_words,
        "keep_numbers": numbers,
    }
    with status_line("reading") as tell:
        table = _open_table(output, settings, reading)
        changes = _updated_by(table, query, _material(corpus, query_log), retrieval, tell)
        origin = {"corpus": str(corpus or ""), "query_log": str(query_log or ""), "retrieval": retrieval.value}
        _save(output, changes[-1].table, origin)
    _print_changes(output, list(zip(query, changes, strict=True)), as_json)


def _open_table(path: Path, settings: dict[str, Any], reading: dict[str, Any]) -> "WeightTable":
    """The table in the file, or an empty one if there is no file, with all settings that are not None."""
    from exonym.language_names import language_of
    from exonym.models.weight_table import TableSettings, WeightTable
    from exonym.models.weight_table_file import load_table
    from exonym.models.weight_table_words import TextToTerms

    settings, reading = (
        {name: value for name, value in options.items() if value is not None} for options in (settings, reading)
    )
    if "language" in reading:
        reading["language"] = language_of(reading["language"]).partition("-")[0]
    if not path.exists():
        return WeightTable(TableSettings(**settings), TextToTerms(**reading))
    table = load_table(path)
    if replace(table.reading, **reading) != table.reading:
        raise ConfigError(
            f"{path} was made with other word settings ({_described_reading(table.reading)}). Name another table."
        )
    return replace(table, settings=replace(table.settings, **settings))


def _described_reading(reading: "TextToTerms") -> str:
    stop_words = "without" if reading.drop_stop_words else "with"
    numbers = ", numbers too" if reading.keep_numbers else ""
    return f"{reading.language}, {'stemmed' if reading.stem else 'not stemmed'}, {stop_words} stop words{numbers}"


def _material(corpus: Path | None, log: Path | None) -> "Material":
    """Texts and query log; the small corpus comes with a log, other corpora need none."""
    from exonym.experiments.haprc.small_corpus import small_corpus, small_query_log
    from exonym.training.corpus import read_corpus, read_queries

    if corpus is None:
        return small_corpus(), read_queries(log) if log else small_query_log()
    return read_corpus(corpus), read_queries(log) if log else []


def _updated_by(
    table: "WeightTable", queries: list[str], material: "Material", ranking: RetrievalOption, tell: Tell
) -> list["Change"]:
    """The table after each query."""
    from exonym.models.weight_table import log_frequencies, updated
    from exonym.models.weight_table_words import WordReader
    from exonym.training.retrieval import RANKINGS, Retrieval

    corpus, log = material
    reader = WordReader(table.reading)
    words = [reader.words(document.text) for document in corpus]
    tell("indexing")
    retrieval, frequencies = Retrieval(words, RANKINGS[ranking]), log_frequencies(map(reader.words, log))
    changes: list[Change] = []
    for query in queries:
        terms = reader.words(query)
        if not terms:
            raise ConfigError(f"--query {clean(query, 60)!r} contains no term. Name words of the topic.")
        matches = [words[place] for place in retrieval.top(terms, table.settings.documents)]
        changes.append(updated(table, terms, frequencies, matches))
        table = changes[-1].table
    return changes


def _save(path: Path, table: "WeightTable", origin: dict[str, str]) -> None:
    from exonym.experiments.haprc.small_corpus import NAME
    from exonym.models.weight_table_file import save_table
    from exonym.version import __version__

    own_log = "" if origin["corpus"] else NAME
    names = {"corpus": origin["corpus"] or NAME, "query_log": origin["query_log"] or own_log, "version": __version__}
    safe = {key: clean(value) for key, value in {**origin, **names}.items()}
    save_table(replace(table, provenance={**table.provenance, **safe}), path)


def _print_changes(path: Path, steps: "list[tuple[str, Change]]", as_json: bool) -> None:
    table = steps[-1][1].table
    queries = [
        {"query": query, "entered": change.entered, "changed": change.changed, "left": change.left}
        for query, change in steps
    ]
    shown: list[str | OutputRows] = []
    for query, change in steps:
        weights = {term: f" {entry.weight:,.1f}" for term, entry in change.table.terms.items()}
        rows = [
            (name, ", ".join(f"{term}{weights.get(term, '')}" for term in getattr(change, name)) or "none")
            for name in ("entered", "changed", "left")
        ]
        shown += [clean(query), rows]
    shown.append(f"\nWrote {clean(str(path))}: {len(table.terms):,} terms, threshold {table.threshold:,.1f}.")
    emit({"table": str(path), "terms": len(table.terms), "queries": queries}, shown, as_json)


def show(table: TableArgument, as_json: AsJson = False) -> None:
    """Show a weight table: its terms, heaviest first, and how it was made."""
    from exonym.models.weight_table_file import load_table, serialised

    loaded = load_table(table)
    emit(json.loads(serialised(loaded)) | {"threshold": loaded.threshold}, _shown(loaded), as_json)


def _shown(table: "WeightTable") -> Iterator[str | OutputRows]:
    settings = asdict(table.settings)
    yield [
        ("queries", f"{table.queries_seen:,}; the last: {' '.join(table.last_query) or '–'}"),
        ("documents", f"{table.documents_seen:,}, {settings.pop('documents')} per query"),
        ("words", _described_reading(table.reading)),
        ("threshold", f"{table.threshold:,.1f}" + (", learned" if settings.pop("page_threshold") is None else "")),
        ("rule", settings.pop("rule")),
        *((name.replace("_", " "), f"{value:g}") for name, value in settings.items()),
        *((name.replace("_", " "), clean(value)) for name, value in sorted(table.provenance.items())),
    ]
    yield f"\n  {'term':<24}{'weight':>12}{'tf':>8}{'df':>6}{'qf':>6}"
    for term, entry in sorted(table.terms.items(), key=lambda item: (-item[1].weight, item[0])):
        counts = f"{entry.term_frequency:>8,}{entry.document_frequency:>6,}{entry.query_frequency:>6,}"
        yield f"  {term:<24}{entry.weight:>12,.2f}{counts}"
