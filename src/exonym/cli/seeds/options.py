"""The options that all `exonym seeds` commands share; a command receives them as one `SeedsRequest`."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from exonym.cli.options import AllowPrivate, AsJson, Force, Operator, number, output
from exonym.cli.seeds.writing import SeedsRequest

_IDLE_LANGUAGE = "The language that --check looks for: th or Thai."

SeedsCommand = Callable[..., None]


def _options(
    *,
    output: Annotated[Path, output("SEEDS", "The seeds file to write.")] = Path("seeds.txt"),
    domain: Annotated[
        list[str] | None,
        typer.Option("--domain", metavar="DOMAIN", help="Only this top-level domain; may be given again."),
    ] = None,
    one_per_server: Annotated[
        bool, typer.Option("--one-per-server", help="Only one address of each server, the shortest.")
    ] = False,
    sample: Annotated[int, typer.Option(min=0, metavar="N", help="A random sample of N; 0 is all.")] = 0,
    seed: Annotated[int, number("random-seed", "Another number draws another sample.", 0, 2**63)] = 0,
    check: Annotated[
        bool, typer.Option("--check", help="Fetch each seed; keep those whose page is in the language.")
    ] = False,
    operator: Operator = "",
    allow_private: AllowPrivate = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Never called: its signature is what the commands share."""


_SHARED = inspect.signature(_options).parameters


def writes_seeds(language: str = "") -> Callable[[SeedsCommand], SeedsCommand]:
    """Give a command the shared options, as one `SeedsRequest` before its own; `language` is the help of --language.

    Without it, --language is for --check alone, and refused without that.
    """

    def with_options(command: SeedsCommand) -> SeedsCommand:
        @wraps(command)
        def run(**given: Any) -> None:
            shared = {name: given.pop(name) for name in ("language", *_SHARED)}
            shared["domains"] = tuple(shared.pop("domain") or ())
            request = SeedsRequest(**shared).verified()
            if not language:
                request.refuse_idle_language()
            command(request, **given)

        own = list(inspect.signature(command).parameters.values())[1:]
        _sign(run, [*own, _language_parameter(language or _IDLE_LANGUAGE), *_SHARED.values()], command)
        return run

    return with_options


def _language_parameter(help: str) -> inspect.Parameter:
    kind = Annotated[str, typer.Option("--language", metavar="LANGUAGE", help=help)]
    return inspect.Parameter("language", inspect.Parameter.KEYWORD_ONLY, default="", annotation=kind)


def _sign(run: SeedsCommand, parameters: list[inspect.Parameter], command: SeedsCommand) -> None:
    """Let Typer, which reads signatures and annotations, see these parameters."""
    hints = get_type_hints(command, include_extras=True)
    keywords = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints.get(one.name, one.annotation))
        for one in parameters
    ]
    run.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in keywords}
