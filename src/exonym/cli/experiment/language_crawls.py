"""`exonym experiment lswc2006|cjk2010|compare`: the experiments on crawls for a language."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson, output, random_seed, whole_number
from exonym.cli.output import emit, harmless_lines, note
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.system.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from exonym.experiments.request import ExperimentRequest
    from exonym.progress import Tell
    from exonym.report.findings import Findings


_SEED = 7

Output = Annotated[Path | None, output("DIR", "The directory to write; an unfinished experiment is resumed.")]
Small = Annotated[bool, typer.Option("--small", help="Webs of 20,000 pages: a first look, in seconds.")]
RandomSeed = Annotated[int, random_seed("Another number makes other webs.", least=None)]


def lswc2006(
    output: Output = None,
    small: Small = False,
    family: Annotated[
        bool, typer.Option("--family", help="The same strategies on webs of other shapes, 200,000 pages each.")
    ] = False,
    seed: RandomSeed = _SEED,
    pages: Annotated[
        str | None, typer.Option("--size", metavar="N", help="Pages in the web; if not given, as published.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Language-specific crawling of the Thai web, at its published size of 14 million pages.

    Simulates the strategies of Somboonviwat, Tamura and Kitsuregawa and the filters of Tamura, and reports for each
    claim of the papers whether it is reproduced. Needs 4 GB of memory, 2 GB of disk and some minutes.
    """
    require("research")
    from exonym.experiments.lswc2006 import family as of_family
    from exonym.experiments.lswc2006 import run as of_paper
    from exonym.published.thai_web import PAGES

    if small and pages is not None:
        raise ConfigError("--small and --size cannot both be given: each sets the size of the web. Leave one out.")
    words = ["lswc2006", *(["--family"] if family else []), *(["--size", pages] if pages is not None else [])]
    usual = of_family.PAGES if family else PAGES
    request = _request(words, output, usual if pages is None else whole_number("--size", pages), (small, seed))
    run = of_family.run_family if family else of_paper.run_lswc2006
    run_experiment(lambda tell: run(request, tell), request.directory, as_json)


def cjk2010(output: Output = None, small: Small = False, seed: RandomSeed = _SEED, as_json: AsJson = False) -> None:
    """A rule for Chinese, Japanese and Korean pages against breadth first, on a generated web for each language.

    The control experiment of Chan and Yamana: pages by language of both crawls, next to the published figures.
    """
    require("research")
    from exonym.experiments.cjk2010.run import PAGES, run_cjk2010

    request = _request(["cjk2010"], output, PAGES, (small, seed))
    run_experiment(lambda tell: run_cjk2010(request, tell), request.directory, as_json)


def compare(
    first: Annotated[Path, typer.Argument(metavar="DIR1", help="The directory of a crawl.")],
    second: Annotated[Path, typer.Argument(metavar="DIR2", help="The directory of another crawl.")],
    language: Annotated[
        list[str] | None, typer.Option(metavar="LANGUAGE", help="A language to count separately; may be given again.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two crawls: pages by language, as in the control experiment."""
    require("research")
    from exonym.config import language_of
    from exonym.crawl_views.language_comparison import compare_crawls

    codes = [language_of(text).partition("-")[0] for text in language or ()]
    print_findings(compare_crawls(first, second, list(dict.fromkeys(codes))), as_json)


def _request(words: list[str], output: Path | None, pages: int, choice: tuple[bool, int]) -> "ExperimentRequest":
    """The request, with a default directory if none is named, and the command that repeats it."""
    from exonym.experiments.request import SMALL, ExperimentRequest

    small, seed = choice
    words = [*words, *(["--small"] if small else [])]
    named = "-".join(["exonym", *(word.removeprefix("--").replace("_", "") for word in words if word != "--size")])
    directory = output or Path(named)
    command = shlex.join(["exonym", "experiment", *words, "--random-seed", str(seed), "-o", str(directory)])
    return ExperimentRequest(directory, SMALL if small else pages, seed, command)


def run_experiment(experiment: "Callable[[Tell], Findings]", directory: Path | None, as_json: bool) -> None:
    """Run an experiment, say where its report is, and print what it found."""
    from exonym.report.findings import PAGE

    with status_line("starting") as tell:
        findings = experiment(tell)
    if directory is not None:  # before anything is printed, as the reader may close the pipe
        note(f"The report is in {directory / PAGE}")
    print_findings(findings, as_json)


def print_findings(findings: "Findings", as_json: bool) -> None:
    """Print what an experiment found, as a page of text or as JSON."""
    from exonym.report.findings import text_page

    emit(findings.document, harmless_lines(text_page(findings)), as_json)
