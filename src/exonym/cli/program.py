"""All commands under one name, and what becomes of every way in which one can end.

Commands import what they need when they run: `exonym --help` must not wait for NumPy.
"""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from exonym.cli.audit import audit
from exonym.cli.country import country
from exonym.cli.crawl import crawl
from exonym.cli.demo import demo
from exonym.cli.experiment import cjk2010, compare, lswc2006
from exonym.cli.experiment_haprc import haprc
from exonym.cli.experiment_tflswc import tflswc2014
from exonym.cli.graph_analyse import analyse
from exonym.cli.graph_generate import check, generate
from exonym.cli.graph_import import import_graph
from exonym.cli.graph_judge import judge
from exonym.cli.graph_show import export, show
from exonym.cli.identify import identify
from exonym.cli.label import label
from exonym.cli.language_evaluate import evaluate
from exonym.cli.language_train import train
from exonym.cli.names import names, names_evaluate
from exonym.cli.nation import list_nations, make, show_nation
from exonym.cli.nation_names import propose_names
from exonym.cli.nation_review import review_names
from exonym.cli.new import new
from exonym.cli.practice_web import practice_web
from exonym.cli.seeds import csv, dmoz, sitemap, warc
from exonym.cli.seeds_online import commoncrawl, wikidata
from exonym.cli.segments import read_link, show_segments
from exonym.cli.simulate import simulate
from exonym.cli.status import status
from exonym.cli.strategies import strategies
from exonym.cli.table import build
from exonym.cli.table import show as show_table
from exonym.cli.table_judge import judge_pages
from exonym.cli.topic import judge_topic, show_topic
from exonym.cli.train_about import train_about
from exonym.cli.train_segments import train_segments
from exonym.cli.train_topic import train_topic
from exonym.cli.tune import threshold
from exonym.errors import ExonymError
from exonym.version import __version__
from exonym.web_text import clean

DONE, DEFECT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="exonym",
    help="Collects a nation's web, wherever it is hosted and in whatever language it is written.",
    epilog="Begin with: exonym demo",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, new, crawl, status, strategies, identify, names, names_evaluate, country, practice_web):
    app.command()(command)
app.command()(label)
app.command()(audit)
language = typer.Typer(help="Train and evaluate what tells languages.")
language.command()(train)
language.command()(evaluate)
app.add_typer(language, name="language")
graph = typer.Typer(help="Web graphs: what simulations run on and analyses are made of.")
graph.command("import")(import_graph)
graph.command()(judge)
graph.command()(generate)
graph.command()(check)
graph.command()(analyse)
graph.command()(show)
graph.command()(export)
app.add_typer(graph, name="graph")
app.command()(simulate)
experiment = typer.Typer(help="The papers' experiments, each one command.")
experiment.command()(lswc2006)
experiment.command()(cjk2010)
experiment.command()(compare)
experiment.command()(haprc)
experiment.command()(tflswc2014)
app.add_typer(experiment, name="experiment")
table = typer.Typer(help="Weight tables (HAPRC): a topic as terms with weights, made of queries and texts.")
table.command()(build)
table.command("show")(show_table)
table.command("judge")(judge_pages)
app.add_typer(table, name="table")
training = typer.Typer(help="Train what judges pages and links.")
training.command("topic")(train_topic)
training.command("about")(train_about)
training.command("segments")(train_segments)
app.add_typer(training, name="train")
tune = typer.Typer(help="Find out which settings serve best, on graphs to be trained on.")
tune.command("threshold")(threshold)
app.add_typer(tune, name="tune")
topic = typer.Typer(help="Topic models: what is in one, and what one says of pages.")
topic.command("show")(show_topic)
topic.command("judge")(judge_topic)
app.add_typer(topic, name="topic")
segments = typer.Typer(help="Link models: what is in one, and what one says of a link.")
segments.command("show")(show_segments)
segments.command("read")(read_link)
app.add_typer(segments, name="segments")
seeds = typer.Typer(help="Places to begin at, from directories, tables, sitemaps, archives, Wikidata and Common Crawl.")
seeds.command()(dmoz)
seeds.command()(csv)
seeds.command()(sitemap)
seeds.command()(warc)
seeds.command()(wikidata)
seeds.command()(commoncrawl)
app.add_typer(seeds, name="seeds")
nation = typer.Typer(help="Nations as data: what ships, what is in one, and one made for any other country.")
nation.command("list")(list_nations)
nation.command("show")(show_nation)
nation.command()(make)
nation.command("names")(propose_names)
nation.command("review")(review_names)
app.add_typer(nation, name="nation")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"Exonym {__version__}")
        raise typer.Exit


def _turn_on_debug(wanted: bool) -> None:
    if wanted:
        os.environ["EXONYM_DEBUG"] = "1"


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", callback=_turn_on_debug, help="Show where in the program an error arose.")
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one command and leaves the process with its exit code."""
    # Page titles come in all scripts; a terminal that cannot show one must not end the crawl.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(_exit_code(given or ["--help"]))


def _exit_code(arguments: list[str]) -> int:
    try:
        outcome = app(args=arguments, prog_name="exonym", standalone_mode=False)
        sys.stdout.flush()
        return outcome if isinstance(outcome, int) else DONE
    except TyperException as error:
        return _wrong_use(_usage_message(error))
    except ExonymError as error:
        return _wrong_use(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _left_by_reader()
    except SystemExit as left:
        # Typer turns a broken pipe into exit code 1, which is ours for defects.
        if isinstance(left.__context__, BrokenPipeError):
            return _left_by_reader()
        raise
    except Exception as error:
        return _defect(error)


def _left_by_reader() -> int:
    """The reader of our output (head, less) has what it wanted; nothing may be written at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _usage_message(error: TyperException) -> str:
    message = getattr(error, "format_message", lambda: str(error))()
    return f"{message} See: exonym --help" if message else ""


def _wrong_use(message: str) -> int:
    _show_trace_if_debugging()
    if message:
        print(f"exonym: {clean(message)}", file=sys.stderr)
    return WRONG_USE


def _defect(error: Exception) -> int:
    _show_trace_if_debugging()
    said = clean(f"{type(error).__name__}: {error}", 300)
    print(
        f"exonym: this is a defect of ours ({said}). Run it again with EXONYM_DEBUG=1 and report what it prints.",
        file=sys.stderr,
    )
    return DEFECT


def _show_trace_if_debugging() -> None:
    if os.environ.get("EXONYM_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exc()
