"""`exonym crawl DIR`: starts the crawl in a directory, or goes on with it."""

from pathlib import Path
from typing import Annotated

import typer


def crawl(directory: Annotated[Path, typer.Argument(metavar="DIR", help="A directory with a crawl.toml.")]) -> int:
    """Start the crawl in DIR, or go on with it where it stopped."""
    from exonym.cli.running import run_crawl
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    settings.check_live()
    return run_crawl(directory, settings)
