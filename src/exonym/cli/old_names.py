"""Names that commands, options and profiles had in 0.1.0: they work for one more version, with a note of the new name.

The next version drops this module and its one call in `program.main`.
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

_RANDOM_SEED = {"--seed": "--random-seed"}
_RELEVANCE = {
    "--about": "--about-nation",
    "--target": "--relevance",
    "--hearsay": "--inherit-language",
    "--no-hearsay": "--no-inherit-language",
}

OPTIONS: dict[tuple[str, ...], dict[str, str]] = {
    ("new",): {"--pages": "--max-pages"},
    ("demo",): {"--pages": "--size", **_RANDOM_SEED},
    ("label",): _RANDOM_SEED,
    ("audit",): {"--size": "--sample", **_RANDOM_SEED},
    ("identify", "language"): {"--target": "--prefer"},
    ("identify",): {"--target": "--prefer"},
    ("seeds", "wikidata"): {"--kind": "--class", **_RANDOM_SEED},
    ("seeds", "commoncrawl"): {"--pages": "--max-index-pages", **_RANDOM_SEED},
    ("seeds",): _RANDOM_SEED,
    ("nation", "collect"): {"--kind": "--name-kind"},
    ("model", "topic", "train"): {"--model": "--kind", **_RANDOM_SEED},
    ("model", "about", "train"): _RANDOM_SEED,
    ("model", "links", "train"): {
        "--model": "--kind",
        "--judge": "--relevance",
        "--target": "--relevance",
        "--seeds": "--start-pages",
        **_RANDOM_SEED,
    },
    ("model", "links", "tune"): {
        "--seeds": "--start-pages",
        "--crawl-seeds": "--crawl-start-pages",
        "--budget": "--max-pages",
        **_RANDOM_SEED,
    },
    ("model", "language", "evaluate"): {"--target": "--language"},
    ("graph", "import"): _RELEVANCE,
    ("graph", "judge"): _RELEVANCE,
    ("graph", "generate"): {"--pages": "--size", **_RANDOM_SEED},
    ("simulate",): {"--budget": "--max-pages", "--judge-seed": "--judge-random-seed"},
    ("experiment", "lswc2006"): {"--pages": "--size", **_RANDOM_SEED},
    ("experiment", "cjk2010"): _RANDOM_SEED,
    ("experiment", "tflswc2014"): {
        "--pages": "--size",
        "--train-seed": "--train-random-seed",
        "--train-pages": "--train-size",
        "--budget": "--max-pages",
        "--topics": "--only",
        **_RANDOM_SEED,
    },
    ("practice-web",): {"--pages": "--size", "--target": "--profile", **_RANDOM_SEED},
}
# What an option takes, by command and option.
VALUES: dict[tuple[str, ...], dict[str, dict[str, str]]] = {
    ("graph", "generate"): {"--profile": {"thai2009": "thai2006"}},
}
_TERM_KINDS = ("auto", "words", "characters")  # what `--kind` took where it now takes a kind of model


def in_new_names(arguments: Sequence[str]) -> list[str]:
    """The same command line with new names; prints each new name on the standard error."""
    flags = next((at for at, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    first, rest = list(arguments[:flags]), list(arguments[flags:])
    for old, new in COMMANDS.items():
        if tuple(rest[: len(old)]) == old:
            rest = [*new, *rest[len(old) :]]
            _say(f"exonym {' '.join(old)}", f"exonym {' '.join(new)}")
            break
    options = next((OPTIONS[words] for words in OPTIONS if tuple(rest[: len(words)]) == words), {})
    values = next((VALUES[words] for words in VALUES if tuple(rest[: len(words)]) == words), {})
    end = rest.index("--") if "--" in rest else len(rest)
    return [*first, *_in_new_values(_in_new_options(rest[:end], options), values), *rest[end:]]


def _in_new_options(words: list[str], options: dict[str, str]) -> list[str]:
    for at, word in enumerate(words):
        old, equals, value = word.partition("=")
        new = options.get(old, old)
        if words[:3] == ["model", "topic", "train"] and old == "--kind":
            taken = value if equals else "".join(words[at + 1 : at + 2])
            new = "--term-kind" if taken in _TERM_KINDS else new
        if new != old:
            words = [*words[:at], f"{new}{equals}{value}", *words[at + 1 :]]
            _say(old, new)
    return words


def _in_new_values(words: list[str], values: dict[str, dict[str, str]]) -> list[str]:
    found = list[str]()
    for at, word in enumerate(words):
        option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
        taken_by = option if equals else "".join(words[at - 1 : at])
        new = values.get(taken_by, {}).get(value, value)
        if new != value:
            _say(f"{taken_by} {value}", f"{taken_by} {new}")
        found.append(f"{option}{equals}{new}")
    return found


def _say(old: str, new: str) -> None:
    print(f"exonym: `{old}` is now `{new}`; the old name goes with the next version.", file=sys.stderr)
