"""`exonym experiment haprc`: compares decisions by the weight table of Aggarwal, Nath and Bansal with theirs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.experiment.language_crawls import run_experiment
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
    output: Annotated[Path | None, output("DIR", "Write the report and its tables here.")] = None,
    alpha: Annotated[
        float, typer.Option(metavar="A", help="Share of its old weight that a term keeps, 0 to 0.5.")
    ] = 0.25,
    documents: Annotated[int, typer.Option(metavar="N", help="Documents retrieved per query.")] = 7,
    term_threshold: Annotated[float, typer.Option(metavar="W", help="Terms above this weight enter the table.")] = 0.0,
    page_threshold: Annotated[
        float | None,
        typer.Option(
            metavar="W", help="Documents above this weight are downloaded; if not given, half the typical weight."
        ),
    ] = None,
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
    as_json: AsJson = False,
) -> None:
    """Build a weight table query by query, and compare its decisions with those of the paper's Table 4.1.

    Counts agreement, also that by chance, and shows how much of it depends on settings that the paper does not give.
    The CACM collection does not come with Exonym.
    """
    require("research", "train")
    from exonym.experiments.haprc.run import HaprcRequest, run_haprc
    from exonym.models.weight_table import TableSettings
    from exonym.models.weight_table_words import TextToTerms

    settings = TableSettings(alpha, documents, term_threshold=term_threshold, page_threshold=page_threshold)
    reading = TextToTerms(stem=corpus is None if stem is None else stem, drop_stop_words=not stop_words)
    material = _material(corpus, query_log, decisions)
    is_published = decisions is None and corpus is not None
    options = {
        "--corpus": corpus,
        "--query-log": query_log,
        "--decisions": decisions,
        "--alpha": alpha,
        "--documents": documents,
        "--term-threshold": term_threshold,
        "--page-threshold": page_threshold,
        "--output": output,
    }
    switches = ["--stem" if reading.stem else "--no-stem", "--stop-words" if stop_words else "--no-stop-words"]
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    command = shlex.join(["exonym", "experiment", "haprc", *given, *switches])
    request = HaprcRequest(material, settings, reading, is_published, command, output)
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
