"""`exonym repartition DIR`: divides a crawl among partitions, so that several machines can go on with it."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line

StoppedCrawl = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl that is not running.")]
PartitionsOption = Annotated[
    int,
    typer.Option("--partitions", metavar="N", help="How many partitions to make: a few for each worker.", min=1),
]


def repartition(directory: StoppedCrawl, partitions: PartitionsOption, as_json: AsJson = False) -> None:
    """Divide the crawl in DIR among N partitions, so that several machines can go on with it.

    A crawl that was begun without --cluster becomes one that a cluster goes on with; a cluster's crawl gets another
    number of partitions. The crawl must be stopped, and all its partitions must be on this machine.

    The old data stays as it is until the new partitions are complete, and is kept in a folder beside them after that.
    Whatever ends the command, the same command goes on with it. WARC files are not copied.
    """
    from dataclasses import asdict

    from exonym.cluster.repartition import repartition as divide
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    with status_line("reading the crawl") as show:
        done = divide(directory, settings, partitions, show)
    document: dict[str, Any] = {**asdict(done), "before": str(directory / done.before)}
    quoted = shlex.quote(str(directory))
    shown: list[str | OutputRows] = [
        f"{directory} has {done.partitions:,} partitions now.",
        [
            ("visits", f"{done.rows:,}"),
            ("frontier", f"{done.waiting:,} links waiting"),
            ("URLs met", f"{done.seen:,} in all partitions; {done.shared:,} are in each, because any may own them"),
            ("before", f"{directory / done.before} has the old state and journal. Delete it when you like."),
        ],
        "\nNext:",
        [("go on", f"exonym crawl {quoted} --cluster"), ("show the figures", f"exonym status {quoted}")],
    ]
    emit(document, shown, as_json)
