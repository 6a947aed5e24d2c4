"""All commands under one name, and the exit code for every way a command can end.

Commands import what they need when they run: `exonym --help` must not wait for NumPy.
"""

import os
import signal
import sys
import warnings
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from exonym.cli.help_text import group_of
from exonym.cli.old_names import in_new_names
from exonym.cli.output import warn
from exonym.errors import ExonymError, PartialCrawlWarning
from exonym.version import __version__
from exonym.web_text import clean

DONE, DEFECT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130

PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "Crawl": {
        "new": ("exonym.cli.new:new", "Make a directory for a new crawl, with a crawl.toml to edit"),
        "crawl": ("exonym.cli.crawl:crawl", "Start or resume the crawl in a directory"),
        "status": ("exonym.cli.status:status", "Show what a crawl has done so far"),
        "report": ("exonym.cli.report:report", "Write a report of a crawl, or compare several"),
        "why": ("exonym.cli.why:why", "Say why a page was visited or not, or why a server waits"),
        "scope": ("exonym.cli.scope:scope", "Show, write and test what a crawl leaves out"),
        "serve": ("exonym.cli.serve:serve", "Show crawls as web pages: a dashboard, live while they run"),
        "repartition": ("exonym.cli.repartition:repartition", "Divide a crawl, so that several machines go on with it"),
        "demo": ("exonym.cli.demo:demo", "Crawl a practice web on this machine for Thai pages"),
    },
    "Look closer": {
        "label": ("exonym.cli.label:label", "Label pages of a crawl by hand, to train a judge"),
        "audit": ("exonym.cli.audit:audit", "Label a random sample to get the true harvest rate"),
        "coverage": ("exonym.cli.coverage:coverage", "Estimate how complete a crawl is, from a list or another crawl"),
        "identify": ("exonym.cli.identify:app", "Identify the language, names or country of pages"),
    },
    "Prepare": {
        "seeds": ("exonym.cli.seeds:app", "Collect seeds: addresses to start a crawl from"),
        "nation": ("exonym.cli.nation:app", "List, show and make nations, and collect their names"),
        "model": ("exonym.cli.model:app", "Train models of topics, links and languages"),
    },
    "Research": {
        "graph": ("exonym.cli.graph:app", "Import, generate, judge and analyse web graphs"),
        "simulate": ("exonym.cli.simulate:simulate", "Run strategies over a web graph and compare them"),
        "strategies": ("exonym.cli.strategies:strategies", "List the strategies and their options"),
        "experiment": ("exonym.cli.experiment:app", "Repeat the experiments of the papers"),
        "practice-web": ("exonym.cli.practice_web:practice_web", "Serve a practice web on this machine"),
    },
}


class LazyCommands(MutableMapping[str, Any]):
    """The commands of `PANELS`, each imported when it is first looked up."""

    def __init__(self) -> None:
        self._places = {name: place for panel in PANELS.values() for name, place in panel.items()}
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            place, text = self._places[name]
            module, _, attribute = place.partition(":")
            loaded = getattr(import_module(module), attribute)
            group = loaded if isinstance(loaded, typer.Typer) else group_of({name: loaded})
            command = self._loaded[name] = get_command(group)
            command.help = command.help or f"{text}."
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._places[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class PanelGroup(TyperGroup):
    """All commands, each panel under its title; help imports none of them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = LazyCommands()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Names and descriptions, a section for each panel."""
        width = max(map(len, self.commands))
        for title, commands in PANELS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", text) for name, (_, text) in commands.items()])


app = typer.Typer(
    name="exonym",
    cls=PanelGroup,
    help="Collects a nation's web, wherever it is hosted and in whatever language it is written.",
    epilog="Start with: exonym demo",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
        bool, typer.Option("--debug", callback=_turn_on_debug, help="Show the traceback of an error.")
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and exit with its code."""
    # Page titles come in all scripts; a terminal that cannot show a character must not end the crawl.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    with _warnings_in_one_line():
        code = _exit_code(in_new_names(given) or ["--help"])
    if arguments is None and code == INTERRUPTED:
        # The command has ended. Pressed once more while Python shuts down, Ctrl-C would end the process by a signal.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Show warnings about a crawl like all other warnings, each of them once."""
    shown = set[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("always", PartialCrawlWarning)
        usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if not issubclass(category, PartialCrawlWarning):
                usual(message, category, *place)
            elif str(message) not in shown:
                shown.add(str(message))
                warn(str(message))

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _exit_code(arguments: list[str]) -> int:
    try:
        outcome = app(args=arguments, prog_name="exonym", standalone_mode=False)
        sys.stdout.flush()
        return outcome if isinstance(outcome, int) else DONE
    except TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        return _fail(f"{message} See: exonym --help" if message else "", WRONG_USE)
    except ExonymError as error:
        return _fail(str(error), WRONG_USE)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return _end_quietly()
    except SystemExit as error:
        # Typer turns a broken pipe into exit code 1, which means a defect here.
        if isinstance(error.__context__, BrokenPipeError):
            return _end_quietly()
        raise
    except Exception as error:
        summary = clean(f"{type(error).__name__}: {error}", 300)
        advice = "Run it again with EXONYM_DEBUG=1 and report what it prints."
        return _fail(f"this is a defect of ours ({summary}). {advice}", DEFECT)


def _end_quietly() -> int:
    """End without error: the reader of the output (head, less) has closed it, and nothing may be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return DONE


def _fail(message: str, code: int) -> int:
    """Print an error, after its traceback in debug mode, and return the exit code."""
    if os.environ.get("EXONYM_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exc()
    if message:
        warn(message)
    return code
