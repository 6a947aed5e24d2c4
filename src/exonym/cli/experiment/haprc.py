"""`exonym experiment haprc`: the weight table of Aggarwal, Nath and Bansal, and its decisions beside theirs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.experiment.language_crawls import print_findings
from exonym.cli.options import AsJson, output
from exonym.cli.output import note
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.system.extras import require

if TYPE_CHECKING:
    from exonym.experiments.haprc.queries import HaprcMaterial


def haprc(
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Texts, each after a line `# id`; if not given, a small corpus of ours."),
    ] = None,
    query_log: Annotated[Path | None, typer.Option(metavar="FILE", help="Queries asked before, one a line.")] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Query, document, decision, parted by tabs; if not given, the paper's."),
    ] = None,
    output: Annotated[Path | None, output("DIR", "Write the report and its tables here.")] = None,
    alpha: Annotated[float, typer.Option(metavar="A", help="How much of its weight a term keeps, 0 to 0.5.")] = 0.25,
    documents: Annotated[int, typer.Option(metavar="N", help="Documents retrieved for a query.")] = 7,
    term_threshold: Annotated[float, typer.Option(metavar="W", help="Terms enter the table above it.")] = 0.0,
    page_threshold: Annotated[
        float | None,
        typer.Option(metavar="W", help="Documents are downloaded above it; if not given, half the typical weight."),
    ] = None,
    stem: Annotated[
        bool | None, typer.Option("--stem/--no-stem", help="If neither is given: only the small corpus is stemmed.")
    ] = None,
    stop_words: Annotated[
        bool, typer.Option("--stop-words/--no-stop-words", help="Whether words as `of` are terms too, as in the paper.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Build a weight table query by query, and lay its decisions beside those of the paper's Table 4.1.

    Counts agreement beside what agrees by itself, and shows how much of it hangs on settings that the paper does not
    give. The CACM collection does not ship with Exonym.
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
    request = HaprcRequest(material, settings, reading, is_published, _command(options, switches), output)
    with status_line("beginning") as tell:
        findings = run_haprc(request, tell)
    if output:
        from exonym.report.findings import PAGE

        note(f"The report is in {output / PAGE}")
    print_findings(findings, as_json)


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
        raise ConfigError("--query-log is missing: the queries asked of this corpus before, one a line. Add it.")
    chosen = read_decisions(decisions) if decisions else published_decisions()
    names = {"corpus": str(corpus), "query_log": str(log), "decisions": str(decisions or "Table 4.1")}
    return HaprcMaterial(read_corpus(corpus), read_queries(log), chosen, names)


def _command(options: dict[str, Any], switches: list[str]) -> str:
    """The command that gives the same results again."""
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join(["exonym", "experiment", "haprc", *given, *switches])
