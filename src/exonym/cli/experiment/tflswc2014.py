"""`exonym experiment tflswc2014`: the segment crawler of Suebchua's thesis on webs it was not trained on."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.experiment.language_crawls import Json, print_findings
from exonym.cli.terminal.status_line import telling
from exonym.system.extras import require
from exonym.web_text import clean

_USUAL = Path("exonym-tflswc2014")


def tflswc2014(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Where all goes; if it is there, it is gone on with.")
    ] = _USUAL,
    pages: Annotated[int, typer.Option(min=100, metavar="N", help="Pages of the web that is crawled.")] = 40_000,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of the web that is crawled.")] = 11,
    train_seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of the web that is trained on.")] = 3,
    train_pages: Annotated[
        int, typer.Option(min=0, metavar="N", help="Of the web that is trained on; 0: as many, at most 40,000.")
    ] = 0,
    budget: Annotated[int, typer.Option(min=1, metavar="N", help="Pages each crawler may fetch.")] = 10_000,
    topics: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC", help="tourism, estate or diving; may be given again (all).")
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, metavar="K", help="Pages a round: 1 is exact, more is faster.")] = 1,
    judge_errors: Annotated[
        float, typer.Option(metavar="SHARE", help="Relevant pages the judge misses, and mistakes among its finds.")
    ] = 0.0,
    as_json: Json = False,
) -> None:
    """The segment crawler against the thesis' others, for three topics, on webs that it was not trained on.

    Makes a web to train on and one to crawl, trains link models, simulates all crawlers, and tells for each claim of
    the thesis whether it holds. Takes some minutes. With --pages 1000000 a crawl finds no end, as in the thesis: that
    takes 20 minutes and 5 GB of disk.
    """
    require("research", "train")
    from exonym.experiments.tflswc2014.run import TflswcAsked, run_tflswc2014
    from exonym.published.thesis import TOPICS
    from exonym.report.findings import PAGE

    chosen = tuple(dict.fromkeys(topics or TOPICS))
    words = ["exonym", "experiment", "tflswc2014", "--pages", pages, "--seed", seed, "--train-seed", train_seed]
    words += ["--train-pages", train_pages] if train_pages else []
    words += ["--budget", budget, "--k", k, *(word for topic in chosen for word in ("--topics", topic))]
    words += ["--judge-errors", judge_errors] if judge_errors else []
    command = shlex.join([*map(str, words), "-o", str(output)])
    asked = TflswcAsked(output, pages, seed, train_seed, train_pages, budget, chosen, k, judge_errors, command)
    with telling("beginning") as tell:
        findings = run_tflswc2014(asked, tell)
    print(clean(f"The report is in {output / PAGE}"), file=sys.stderr)
    print_findings(findings, as_json)
