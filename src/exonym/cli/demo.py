"""`exonym demo`: a real crawl of a practice web on this machine, with nothing to set up."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.options import AsJson, CrawlClusterOptions, StrategyOption, number, random_seed
from exonym.cli.terminal.crawl_display import DisplayOptions
from exonym.errors import DirectoryError

DEMO_NAME = "demo.json"


def demo(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="The directory to crawl into.")] = Path(
        "exonym-demo"
    ),
    size: Annotated[int, number("size", "Pages in the practice web.", 200, 1_000_000)] = 8_000,
    strategy: StrategyOption = "adaptive",
    seed: Annotated[int, random_seed("Another number makes another web.")] = 7,
    *,
    cluster: CrawlClusterOptions,
    display: DisplayOptions,
    as_json: AsJson = False,
) -> int:
    """Crawl a practice web on this machine for Thai pages, and show the progress.

    With --cluster, two workers share the crawl, in a Ray cluster that begins and ends with the demo.
    """
    import msgspec

    from exonym.cli.crawl import RunOptions, run_crawl
    from exonym.config import CONFIG_NAME, load
    from exonym.practice import PracticeWeb, running_practice_web

    if not (directory / DEMO_NAME).exists():
        _make(directory, {"pages": size, "seed": seed}, strategy)
    settings = load(directory / CONFIG_NAME)
    try:
        saved = json.loads((directory / DEMO_NAME).read_text(encoding="utf-8"))
        pages, web_seed = int(saved["pages"]), int(saved["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        raise DirectoryError(
            f"{directory / DEMO_NAME} is damaged. Delete {directory} and run the demo again."
        ) from None
    with running_practice_web(PracticeWeb(web_seed, pages)) as address:
        line = f"A practice web of {pages:,} pages is served at {address}; crawling it for Thai pages."
        if not display.quiet:
            print(line, file=sys.stderr if as_json else sys.stdout)
        network = msgspec.structs.replace(settings.network, connect_to=str(address))
        settings = msgspec.structs.replace(settings, network=network)
        if cluster.cluster and not cluster.workers:
            cluster = replace(cluster, workers=2)
        return run_crawl(directory, settings, RunOptions("demo", as_json, cluster, display))


def _make(directory: Path, web: dict[str, int], strategy: str) -> None:
    if directory.is_file() or (directory.is_dir() and any(directory.iterdir())):
        raise DirectoryError(f"{directory} exists and is not a demo. Name another directory: exonym demo DIR")
    from exonym.cli.new import write_config
    from exonym.config.template import usual_options
    from exonym.practice import PracticeWeb
    from exonym.practice.practice_crawl import practice_settings

    practice = PracticeWeb(web["seed"], web["pages"])
    values: dict[str, dict[str, Any]] = {
        "seeds": {"urls": practice.seeds()},
        "target": {"languages": [practice.language]},
        "strategy": {"name": strategy, **usual_options(strategy)},
        # In a complete crawl, every strategy that drops nothing finds the same pages; a part shows how they differ.
        "limits": {"pages": web["pages"] // 4},
        **practice_settings(),  # `demo` replaces the port, which changes with every run
    }
    write_config(directory, values)
    (directory / DEMO_NAME).write_text(json.dumps(web), encoding="utf-8")
