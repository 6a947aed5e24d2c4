"""The process that `running` starts: one line of JSON in, one line of JSON out, then serve."""

import json
import sys
from dataclasses import asdict

from exonym.errors import ConfigError
from exonym.testing.practice.options import PracticeOptions
from exonym.testing.practice.serving import BoundTo, ServingOptions, serve
from exonym.testing.practice.web import PracticeWeb


def main() -> None:
    """Serve the web that standard input tells, until standard input ends."""
    pipe = sys.stdin.fileno()
    told = json.loads(_line(pipe))
    web = PracticeWeb(told["seed"], told["pages"], PracticeOptions(**told["options"]))
    try:
        serve(web, ServingOptions(**told["serving"]), _report, parent_pipe=pipe)
    except ConfigError as error:
        _tell({"error": str(error)})


def _line(pipe: int) -> bytes:
    # Unbuffered: a buffered reader could swallow the end of the pipe before the loop watches it.
    with open(pipe, "rb", buffering=0, closefd=False) as stream:
        return stream.readline()


def _report(bound: BoundTo) -> None:
    _tell(asdict(bound))


def _tell(told: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
