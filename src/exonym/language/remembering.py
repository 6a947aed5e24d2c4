"""An identifier for several judges of one page: the second to ask is told what the first was."""

from exonym.language.base import NO_CLUES, Clues, Identified, Identifier


class Remembering:
    """Asks another identifier, and remembers its last answer."""

    def __init__(self, identifier: Identifier) -> None:
        self._identifier = identifier
        self._asked: tuple[str, Clues] | None = None
        self._answer: Identified | None = None

    def identify(self, text: str, clues: Clues = NO_CLUES) -> Identified:
        """The language of `text`, worked out once."""
        if self._answer is None or self._asked != (text, clues):
            self._answer = self._identifier.identify(text, clues)
            self._asked = text, clues
        return self._answer
