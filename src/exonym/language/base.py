"""The input and the answer of every language identifier."""

from dataclasses import dataclass, field
from typing import Protocol

from exonym.extract.document import Document

PARTLY = 0.1  # of the letters: a smaller share is a name, a quotation or a detector's mistake


@dataclass(frozen=True, slots=True)
class Clues:
    """Facts about a page besides its text."""

    language_tag: str = ""  # <html lang>, as written
    charset: str = ""  # by which its bytes were decoded, WHATWG name
    charset_label: str = ""  # as header or page claim, WHATWG name; it may be wrong
    title: str = ""
    is_frameset: bool = False
    html: str = field(default="", repr=False)  # for identifiers that read what others decode; "" if there is none


NO_CLUES = Clues()


def clues_of(page: Document) -> Clues:
    """The clues of a page that was read."""
    return Clues(page.language_tag, page.charset, page.charset_label, page.title, page.is_frameset, page.html)


@dataclass(frozen=True, slots=True)
class Identified:
    """The language of a text, which share of its letters is in which language, how sure, and why."""

    language: str  # its code as `language_names.language_of` gives it; "" unknown
    shares: dict[str, float]
    confidence: float  # 0 to 1
    evidence: tuple[str, ...]  # short phrases, the strongest first
    variant: str = ""  # of Chinese: Hans or Hant
    letters: dict[str, int] = field(default_factory=dict)  # by script, of the text or a sample of it


class Identifier(Protocol):
    """Identifies the language of a text."""

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text` (lines are blocks of a page)."""
        ...
