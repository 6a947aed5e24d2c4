"""Options and arguments that several commands share: an option means the same in every command.

`--seed` and `--seeds` are addresses, `--random-seed` seeds a random number generator, `--max-pages` is a limit,
`--size` the size of a made-up web, `--sample` the size of a sample, `--relevance FILE` says what is relevant, `--kind`
is a kind of model, `--only` picks one of several parts.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.cluster.ray_connection import RayConnection
    from exonym.judges.judge_settings import Plain
    from exonym.system.processes import TaskRunner
    from exonym.training.material.gathering import MaterialRequest

FEWEST_PAGES, MOST_PAGES = 200, 1_000_000  # of a practice web


def random_seed(help: str, least: int | None = 0) -> Any:
    """The seed of a random number generator; `help` says what it decides. Without `least`, the library checks it."""
    return typer.Option("--random-seed", min=least, metavar="N", help=help)


def max_pages(help: str) -> Any:
    """How many pages may be fetched; 0 for no limit."""
    return typer.Option("--max-pages", metavar="N", help=help)


def output(metavar: str, help: str) -> Any:
    """The file or directory that a command writes."""
    return typer.Option("-o", "--output", metavar=metavar, help=help)


def number(name: str, help: str, least: float | None = None, most: float | None = None, metavar: str = "N") -> Any:
    """An option for a number, from `least` to `most`."""
    return typer.Option(f"--{name}", min=least, max=most, metavar=metavar, help=help)


def whole_number(option: str, text: str) -> int:
    """A number that may be written as in 14_000_000 or 14,000,000."""
    try:
        return int(text.replace(",", "_"))
    except ValueError:
        raise ConfigError(f"{option} must be a whole number, as in 14_000_000, got {text[:60]!r}.") from None


def check_operator(operator: str) -> None:
    """Raise if an operator is named whom nobody could reach."""
    from exonym.config.settings import is_operator

    if operator and not is_operator(operator):
        raise ConfigError(f"--operator must be a web page or an e-mail address, got {operator[:60]!r}.")


def files_in(paths: list[Path], patterns: tuple[str, ...], missing: str) -> list[Path]:
    """The files that arguments name, and those in folders that match a pattern; `missing` follows "DIR has no"."""
    files: list[Path] = []
    for path in paths:
        inside = sorted(file for pattern in patterns for file in path.glob(pattern)) if path.is_dir() else [path]
        if not inside:
            raise ConfigError(f"{path} has no {missing}")
        files += inside
    return files


# Results

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print one line of JSON per page for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
FigureFile = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", help="Draw the figures into a file; it ends in .svg, .png or .pdf."),
]

PagesARound = Annotated[int, typer.Option("--k", metavar="K", help="Pages per round: 1 is exact, more is faster.")]
PagesPerServer = Annotated[
    int, typer.Option("--pages-per-server", metavar="N", help="Most pages per server; 0 for no limit.")
]

SettingOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Another value for a setting, as in limits.pages=500."),
]

# What is read

GraphArgument = Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")]
CrawlArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl; it may be running.")]
PAGES_HELP = "HTML or text files, web addresses, or - for standard input."
SourcesArgument = Annotated[list[str], typer.Argument(metavar="FILE… | URL | -", help=PAGES_HELP)]
NationOption = Annotated[
    str, typer.Option("--nation", metavar="XX | FILE", help="A nation that comes with Exonym, or a nation file.")
]
Names = Annotated[
    Path | None,
    typer.Option("--names", metavar="FILE", help="Names to add, one per line, or to remove, as in -Hot."),
]
Operator = Annotated[
    str,
    typer.Option("--operator", metavar="CONTACT", help="Your web page or e-mail address, sent to servers."),
]
StrategyOption = Annotated[
    str,
    typer.Option("--strategy", metavar="STRATEGY", help="adaptive, bfs and others: `exonym strategies` lists them."),
]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")]

# Labelling

LabelsFile = Annotated[Path, output("LABELS", "The file that keeps the labels.")]
LabelledBy = Annotated[str, typer.Option("--by", metavar="NAME", help="Your name, stored with each label.")]

# Training

Jobs = Annotated[int, number("jobs", "Processes to use; 0 for one per core.", 0, 1_024)]


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """The examples that a topic, or what a page about a nation is, is learned from."""

    positive: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE",
            help="Positive examples: files or folders of pages, WARC files, .jsonl, CRAWL:relevant, GRAPH:irrelevant; "
            "may be given again.",
        ),
    ] = None
    negative: Annotated[
        list[str] | None, typer.Option(metavar="SOURCE", help="Negative examples, from the same kinds of sources.")
    ] = None
    labels: Annotated[
        list[Path] | None, typer.Option(metavar="FILE.jsonl", help="Labelled pages; they override all other sources.")
    ] = None
    language: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Language of the pages; pages in other languages are left out.")
    ] = "en"
    any_language: Annotated[bool, typer.Option("--any-language", help="Keep pages in every language.")] = False

    @property
    def code(self) -> str:
        """The code of the language."""
        from exonym.language_names import language_of

        return language_of(self.language)

    def material(self, jobs: int) -> "MaterialRequest":
        """The request for these examples, to be read by `jobs` processes."""
        from exonym.training.material.gathering import MaterialRequest

        sources = tuple(self.positive or ()), tuple(self.negative or ()), tuple(self.labels or ())
        return MaterialRequest(*sources, "" if self.any_language else self.code, jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationOptions:
    """How a model is cross-validated."""

    folds: Annotated[int, number("folds", "Folds of the cross-validation.", 2, 100)] = 10
    repeats: Annotated[int, number("repeats", "How often to divide the examples into new folds.", 1, 100)] = 10
    seed: Annotated[int, random_seed("The same number gives the same result.")] = 0
    jobs: Jobs = 0


# Clusters


def _say_nothing(text: str) -> None:
    """What quiet commands tell about the cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOptions:
    """Whether, and on which cluster, the work is done."""

    cluster: Annotated[bool, typer.Option("--cluster", help="Do the work on a Ray cluster.")] = False
    address: Annotated[
        str,
        typer.Option(
            metavar="auto | HOST:PORT",
            help="With --cluster: the cluster to use; without it, one of this machine's cores is started.",
        ),
    ] = ""

    @contextmanager
    def connected(self, jobs: int = 0, quiet: bool = False) -> "Iterator[RayConnection | None]":
        """The connection to the cluster, or None without --cluster; `jobs` is the cores of a cluster that we start."""
        if not self.cluster:
            if self.address:
                raise ConfigError("--address needs --cluster.")
            yield None
            return
        from exonym.cli.output import note
        from exonym.cluster.ray_connection import connect

        with connect(self.address or None, _say_nothing if quiet else note, jobs) as connection:
            yield connection

    @contextmanager
    def runner(self, jobs: int = 0) -> "Iterator[TaskRunner | None]":
        """What does the tasks of batch work on the cluster; None without --cluster."""
        with self.connected(jobs) as connection:
            if connection is None:
                yield None
                return
            from exonym.cluster.ray_tasks import RayTasks

            yield RayTasks(connection)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlClusterOptions(ClusterOptions):
    """Whether, and on which cluster, a crawl runs."""

    workers: Annotated[
        int,
        number("workers", "With --cluster: how many workers share the crawl; 0 is one for each machine.", 0, 1_000),
    ] = 0

    def check(self) -> None:
        """Raise if options need --cluster that are given without it."""
        if not self.cluster and (self.address or self.workers):
            raise ConfigError(f"{'--address' if self.address else '--workers'} needs --cluster.")

    def text(self) -> str:
        """The options as they are typed, for a command that is to be repeated."""
        address = f" --address {self.address}" if self.address else ""
        workers = f" --workers {self.workers}" if self.workers else ""
        return f" --cluster{workers}{address}" if self.cluster else ""


