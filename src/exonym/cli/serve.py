"""`exonym serve DIR | FOLDER`: the dashboard of a crawl, or of all crawls in a folder."""

import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.output import note


def serve(
    path: Annotated[
        Path, typer.Argument(metavar="DIR | FOLDER", help="A crawl, which may be running, or a folder of crawls.")
    ] = Path("."),
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, metavar="PORT", help="Where to listen (8770, or the next free one)."),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listen on this address of the machine instead of on loopback.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another name by which browsers reach this machine; may be given again."),
    ] = None,
    token: Annotated[
        str,
        typer.Option(envvar="EXONYM_TOKEN", metavar="TOKEN", help="The token for changes; a new one if none is given."),
    ] = "",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the dashboard in your web browser.")] = False,
) -> None:
    """Show a crawl, or all crawls in a folder, as web pages on this machine; live while a crawl runs.

    Prints the address to open; Ctrl-C ends it. Only this machine can reach the dashboard, unless --host says otherwise.
    Whoever has the whole address, with its token, may also change things: leave servers out, label pages, start, pause
    and stop crawls. The same is there for programs, as an HTTP API: see /api/ of the dashboard.
    """
    from exonym.dashboard.access import is_loopback
    from exonym.dashboard.web_server import ServeOptions
    from exonym.dashboard.web_server import serve as serve_until_stopped

    def ready(address: str) -> None:
        print(f"Dashboard: {address}", flush=True)
        if not is_loopback(host):
            note("Other machines can reach it, over plain HTTP: use it in a network that you trust, or behind TLS.")
        note("Ctrl-C ends it; crawls go on.")
        if open_browser and not webbrowser.open(address):
            note("No web browser could be opened here: open the address yourself.")

    serve_until_stopped(path, ServeOptions(host, port, tuple(name or ()), token), ready)


@contextmanager
def dashboard_beside(directory: Path) -> Iterator[None]:
    """Show a crawl while the block runs, from a process of its own."""
    command = [sys.executable, "-m", "exonym", "serve", str(directory)]
    if gives_way := shutil.which("nice"):
        command = [gives_way, *command]
    # In a session of its own, Ctrl-C ends the crawl alone: the dashboard shows its last pages.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None, "it is a pipe"
        line = process.stdout.readline().strip()
        note(line or f"The dashboard did not start. See why: exonym serve {directory}")
        try:
            yield
        finally:
            process.terminate()
