"""What a topic model is trained from: pages that somebody, or a rule, said are relevant or not."""

from typing import NamedTuple

from exonym.models.terms import Fields


class Example(NamedTuple):
    """A page and whether it is of the topic."""

    url: str
    site: str  # pages of one site are alike; validation keeps them together
    fields: Fields
    positive: bool
    language: str = ""
