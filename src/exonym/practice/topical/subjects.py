"""What a page is about (topic and country), and which pages are relevant to a target."""

from typing import NamedTuple, Protocol

from exonym.errors import ConfigError
from exonym.practice.topical.countries import THAILAND

TOURISM, ESTATE, DIVING, GENERAL = "tourism", "estate", "diving", "general"
LANGUAGE = "en"
# Diving is a kind of tourism: a page about diving is one about tourism too. None: any topic.
_TOPICS_OF_TARGET: dict[str, frozenset[str] | None] = {
    "thai-tourism": frozenset([TOURISM, DIVING]),
    "thai-estate": frozenset([ESTATE]),
    "thai-diving": frozenset([DIVING]),
    "thai": None,
}
TARGETS = tuple(_TOPICS_OF_TARGET)


class Subject(NamedTuple):
    """A topic, and the code of the country that a page is about ("": none)."""

    topic: str
    about: str


class PageTruth(NamedTuple):
    """The truth about a page, whatever a judge says; all "" for a page without text or that nobody may fetch."""

    topic: str
    about: str
    language: str


NO_TRUTH = PageTruth("", "", "")


class _Known(Protocol):
    @property
    def topic(self) -> str: ...
    @property
    def about(self) -> str: ...
    @property
    def language(self) -> str: ...


def relevant_to(page: _Known, target: str) -> bool:
    """Whether a page (or its `PageTruth`) is relevant to a crawl for `target`: as in the thesis, in English only."""
    check_target(target)
    topics = _TOPICS_OF_TARGET[target]
    return page.language == LANGUAGE and page.about == THAILAND and (topics is None or page.topic in topics)


def check_target(target: str) -> None:
    """Raise ConfigError if there is no such target."""
    if target not in _TOPICS_OF_TARGET:
        raise ConfigError(f"the target must be one of {', '.join(TARGETS)}, got {target!r}.")
