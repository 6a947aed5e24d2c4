"""`exonym model table judge TABLE PAGE…`: judges pages, or documents of a corpus, by a weight table."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.model.table import RULE_HELP, PageRuleOption, TableArgument
from exonym.cli.options import PAGES_HELP, AllowPrivate, AsJsonLines
from exonym.cli.output import emit, print_rows
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.models.weight_table import WeightTable
    from exonym.models.weight_table_words import WordReader

_MOST = 5  # deciding terms
Judged = Iterator[tuple[str, dict[str, float]]]


def judge_pages(
    table: TableArgument,
    pages: Annotated[list[str] | None, typer.Argument(metavar="PAGE…", help=PAGES_HELP)] = None,
    corpus: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Judge documents of this corpus, each after a line `# id`.")
    ] = None,
    document: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="With a corpus: only this document; may be given again.")
    ] = None,
    small: Annotated[
        bool, typer.Option("--small-corpus", help="Judge documents of the small corpus that comes with Exonym.")
    ] = False,
    threshold: Annotated[
        float | None, typer.Option(metavar="W", help="Download above this weight (the table's threshold).")
    ] = None,
    rule: Annotated[
        PageRuleOption | None, typer.Option(metavar="weighted|paper", help=f"{RULE_HELP} (the table's).")
    ] = None,
    allow_private: AllowPrivate = False,
    as_json: AsJsonLines = False,
) -> None:
    """Show whether a weight table would download each page, the weight of the page, and the terms that decided."""
    from exonym.models.weight_table import LARGEST, deciding
    from exonym.models.weight_table_file import load_table
    from exonym.models.weight_table_words import WordReader

    if bool(pages) + bool(corpus) + small != 1 or (document and pages):
        raise ConfigError("model table judge takes pages, or --corpus, or --small-corpus: one of the three.")
    if threshold is not None and not 0.0 <= threshold <= LARGEST:
        raise ConfigError(f"--threshold must be a number from 0 to {LARGEST:g}, got {threshold}.")
    loaded = load_table(table)
    loaded = loaded.with_rule(rule.value) if rule else loaded
    reader, least = WordReader(loaded.reading), loaded.threshold if threshold is None else threshold
    if pages:
        judged = _judged_pages(loaded, reader, pages, allow_private)
    else:
        judged = _judged_documents(loaded, reader, corpus, document or [])
    if not as_json:
        print_rows([(clean(name), _verdict(loaded, contributions, least)) for name, contributions in judged])
        return
    for name, contributions in judged:
        weight = loaded.weight(contributions)
        facts = {"page": name, "download": weight > least, "weight": weight, "threshold": least}
        shares = {term: round(share, 4) for term, share in deciding(contributions, _MOST)}
        emit({**facts, "terms": shares}, (), as_json)


def _judged_pages(table: "WeightTable", reader: "WordReader", pages: list[str], allow_private: bool) -> Judged:
    from exonym.cli.page_source import is_address, read_document
    from exonym.judges.weight_table import page_contributions

    for source in pages:
        page = read_document(source, allow_private=allow_private)
        # The URL of a file is made up, so its words must not count.
        yield source, page_contributions(table, reader, page if is_address(source) else replace(page, url=""))


def _judged_documents(table: "WeightTable", reader: "WordReader", corpus: Path | None, wanted: list[str]) -> Judged:
    from exonym.experiments.haprc.small_corpus import small_corpus
    from exonym.training.corpus import read_corpus

    texts = {document.identifier: document.text for document in (read_corpus(corpus) if corpus else small_corpus())}
    for name in wanted or texts:
        if name not in texts:
            raise ConfigError(
                f"There is no document # {clean(name, 60)} in the corpus. Look the identifiers up in its file."
            )
        yield name, table.contributions((), (), reader.counts(texts[name]))


def _verdict(table: "WeightTable", contributions: dict[str, float], threshold: float) -> str:
    from exonym.judges.weight_table import weight_evidence

    verdict = "download" if table.weight(contributions) > threshold else "do not download"
    return f"{verdict}: {weight_evidence(table, contributions, threshold)}"
