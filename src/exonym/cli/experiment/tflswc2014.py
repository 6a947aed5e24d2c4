"""`exonym experiment tflswc2014`: the segment crawler of Suebchua's thesis on webs it was not trained on."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.experiment.language_crawls import print_findings
from exonym.cli.options import AsJson, PagesARound, number, output, random_seed
from exonym.cli.output import note
from exonym.cli.terminal.status_line import status_line
from exonym.system.extras import require

_USUAL = Path("exonym-tflswc2014")


def tflswc2014(
    output: Annotated[Path, output("DIR", "The directory to write; an experiment that is there goes on.")] = _USUAL,
    pages: Annotated[int, number("size", "Pages of the web that is crawled.", 100)] = 40_000,
    seed: Annotated[int, random_seed("Another number makes another web to crawl.")] = 11,
    train_seed: Annotated[int, number("train-random-seed", "The same for the web that is trained on.", 0)] = 3,
    train_pages: Annotated[
        int, number("train-size", "Pages of the web that is trained on; 0: as many, at most 40,000.", 0)
    ] = 0,
    budget: Annotated[int, number("max-pages", "Pages each crawler may fetch.", 1)] = 10_000,
    topics: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="This topic alone: tourism, estate or diving; may be given again."),
    ] = None,
    k: PagesARound = 1,
    judge_errors: Annotated[
        float, typer.Option(metavar="SHARE", help="Relevant pages the judge misses, and mistakes among its finds.")
    ] = 0.0,
    as_json: AsJson = False,
) -> None:
    """The segment crawler against the thesis' others, for three topics, on webs that it was not trained on.

    Makes a web to train on and one to crawl, trains link models, simulates all crawlers, and tells for each claim of
    the thesis whether it holds. Takes some minutes. With --size 1000000 a crawl finds no end, as in the thesis: that
    takes 20 minutes and 5 GB of disk.
    """
    require("research", "train")
    from exonym.experiments.tflswc2014.run import TflswcRequest, run_tflswc2014
    from exonym.published.thesis import TOPICS
    from exonym.report.findings import PAGE

    chosen = tuple(dict.fromkeys(topics or TOPICS))
    words = ["exonym", "experiment", "tflswc2014", "--size", pages, "--random-seed", seed]
    words += ["--train-random-seed", train_seed]
    words += ["--train-size", train_pages] if train_pages else []
    words += ["--max-pages", budget, "--k", k, *(word for topic in chosen for word in ("--only", topic))]
    words += ["--judge-errors", judge_errors] if judge_errors else []
    command = shlex.join([*map(str, words), "-o", str(output)])
    request = TflswcRequest(output, pages, seed, train_seed, train_pages, budget, chosen, k, judge_errors, command)
    with status_line("beginning") as tell:
        findings = run_tflswc2014(request, tell)
    note(f"The report is in {output / PAGE}")
    print_findings(findings, as_json)
