"""`exonym experiment haprc`: compares decisions by the weight table of Aggarwal, Nath and Bansal with theirs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.experiment.language_crawls import run_experiment
from exonym.cli.model.table import NUMBERS_HELP, RETRIEVAL_HELP, RULE_HELP, PageRuleOption, RetrievalOption
from exonym.cli.options import AsJson, output
from exonym.errors import ConfigError
from exonym.system.extras import require

if TYPE_CHECKING:
    from exonym.experiments.haprc.queries import HaprcMaterial


def haprc(
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Texts, each after a line `# id`; if not given, a small corpus of ours."),
    ] = None,
    query_log: Annotated[Path | None, typer.Option(metavar="FILE", help="Earlier queries, one per line.")] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Query, document and decision, separated by tabs; if not given, the paper's."
        ),
    ] = None,
    judged_queries: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Queries that have judgements, in TREC format."),
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Documents relevant to them, as in 1 Q0 CACM-1410 1."),
    ] = None,
    output: Annotated[Path | None, output("DIR", "Write the report and its tables here.")] = None,
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Share of its old weight that a term keeps, 0 to 0.5.")
    ] = 0.25,
    documents: Annotated[int, typer.Option(metavar="N", help="Documents retrieved per query.")] = 7,
    term_threshold: Annotated[float, typer.Option(metavar="W", help="Terms above this weight enter the table.")] = 0.0,
    page_threshold: Annotated[
        float | None,
        typer.Option(
            metavar="W",
            help="Documents above this weight are downloaded; if not given, 1 by the paper's rule, "
            "half the typical weight by ours.",
        ),
    ] = None,
    rule: Annotated[
        PageRuleOption, typer.Option(metavar="weighted|paper", help=f"{RULE_HELP}.")
    ] = PageRuleOption.PAPER,
    retrieval: Annotated[
        RetrievalOption, typer.Option(metavar="lucene|paper", help=f"{RETRIEVAL_HELP}.")
    ] = RetrievalOption.PAPER,
    stem: Annotated[
        bool | None,
        typer.Option("--stem/--no-stem", help="Whether to stem words; if not given, only those of the small corpus."),
    ] = None,
    stop_words: Annotated[
        bool,
        typer.Option(
            "--stop-words/--no-stop-words", help="Whether stop words such as `of` are terms, as in the paper."
        ),
    ] = True,
    numbers: Annotated[bool, typer.Option("--numbers/--no-numbers", help=f"{NUMBERS_HELP}, as in the paper.")] = True,
    as_json: AsJson = False,
) -> None:
    """Build a weight table query by query, and compare its decisions with those of the paper's Table 4.1.

    Counts agreement, also that of our own rule and that by chance, and shows how much depends on settings that the
    paper does not give. The CACM collection does not come with Exonym.
    """
    require("research", "train")
    from exonym.experiments.haprc.relevance import read_judged_queries
    from exonym.experiments.haprc.run import HaprcRequest, run_haprc
    from exonym.models.weight_table import TableSettings
    from exonym.models.weight_table_words import TextToTerms

    settings = TableSettings(
        alpha, documents, term_threshold=term_threshold, page_threshold=page_threshold, rule=rule.value
    )
    reading = TextToTerms(
        stem=corpus is None if stem is None else stem, drop_stop_words=not stop_words, keep_numbers=numbers
    )
    material = _material(corpus, query_log, decisions)
    if (judged_queries is None) != (judgements is None):
        raise ConfigError("--judged-queries and --judgements belong together. Name both files, or neither.")
    judged = tuple(read_judged_queries(judged_queries, judgements)) if judged_queries and judgements else ()
    is_published = decisions is None and corpus is not None
    options = {
        "--corpus": corpus,
        "--query-log": query_log,
        "--decisions": decisions,
        "--judged-queries": judged_queries,
        "--judgements": judgements,
        "--alpha": alpha,
        "--documents": documents,
        "--term-threshold": term_threshold,
        "--page-threshold": page_threshold,
        "--rule": rule.value,
        "--retrieval": retrieval.value,
        "--output": output,
    }
    switches = [
        "--stem" if reading.stem else "--no-stem",
        "--stop-words" if stop_words else "--no-stop-words",
        "--numbers" if numbers else "--no-numbers",
    ]
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    command = shlex.join(["exonym", "experiment", "haprc", *given, *switches])
    request = HaprcRequest(material, settings, reading, retrieval.value, is_published, command, output, judged)
    run_experiment(lambda tell: run_haprc(request, tell), output, as_json)


def _material(corpus: Path | None, log: Path | None, decisions: Path | None) -> "HaprcMaterial":
    from exonym.experiments.haprc.published import published_decisions, read_decisions
    from exonym.experiments.haprc.queries import HaprcMaterial
    from exonym.experiments.haprc.small_corpus import NAME, small_corpus, small_decisions, small_query_log
    from exonym.training.corpus import read_corpus, read_queries

    if corpus is None:
        names = {"corpus": NAME, "query_log": str(log or NAME), "decisions": str(decisions or NAME)}
        chosen = read_decisions(decisions) if decisions else small_decisions()
        return HaprcMaterial(small_corpus(), read_queries(log) if log else small_query_log(), chosen, names)
    if log is None:
        raise ConfigError("--query-log is missing: a file of earlier queries to this corpus, one per line. Add it.")
    chosen = read_decisions(decisions) if decisions else published_decisions()
    names = {"corpus": str(corpus), "query_log": str(log), "decisions": str(decisions or "Table 4.1")}
    return HaprcMaterial(read_corpus(corpus), read_queries(log), chosen, names)
