"""Gathers examples from all sources: each page once, none in both classes; counts what was left out, and why."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from exonym.errors import ConfigError
from exonym.progress import Progress, no_progress
from exonym.training.examples import Example
from exonym.training.material.material_sources import MaterialKind, MaterialSource, source_of
from exonym.training.material.page_examples import IN_ANOTHER_LANGUAGE, LeftOut, ReadPage
from exonym.training.material.pieces import Piece, pieces_of, read_pieces

COPY = "exact copy of another page"
SAME_URL = "another page of the same URL"
BOTH = "in both classes"
LABELLED = "labelled by a person, whose word counts"
WORDLESS = "label of a page whose words are nowhere"
_MOST_SHOWN = 10  # pages that are in both classes


@dataclass(frozen=True, slots=True)
class MaterialRequest:
    """The sources of examples."""

    positive: tuple[str, ...] = ()
    negative: tuple[str, ...] = ()
    labels: tuple[Path, ...] = ()
    language: str = "en"  # pages in other languages are left out; "": no page is
    jobs: int = 0


class SourceCount(NamedTuple):
    """How many pages came from a source, before copies were left out."""

    name: str
    positive: bool
    pages: int


@dataclass(frozen=True, slots=True)
class GatheredExamples:
    """Examples, and what was left out."""

    examples: list[Example]
    sources: list[SourceCount]
    left_out: dict[str, int]  # by reason, the most frequent first
    other_languages: dict[str, int]  # pages left out for their language
    contradictory: list[str]  # some of the pages that were in both classes
    warnings: tuple[str, ...] = ()  # of files that are damaged or have nothing in them, with the place

    @property
    def sites(self) -> int:
        """How many sites the examples come from."""
        return len({example.site for example in self.examples})

    def document(self) -> dict[str, Any]:
        """What models were trained from, as plain data. Scripts rely on these names; more may be added, none may go."""
        classes = {
            "positive": [example for example in self.examples if example.positive],
            "negative": [example for example in self.examples if not example.positive],
        }
        return {
            "pages": {name: len(examples) for name, examples in classes.items()},
            "sites": {name: len({example.site for example in examples}) for name, examples in classes.items()},
            "sources": [source._asdict() for source in self.sources],
            "left_out": self.left_out,
            "other_languages": self.other_languages,
            "in_both_classes": self.contradictory,
            "warnings": list(self.warnings),
        }


def gather(request: MaterialRequest, progress: Progress = no_progress) -> GatheredExamples:
    """Read all sources that `request` names; ConfigError if they have no page of one of the classes."""
    sources = _sources(request)
    pieces = [
        piece for number, (source, positive) in enumerate(sources) for piece in pieces_of(source, number, positive)
    ]
    collected, counts = _Examples(), Counter[int]()
    for piece, read in read_pieces(pieces, request.language, request.jobs, progress):
        counts[piece.source] += sum(bool(page.digest) for page in read.pages)
        collected.left_out.update(read.left_out)
        collected.add(piece, read.pages, is_labelled=sources[piece.source][0].kind == MaterialKind.LABELS)
    source_counts = [SourceCount(source.name, positive, counts[n]) for n, (source, positive) in enumerate(sources)]
    material = collected.gathered(source_counts)
    _check_both_classes(material)
    return material


def _sources(request: MaterialRequest) -> list[tuple[MaterialSource, bool]]:
    """Every source with its class; labels first, since they take precedence over the class of other sources."""
    for path in request.labels:
        if not path.is_file():
            raise ConfigError(f"{path} is no file of labels. Name a .jsonl file, as written by exonym label.")
    labels = [MaterialSource(str(path), path, MaterialKind.LABELS) for path in request.labels]
    sources = [(label, positive) for label in labels for positive in (True, False)]
    sources += [(source_of(name), True) for name in request.positive]
    sources += [(source_of(name), False) for name in request.negative]
    if not sources:
        raise ConfigError("there is nothing to learn from. Name pages with --positive and --negative, or --labels.")
    return sources


def _check_both_classes(material: GatheredExamples) -> None:
    for positive, option in ((True, "--positive"), (False, "--negative")):
        if not any(example.positive == positive for example in material.examples):
            why = ", ".join(f"{count:,} × {reason}" for reason, count in list(material.left_out.items())[:4])
            which = "of the topic" if positive else "of other things"
            advice = f"Name more with {option}"
            if IN_ANOTHER_LANGUAGE in material.left_out:
                advice += ", name their language with --language, or add --any-language"
            raise ConfigError(f"there is no page {which} to learn from{f'; left out: {why}' if why else ''}. {advice}.")


class _Examples:
    """The examples so far; copies are recognised by URL and by digest."""

    def __init__(self) -> None:
        self.left_out: Counter[LeftOut] = Counter()
        self._examples: list[Example | None] = []
        self._labelled: set[str] = set()
        self._wordless: dict[str, bool] = {}  # the labels of pages whose words are not in the file of labels
        self._completed: set[str] = set()  # those of these pages whose words another source has
        self._by_url: dict[str, int] = {}
        self._by_digest: dict[bytes, int] = {}
        self._is_positive: list[bool] = []
        self._contradictory: list[str] = []

    def add(self, piece: Piece, pages: list[ReadPage], is_labelled: bool) -> None:
        """Add the pages of a piece."""
        for page in pages:
            if not page.digest:
                self._wordless[page.url] = piece.positive
            elif is_labelled:
                self._labelled.add(page.url)
                self._add(page, piece.positive)
            elif page.url in self._labelled:
                self.left_out[LeftOut(LABELLED)] += 1
            elif page.url in self._wordless:  # a person's label counts more than the class of the source
                self._completed.add(page.url)
                self._add(page, self._wordless[page.url])
            else:
                self._add(page, piece.positive)

    def _add(self, page: ReadPage, positive: bool) -> None:
        twin = self._by_url.get(page.url, self._by_digest.get(page.digest))
        if twin is None:
            self._by_url[page.url] = self._by_digest[page.digest] = len(self._examples)
            self._examples.append(Example(page.url, page.site, page.fields, positive, page.language))
            self._is_positive.append(positive)
            return
        if self._is_positive[twin] == positive:
            self.left_out[LeftOut(SAME_URL if page.url in self._by_url else COPY)] += 1
            return
        example = self._examples[twin]
        if example and example.url in self._labelled and page.url not in self._labelled:
            self.left_out[LeftOut(LABELLED)] += 1
            return
        # A page in both classes is dropped, and so is its twin: nothing can be learned from them.
        self.left_out[LeftOut(BOTH)] += 1 if example is None else 2
        self._examples[twin] = None
        if len(self._contradictory) < _MOST_SHOWN:
            self._contradictory.append(page.url)

    def gathered(self, sources: list[SourceCount]) -> GatheredExamples:
        """The examples that are left, and counts of what is not."""
        reasons: Counter[str] = Counter()
        if missing := len(self._wordless) - len(self._completed):
            reasons[WORDLESS] = missing
        languages: Counter[str] = Counter()
        for left_out, count in self.left_out.items():
            reasons[left_out.reason] += count
            if left_out.reason == IN_ANOTHER_LANGUAGE:
                languages[left_out.language] += count
        examples = [example for example in self._examples if example is not None]
        return GatheredExamples(
            examples,
            sources,
            dict(reasons.most_common()),
            dict(languages.most_common()),
            self._contradictory,
            tuple(left_out.warning for left_out in self.left_out if left_out.warning),
        )
