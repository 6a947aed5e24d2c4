"""Pages that people labelled."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exonym.errors import ExonymError, UrlError
from exonym.extract.document import Document
from exonym.language_names import known_language
from exonym.models.terms import Fields
from exonym.training.labels import Label, read_labels
from exonym.training.material.page_examples import (
    IN_ANOTHER_LANGUAGE,
    LeftOut,
    MaterialPage,
    MaterialReader,
    ReadPage,
    digest_of,
)
from exonym.urls import normal_form, site_of


class LabelsPiece(NamedTuple):
    """The labels of a file that are `positive`, or that are not."""

    path: Path
    positive: bool
    is_named: bool = True  # by a person; a file that is only in a named folder may be any JSON

    def read(self, reader: MaterialReader) -> Iterator[MaterialPage]:
        """The labelled pages."""
        try:
            labels = read_labels(self.path)
        except ExonymError:
            if self.is_named:
                raise
            yield LeftOut("JSON lines that are no labels")
            return
        yield from (_page(label, reader) for label in labels if label.positive == self.positive)


def _page(label: Label, reader: MaterialReader) -> MaterialPage:
    try:  # in normal form, as in crawls, so that copies of the page are recognised
        url = normal_form(label.url)
    except UrlError:
        url = label.url
    if not label.text.strip() and not label.title.strip():
        return ReadPage(url, "", Fields(), "", b"")
    page = reader.document(Document(url, label.title, label.text), site_of(url), label.anchors)
    language = known_language(label.language)
    if isinstance(page, LeftOut) and page.reason == IN_ANOTHER_LANGUAGE and language == reader.language:
        # Whoever labelled the page has seen more of it than the words in the file of labels.
        fields = label.example().fields
        return ReadPage(url, site_of(url), fields, language, digest_of(fields))
    return page
