"""The small collection that ships with Exonym, for trying weight tables: forty short texts of our own.

Ten each are about libraries, crawlers, cooking and ships. A query log belongs to them, and decisions by their author on
which texts fit some queries.
"""

from importlib import resources

from exonym.experiments.haprc.published import Decision, decisions_in
from exonym.training.corpus import CorpusDocument, documents_in, queries_in

NAME = "the small corpus"


def small_corpus() -> list[CorpusDocument]:
    """The texts; not stemmed."""
    return documents_in(_text("small_corpus.txt"), NAME)


def small_query_log() -> list[str]:
    """Queries that people might search the texts with."""
    return queries_in(_text("small_query_log.txt"))


def small_decisions() -> list[Decision]:
    """The texts that their author would download for some queries."""
    return decisions_in(_text("small_decisions.tsv"), NAME)


def _text(name: str) -> str:
    return resources.files("exonym.experiments.haprc").joinpath("data", name).read_text(encoding="utf-8")
