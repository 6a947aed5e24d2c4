"""The countries that pages are about (countries.toml): names of places, sights and dishes, and some words."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from exonym.practice.web_languages import word_list

THAILAND = "th"


@dataclass(frozen=True, slots=True)
class PracticeCountry:
    """A country's own name first among its names; `flavours` are ordinary words that its pages use more."""

    domain: str
    names: tuple[str, ...]
    flavours: tuple[str, ...]


# By code; "" has what pages about no country use instead.
COUNTRIES = {
    code: PracticeCountry(entry["domain"], word_list(entry["names"]), word_list(entry["flavours"]))
    for code, entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}
CODES = tuple(filter(None, COUNTRIES))
