"""Options and arguments that several commands share: one name, one meaning, wherever it stands.

`--seed` and `--seeds` are addresses, `--random-seed` seeds a random number generator, `--max-pages` is a limit,
`--size` the size of a made-up web, `--sample` the size of a sample, `--relevance FILE` says what is relevant, `--kind`
is a kind of model, `--only` picks one of several parts.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.judges.settings import Plain


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


# Results

AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON for scripts.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print one line of JSON a page, for scripts.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Jobs = Annotated[int, number("jobs", "Processes to use; 0 for one per core.", 0, 1_024)]

PagesARound = Annotated[int, typer.Option("--k", metavar="K", help="Pages a round: 1 is exact, more is faster.")]
PagesPerServer = Annotated[
    int, typer.Option("--pages-per-server", metavar="N", help="Most pages of a server; 0 for no limit.")
]

# What is read

GraphArgument = Annotated[Path, typer.Argument(metavar="GRAPH", help="The directory of a web graph.")]
CrawlArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl; it may be running.")]
SourcesArgument = Annotated[
    list[str], typer.Argument(metavar="FILE… | URL | -", help="HTML or text files, web addresses, - for input.")
]
PagesArgument = Annotated[
    list[str], typer.Argument(metavar="PAGE…", help="HTML or text files, web addresses, - for input.")
]
NationOption = Annotated[
    str, typer.Option("--nation", metavar="XX | FILE", help="A nation that ships, or a nation file.")
]
Names = Annotated[
    Path | None,
    typer.Option("--names", metavar="FILE", help="Names to add, one a line, or to take out, as in -Hot."),
]
Operator = Annotated[
    str,
    typer.Option("--operator", metavar="CONTACT", help="Your web page or e-mail address, which servers are told."),
]
StrategyOption = Annotated[
    str, typer.Option("--strategy", metavar="STRATEGY", help="bfs, lswc and others: `exonym strategies` lists them.")
]
AllowPrivate = Annotated[bool, typer.Option("--allow-private", help="Fetch from private and loopback addresses too.")]

# Labelling

LabelsFile = Annotated[Path, output("LABELS", "The file that labels are kept in.")]
LabelledBy = Annotated[str, typer.Option("--by", metavar="NAME", help="Who labels; kept with each label.")]

# Training

FoldsOption = Annotated[int, number("folds", "Parts, each held out once.", 2, 100)]
Repeats = Annotated[int, number("repeats", "How often the examples are divided anew.", 1, 100)]
PlainFolds = Annotated[
    bool, typer.Option("--plain-folds", help="Validate by the thesis' folds alone, not by site as well.")
]
Compare = Annotated[bool, typer.Option("--compare", help="Validate both kinds of models.")]
ModelName = Annotated[str, typer.Option("--name", metavar="NAME", help="Name of the model; else that of the file.")]
ReportPage = Annotated[
    Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page about the model, too.")
]
Negative = Annotated[
    list[str] | None,
    typer.Option("--negative", metavar="SOURCE", help="Other pages, from the same kinds of sources."),
]
LabelsOption = Annotated[
    list[Path] | None,
    typer.Option("--labels", metavar="FILE.jsonl", help="Labelled pages; they outrank all other sources."),
]
AnyLanguageOption = Annotated[bool, typer.Option("--any-language", help="Leave no page out for its language.")]


def positive(what: str) -> Any:
    """Example pages; `what` says what they are examples of."""
    kinds = "files or folders of pages, WARCs, .jsonl, CRAWL:relevant, GRAPH:irrelevant"
    return typer.Option("--positive", metavar="SOURCE", help=f"{what}: {kinds}; may be given again.")


# What makes a page relevant


class IdentifierName(StrEnum):
    """What identifies languages."""

    DEFAULT = "default"
    CLASSIC = "classic"


AboutNation = Annotated[
    str,
    typer.Option("--about-nation", metavar="XX | FILE", help="Pages about this nation, by its names, are relevant."),
]
Within = Annotated[
    list[str] | None, typer.Option("--in", metavar="LANGUAGE", help="With --about-nation: only pages in this language.")
]
Relevance = Annotated[
    Path | None,
    typer.Option("--relevance", metavar="FILE", help="A crawl.toml: its [target] and [judge] say what is relevant."),
]


def identifier(otherwise: str) -> Any:
    """Which identifier tells languages; `otherwise` is the default in words."""
    return typer.Option(
        "--identifier", metavar="default|classic", help=f"What identifies languages; if not given: {otherwise}."
    )


def inherit_language(otherwise: str) -> Any:
    """Whether short pages inherit the language of the page that links to them; `otherwise` is the default in words."""
    return typer.Option(
        "--inherit-language/--no-inherit-language",
        help=f"Whether a page too short to tell is like the page that links to it; if not given: {otherwise}.",
    )


@dataclass(frozen=True, slots=True)
class RelevanceOptions:
    """The options that say what makes a page relevant."""

    languages: list[str]
    about_nation: str = ""
    within: tuple[str, ...] = ()
    file: Path | None = None
    identifier: str = ""
    inherit_language: bool | None = None

    @classmethod
    def given(
        cls,
        language: list[str] | None,
        about_nation: str,
        within: list[str] | None,
        file: Path | None,
        judged_by: tuple[IdentifierName | None, bool | None],
    ) -> "RelevanceOptions":
        """The options as a command line has them, languages as codes; `judged_by`: identifier, inherit_language."""
        from exonym.language_names import language_of

        codes = list(dict.fromkeys(map(language_of, language or ())))
        identifier, inherit = judged_by
        return cls(codes, about_nation, tuple(within or ()), file, identifier.value if identifier else "", inherit)

    def judge(self) -> "Plain | None":
        """Settings of the judge, if the options say more than languages; else None."""
        from exonym.config import load, settings_of
        from exonym.judges.by_name import judge_settings

        settings: dict[str, Any] = {"identifier": self.identifier} if self.identifier else {}
        settings |= {} if self.inherit_language is None else {"inherit_language": self.inherit_language}
        if self.within and not self.about_nation:
            raise ConfigError("--in goes with --about-nation. For pages in a language, about anything: --language.")
        if self.file and (self.languages or self.about_nation or settings):
            raise ConfigError(
                "--relevance says all: leave --language, --about-nation, --identifier and --inherit-language out."
            )
        if self.file:
            return judge_settings(load(self.file), self.file.parent)
        if not self.about_nation:
            return None
        about = {"nation": self.about_nation, "languages": list(self.within)}
        table = {"target": {"languages": self.languages, "about": about}, "judge": settings}
        return judge_settings(settings_of(table, "options"), Path())
