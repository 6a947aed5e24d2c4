"""What a topic model is trained from: pages that somebody, or a rule, said are relevant or not."""

from collections.abc import Callable
from typing import NamedTuple

from exonym.models.terms import Fields

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much


class Example(NamedTuple):
    """A page and whether it is of the topic."""

    url: str
    site: str  # pages of one site are alike; validation keeps them together
    fields: Fields
    positive: bool
    language: str = ""


def no_progress(what: str, done: int, total: int) -> None:
    """For callers that show nothing."""
