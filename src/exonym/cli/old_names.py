"""Names that commands and options had in 0.1.0: understood for one more version, with a line that says the new name.

This module and its one call in `program.main` go with the next version.
"""

import sys
from collections.abc import Sequence

COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("names",): ("identify", "names"),
    ("country",): ("identify", "country"),
    ("names-evaluate",): ("nation", "evaluate"),
    ("nation", "names"): ("nation", "collect"),
    ("train", "topic"): ("model", "topic", "train"),
    ("train", "about"): ("model", "about", "train"),
    ("train", "segments"): ("model", "links", "train"),
    ("train",): ("model",),
    ("tune", "threshold"): ("model", "links", "tune"),
    ("tune",): ("model", "links"),
    ("topic",): ("model", "topic"),
    ("segments", "read"): ("model", "links", "judge"),
    ("segments",): ("model", "links"),
    ("table", "build"): ("model", "table", "train"),
    ("table",): ("model", "table"),
    ("language",): ("model", "language"),
}


def in_new_names(arguments: Sequence[str]) -> list[str]:
    """The same command line in names of today; says each new name on the standard error."""
    flags = next((at for at, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    first, rest = list(arguments[:flags]), list(arguments[flags:])
    for old, new in COMMANDS.items():
        if tuple(rest[: len(old)]) == old:
            rest = [*new, *rest[len(old) :]]
            _say(f"exonym {' '.join(old)}", f"exonym {' '.join(new)}")
            break
    return [*first, *rest]


def _say(old: str, new: str) -> None:
    print(f"exonym: `{old}` is now `{new}`; the old name goes with the next version.", file=sys.stderr)
