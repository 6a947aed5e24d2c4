"""The small collection that ships with Exonym, for trying weight tables: forty short texts of our own.

They are about libraries, crawlers, cooking and ships, ten each, with a query log, and with decisions by their author
on what fits some queries.
"""

from importlib import resources

from exonym.experiments.haprc.published import Decision, decisions_in
from exonym.training.corpus import CorpusDocument, documents_in, queries_in

NAME = "the small corpus"


def small_corpus() -> list[CorpusDocument]:
    """Its texts; not stemmed."""
    return documents_in(_text("small_corpus.txt"), NAME)


def small_query_log() -> list[str]:
    """Queries that somebody may have asked of it."""
    return queries_in(_text("small_query_log.txt"))


def small_decisions() -> list[Decision]:
    """What its author would keep for some queries."""
    return decisions_in(_text("small_decisions.tsv"), NAME)


def _text(name: str) -> str:
    return resources.files("exonym.experiments.haprc").joinpath("data", name).read_text(encoding="utf-8")
