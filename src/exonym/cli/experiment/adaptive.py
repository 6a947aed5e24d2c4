"""`exonym experiment adaptive`: the adaptive strategy against the rules, on webs that it has never seen."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.experiment.language_crawls import run_experiment
from exonym.cli.options import AsJson, Jobs, number, output, whole_number
from exonym.errors import ConfigError
from exonym.system.extras import require


def adaptive(
    output: Annotated[Path, output("DIR", "The directory to write; an unfinished experiment is resumed.")] = Path(
        "exonym-adaptive"
    ),
    small: Annotated[
        bool, typer.Option("--small", help="Webs of 20,000 pages, one of each profile: a first look, in minutes.")
    ] = False,
    pages: Annotated[
        str | None, typer.Option("--size", metavar="N", help="Pages in each web; if not given, 200,000.")
    ] = None,
    webs: Annotated[int, number("webs", "Webs of each profile, of development and held out; 0 for 3 and 5.", 0, 5)] = 0,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Only this profile; may be given again.")
    ] = None,
    held_out: Annotated[
        bool, typer.Option("--held-out/--no-held-out", help="Whether to look at the held-out webs too.")
    ] = True,
    graph: Annotated[
        list[Path] | None,
        typer.Option("--graph", metavar="GRAPH", help="A real web graph, with seeds; may be given again."),
    ] = None,
    jobs: Jobs = 0,
    as_json: AsJson = False,
) -> None:
    """The adaptive strategy against the rules of the papers, on generated webs of every profile and on real graphs.

    Keeps webs on which choices were made and held-out webs apart, and reports for each goal whether it is reached, what
    each part of the strategy is worth, and what the results depend on. Takes half an hour on two cores.
    """
    require("research")
    from exonym.experiments.adaptive.run import PAGES, AdaptiveRequest, run_adaptive
    from exonym.experiments.adaptive.webs import FAMILIES
    from exonym.experiments.request import SMALL

    if small and (pages is not None or webs):
        raise ConfigError("--small sets the size and the number of webs: leave out --size and --webs.")
    usual = (SMALL, 1) if small else (PAGES, webs)
    size = usual[0] if pages is None else whole_number("--size", pages)
    words = ["exonym", "experiment", "adaptive", "--size", size, *(["--webs", usual[1]] if usual[1] else [])]
    words += [word for name in only or () for word in ("--only", name)]
    words += [*([] if held_out else ["--no-held-out"]), *(word for path in graph or () for word in ("--graph", path))]
    request = AdaptiveRequest(
        directory=output,
        pages=size,
        webs=usual[1],
        only=tuple(dict.fromkeys(only or FAMILIES)),
        held_out=held_out,
        graphs=tuple(graph or ()),
        jobs=jobs,
        command=shlex.join([*map(str, words), "-o", str(output)]),
    )
    run_experiment(lambda tell: run_adaptive(request, tell), output, as_json)
