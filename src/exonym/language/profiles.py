"""Profiles of languages: which n-grams are frequent in each. Trained from text, stored in one file.

The file is JSON with one profile a line, its n-grams separated by blanks: nothing in it can run, people can read it,
and the same texts give the same bytes.
"""

import json
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from exonym.errors import ConfigError, ModelError
from exonym.language.ngrams import LONGEST, letters_of, ranked_ngrams
from exonym.system.files import disk_errors, replacing

LENGTH = 400  # n-grams of a profile, as in libTextCat, which the papers used
FEWEST_LETTERS = 1_000  # to train from; the papers call 20 kB enough
MOST_CHARACTERS = 2_000_000  # to train from: more changes no ranking

_FORMAT, _VERSION = "exonym-ngram-profiles", 1
_SHIPPED = f"profiles-{_VERSION}.json"
_TAG = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class LanguageProfile:
    """The n-grams of a language, most frequent first. A language may have several, as zh-Hans and zh-Hant."""

    tag: str
    ngrams: tuple[str, ...]

    @property
    def language(self) -> str:
        """The language's code: the tag without script and country."""
        return self.tag.partition("-")[0]


@dataclass(frozen=True, slots=True)
class ProfileSet:
    """Profiles of several languages and the names of the sources of their training texts."""

    profiles: tuple[LanguageProfile, ...]
    sources: tuple[str, ...] = ()


def count_letters(text: str) -> int:
    """How many letters of `text` count for its profile."""
    return int(np.count_nonzero(letters_of(text, MOST_CHARACTERS)))


def train(tag: str, text: str) -> LanguageProfile:
    """The profile of the language `tag`, of which `text` is a sample."""
    if not _TAG.fullmatch(tag):
        raise ConfigError(f"{tag[:60]!r} is no language code. Write it as in th or zh-Hant.")
    letters = letters_of(text, MOST_CHARACTERS)
    count = int(np.count_nonzero(letters))
    if count < FEWEST_LETTERS:
        raise ConfigError(f"{tag}: {count:,} letters are too few to train from. Give {FEWEST_LETTERS:,} or more.")
    return LanguageProfile(tag, tuple(ranked_ngrams(letters, LENGTH)))


def shipped_profiles() -> ProfileSet:
    """The profiles that come with Exonym."""
    with resources.as_file(resources.files(__package__ or "exonym.language").joinpath(_SHIPPED)) as path:
        return load_profiles(path)


def save_profiles(path: Path, profiles: ProfileSet) -> None:
    """Write a profiles file atomically."""
    data = serialised(profiles)
    with disk_errors(path), replacing(path) as draft:
        draft.write_bytes(data)


def serialised(profiles: ProfileSet) -> bytes:
    """The bytes of a profiles file: the same for the same profiles, in whatever order they come."""
    ordered = sorted(profiles.profiles, key=lambda profile: profile.tag)
    head = {"format": _FORMAT, "version": _VERSION, "length": LENGTH, "sources": list(profiles.sources)}
    facts = ",\n".join(f"{_json(key)}: {_json(value)}" for key, value in head.items())
    lines = ",\n".join(f"{_json(profile.tag)}: {_json(' '.join(profile.ngrams))}" for profile in ordered)
    return f'{{\n{facts},\n"profiles": {{\n{lines}\n}}\n}}\n'.encode()


def load_profiles(path: Path) -> ProfileSet:
    """What `save_profiles` wrote; raises ModelError for anything else."""
    with disk_errors(path):
        data = path.read_bytes()
    try:
        return _profiles_in(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = str(error) if type(error) is _DamageError else "it is cut short or not of this format"
        raise ModelError(
            f"{path} is no profiles file: {why}. Make it anew: exonym model language train -o {path} FILE…"
        ) from None


class _DamageError(ValueError):
    """What is wrong with a profiles file, in words for its user."""


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _profiles_in(document: dict[str, Any]) -> ProfileSet:
    if document["format"] != _FORMAT:
        raise _DamageError("another program's")
    if document["version"] != _VERSION:
        raise _DamageError(f"its version is {str(document['version'])[:20]}, this Exonym reads {_VERSION}")
    profiles = []
    for tag, text in document["profiles"].items():
        ngrams = tuple(text.split(" "))
        is_sound = all(1 <= len(ngram) <= LONGEST for ngram in ngrams) and len(set(ngrams)) == len(ngrams) <= LENGTH
        if not _TAG.fullmatch(tag) or not is_sound:
            raise _DamageError(f"the profile of {tag[:20]!r} is damaged")
        profiles.append(LanguageProfile(tag, ngrams))
    if not profiles:
        raise _DamageError("it has no profile in it")
    return ProfileSet(tuple(profiles), tuple(map(str, document["sources"])))
