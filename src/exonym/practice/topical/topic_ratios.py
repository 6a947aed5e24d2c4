"""How directories of each topic link to others, and how often URLs and anchors name places (topic_ratios.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from exonym.practice.topical.countries import THAILAND
from exonym.practice.topical.subjects import DIVING, ESTATE, TOURISM, Subject

_OTHERS = "others"


@dataclass(frozen=True, slots=True)
class TopicRatios:
    """The shares of one kind of directory; topic_ratios.toml explains them."""

    links: dict[str, int]
    popular: int
    reached_inside: int
    straying: tuple[int, ...]
    directory_names: int
    file_names: int
    anchors_from_titles: int


_RATIOS = msgspec.convert(
    tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")), dict[str, TopicRatios]
)


def is_sought(subject: Subject) -> bool:
    """Whether a crawl may look for a directory: Thai tourism, estate or diving."""
    return subject.about == THAILAND and subject.topic in (TOURISM, ESTATE, DIVING)


def ratios_of(subject: Subject) -> TopicRatios:
    """The shares of directories with a subject."""
    return _RATIOS[subject.topic if is_sought(subject) else _OTHERS]
