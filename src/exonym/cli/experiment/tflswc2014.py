"""`exonym experiment tflswc2014`: the segment crawler of Suebchua's thesis on webs it was not trained on."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.experiment.language_crawls import run_experiment
from exonym.cli.options import AsJson, PagesARound, number, output, random_seed
from exonym.errors import ConfigError
from exonym.system.extras import require


def tflswc2014(
    output: Annotated[Path, output("DIR", "The directory to write; its webs and models are reused.")] = Path(
        "exonym-tflswc2014"
    ),
    small: Annotated[
        bool, typer.Option("--small", help="Webs of 5,000 pages, crawls of 1,000: a first look, in some minutes.")
    ] = False,
    pages: Annotated[int | None, number("size", "Pages of the web to crawl; if not given, 40,000.", 100)] = None,
    seed: Annotated[int, random_seed("Another number makes another web to crawl.")] = 11,
    train_seed: Annotated[int, number("train-random-seed", "Another number makes another web to train on.", 0)] = 3,
    train_pages: Annotated[
        int, number("train-size", "Pages of the web to train on; 0 for --size, at most 40,000.", 0)
    ] = 0,
    budget: Annotated[int | None, number("max-pages", "Pages each crawler may fetch; if not given, 10,000.", 1)] = None,
    topics: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Only this topic: tourism, estate or diving; may be given again."),
    ] = None,
    k: PagesARound = 1,
    judge_errors: Annotated[
        float,
        typer.Option(
            metavar="SHARE", help="Share of relevant pages that the judge misses, and of its finds that are wrong."
        ),
    ] = 0.0,
    as_json: AsJson = False,
) -> None:
    """The segment crawler against the other crawlers of the thesis, for three topics, on webs it was not trained on.

    Makes a web to train on and another to crawl, trains link models, simulates all crawlers, and reports for each claim
    of the thesis whether it holds. Takes some minutes. With --size 1000000 a crawl sees only a small part of the web,
    as in the thesis: that takes 20 minutes and 5 GB of disk.
    """
    require("research", "train")
    from exonym.experiments.tflswc2014.run import BUDGET, PAGES, SMALL, TflswcRequest, run_tflswc2014
    from exonym.published.thesis import TOPICS

    if small and (pages is not None or budget is not None):
        raise ConfigError("--small sets the size of the webs and of the crawls: leave out --size and --max-pages.")
    usual = SMALL if small else (PAGES, BUDGET)
    pages, budget = (usual[0] if pages is None else pages), (usual[1] if budget is None else budget)
    chosen = tuple(dict.fromkeys(topics or TOPICS))
    words = ["exonym", "experiment", "tflswc2014", "--size", pages, "--random-seed", seed]
    words += ["--train-random-seed", train_seed]
    words += ["--train-size", train_pages] if train_pages else []
    words += ["--max-pages", budget, "--k", k, *(word for topic in chosen for word in ("--only", topic))]
    words += ["--judge-errors", judge_errors] if judge_errors else []
    command = shlex.join([*map(str, words), "-o", str(output)])
    request = TflswcRequest(output, pages, seed, train_seed, train_pages, budget, chosen, k, judge_errors, command)
    run_experiment(lambda tell: run_tflswc2014(request, tell), output, as_json)