# What makes a page relevant


class IdentifierName(StrEnum):
    """What identifies languages."""

    DEFAULT = "default"
    CLASSIC = "classic"


Relevance = Annotated[
    Path | None,
    typer.Option("--relevance", metavar="FILE", help="A crawl.toml whose [target] and [judge] define relevance."),
]


@dataclass(frozen=True, slots=True)
class RelevanceOptions:
    """The options that say what makes a page relevant."""

    language: Annotated[list[str] | None, typer.Option(metavar="LANGUAGE")] = None
    about_nation: Annotated[
        str, typer.Option(metavar="XX | FILE", help="Pages about this nation, by its names, are relevant.")
    ] = ""
    within: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="LANGUAGE", help="With --about-nation: only pages in this language."),
    ] = None
    relevance: Relevance = None
    identifier: Annotated[IdentifierName | None, typer.Option(metavar="default|classic")] = None
    inherit_language: Annotated[bool | None, typer.Option("--inherit-language/--no-inherit-language")] = None

    @property
    def languages(self) -> list[str]:
        """The codes of the languages, each once."""
        from exonym.language_names import language_of

        return list(dict.fromkeys(map(language_of, self.language or ())))

    @property
    def judge_section(self) -> dict[str, Any]:
        """What the options set in the section [judge] of a crawl.toml."""
        settings: dict[str, Any] = {"identifier": self.identifier.value} if self.identifier else {}
        return settings if self.inherit_language is None else settings | {"inherit_language": self.inherit_language}

    def judge(self) -> "Plain | None":
        """Settings of the judge, if the options say more than languages; else None."""
        from exonym.config import load, settings_of
        from exonym.judges.by_name import judge_settings

        if self.within and not self.about_nation:
            raise ConfigError("--in needs --about-nation. For pages in a language, about anything: --language.")
        if self.relevance and (self.language or self.about_nation or self.judge_section):
            raise ConfigError(
                "--relevance replaces --language, --about-nation, --identifier and --inherit-language: leave these out."
            )
        if self.relevance:
            return judge_settings(load(self.relevance), self.relevance.parent)
        if not self.about_nation:
            return None
        about = {"nation": self.about_nation, "languages": list(self.within or ())}
        table = {"target": {"languages": self.languages, "about": about}, "judge": self.judge_section}
        return judge_settings(settings_of(table, "options"), Path())
