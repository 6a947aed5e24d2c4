"""The share of a text's words that are in names of a nation: all that link models ask of a matcher."""

from exonym.nations.matching import Matcher
from exonym.nations.tokens import folded

_REMEMBERED = 50_000  # texts, of some 300 bytes each


class NameShares(Matcher):
    """A matcher that counts only: where in a text names stand would take it a tenth longer."""

    def share(self, text: str) -> float:
        """As `find(text).share`, which tests compare with."""
        words = self._words(folded(text))
        runs = self._runs(words.cased, words.plain)
        if not runs:
            return 0.0
        counted, in_names = self._counts(words, runs)
        return in_names / counted


class RememberedShares(dict[str, float]):
    """The share of each text: names take longest of all that is read of a link, and sites repeat their texts."""

    def __init__(self, names: NameShares) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, text: str) -> float:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[text] = share = self._names.share(text)
        return share
