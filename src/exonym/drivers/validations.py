"""Models validated in several ways, one after the other, and what their provenance says of it."""

import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from exonym.learning.examples import Progress
from exonym.learning.options import TrainOptions
from exonym.learning.training import validation_figures
from exonym.learning.validation import Validation
from exonym.segments.options import LinkTrainOptions

Options = TypeVar("Options", TrainOptions, LinkTrainOptions)


def ways(options: Options, kinds: Iterable[Any], by_site_too: bool) -> Iterator[Options]:
    """How models are validated: the kind that `options` has first, and by site first."""
    for kind in sorted(kinds, key=lambda kind: kind != options.kind):
        for by_site in (True, False) if by_site_too else (False,):
            yield replace(options, kind=kind, by_site=by_site)


def validated_in(
    asked: Iterable[Options], validate: Callable[[Options, Progress], Validation], progress: Progress
) -> tuple[Validation, ...]:
    """Each way once; where sites cannot be held out, plain folds come in their place."""
    done: dict[tuple[str, bool], Validation] = {}
    for options in asked:
        if (options.kind, options.by_site) not in done:
            found = validate(options, _named(options, progress))
            done[found.kind, found.by_site] = found
    return tuple(done.values())


def _named(options: TrainOptions | LinkTrainOptions, progress: Progress) -> Progress:
    """Says which of several validations is being done."""
    way = f"{options.kind}, {'by site' if options.by_site else 'plain folds'}"
    return lambda what, done, total: progress(f"{what} ({way})", done, total)


def leak_of(validations: Iterable[Validation], kind: str) -> float | None:
    """How much better plain folds make models of a kind look than folds by site; None if not compared."""
    own = {one.by_site: one.g_mean for one in validations if one.kind == kind}
    return own[False] - own[True] if len(own) == 2 else None


def figures_of(validations: Iterable[Validation]) -> list[dict[str, Any]]:
    """For the provenance of a model."""
    return [{"kind": one.kind, **validation_figures(one)} for one in validations]


def made_now(command: str) -> dict[str, Any]:
    """When, by which command and on what Python a model was made."""
    return {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": storable(command),
        "python": platform.python_version(),
    }


def storable(text: str) -> str:
    """A text as files can hold it: names of files, and what is typed, may be bytes that are no text."""
    return text.encode("utf-8", "replace").decode()
