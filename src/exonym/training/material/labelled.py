"""Pages that people labelled."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ExonymError, UrlError
from exonym.extract.document import Document
from exonym.language_names import known_language
from exonym.training.labels import Label, read_labels
from exonym.training.material.pages import (
    IN_ANOTHER_LANGUAGE,
    LeftOut,
    MaterialPage,
    MaterialReader,
    ReadPage,
    digest_of,
    wordless,
)
from exonym.urls import normal_form, site_of


class LabelsPiece(NamedTuple):
    """The labels of a file that are `positive`, or that are not."""

    path: Path
    positive: bool
    is_named: bool = True  # by a person; else it was found in a folder and may be any JSON


def read_labelled(piece: LabelsPiece, reader: MaterialReader) -> Iterator[MaterialPage]:
    """The labelled pages of a piece."""
    try:
        labels = read_labels(piece.path)
    except ExonymError:
        if piece.is_named:
            raise
        yield LeftOut("JSON lines that are no labels")
        return
    for label in labels:
        if label.positive == piece.positive:
            yield _page(label, reader)


def _page(label: Label, reader: MaterialReader) -> MaterialPage:
    try:  # spelled as in crawls, so that the same page is found there
        url = normal_form(label.url)
    except UrlError:
        url = label.url
    if not label.text.strip() and not label.title.strip():
        return wordless(url)
    document = Document(url, label.title, label.text)
    found = reader.document(document, site_of(url), label.anchors)
    language = known_language(label.language)
    if isinstance(found, LeftOut) and found.reason == IN_ANOTHER_LANGUAGE and language == reader.language:
        # Whoever labelled it has seen more of the page than the words that were kept.
        fields = label.example().fields
        return ReadPage(url, site_of(url), fields, language, digest_of(fields))
    return found
