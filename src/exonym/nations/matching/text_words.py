"""The words of a text as matchers read them, with the runs of unspaced scripts cut at the names in them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from exonym.nations.matching.tokens import Span, is_unspaced
from exonym.nations.matching.unspaced import UnspacedNames, is_hangul, words_in

# Replaces the text between names in a run: a small letter that folding never leaves, so no name has it.
_REST = "ª"
_FIRST = "\u0e00"  # of all letters in unspaced scripts
_Any = TypeVar("_Any")
_UNCUT: Mapping[int, list[int]] = MappingProxyType({})


class Words(NamedTuple):
    """Words as written ([] if not needed) and without case; the weight of each, if not all weigh 1."""

    cased: list[str]
    plain: list[str]
    weights: list[int] | None = None
    cuts: Mapping[int, list[int]] = _UNCUT  # where a word's pieces end, by its number in `uncut`
    before: list[str] | None = None  # `plain` before any word was cut; None if none was

    @property
    def uncut(self) -> list[str]:
        """The words without case before any was cut."""
        return self.plain if self.before is None else self.before

    def weight(self, first: int, end: int) -> int:
        """How many words those from `first` to before `end` count for."""
        return end - first if self.weights is None else sum(self.weights[first:end])


class _Piece(NamedTuple):
    plain: str
    end: int
    weight: int


def cut(words: Words, names: UnspacedNames) -> Words:
    """The words with every run that has names in it cut into names and the text between them."""
    cased, plain, weights = list(words.cased), words.plain, [1] * len(words.plain)
    numbers = [number for number, word in enumerate(plain) if word >= _FIRST and is_unspaced(word)]
    for number in numbers:
        weights[number] = words_in(plain[number])
        if cased:  # such scripts have no capitals: they count as written in small letters
            cased[number] = _REST
    spans = names.spans_in([plain[number] for number in numbers])
    pieces = {numbers[which]: _pieces(plain[numbers[which]], found) for which, found in spans.items()}
    if not pieces:
        return Words(cased, plain, weights)
    return Words(
        _with_pieces(cased, {number: [_REST] * len(found) for number, found in pieces.items()}) if cased else [],
        _with_pieces(plain, {number: [piece.plain for piece in found] for number, found in pieces.items()}),
        _with_pieces(weights, {number: [piece.weight for piece in found] for number, found in pieces.items()}),
        {number: [piece.end for piece in found] for number, found in pieces.items()},
        plain,
    )


def _with_pieces(given: list[_Any], pieces: Mapping[int, list[_Any]]) -> list[_Any]:
    """A list with its items at some places replaced by several each."""
    replaced: list[_Any] = []
    last = 0
    for number, found in pieces.items():
        replaced += given[last:number]
        replaced += found
        last = number + 1
    return replaced + given[last:]


def _pieces(run: str, spans: Iterable[Span]) -> list[_Piece]:
    """A run as names and the text between them."""
    pieces: list[_Piece] = []
    last = 0
    for start, end in spans:
        if last < start:
            pieces.append(_rest(run[last:start], start))
        pieces.append(_Piece(run[start:end], end, words_in(run[start:end])))
        last = end
    return [*pieces, _rest(run[last:], len(run))] if last < len(run) else pieces


def _rest(text: str, end: int) -> _Piece:
    """Text between names. Behind a name in Hangul it is a particle, which does not count as a word."""
    return _Piece(_REST, end, 0 if is_hangul(text) else words_in(text))
