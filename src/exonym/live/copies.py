"""Copies: pages that repeat, word for word, a page fetched before; and what they say of their servers."""

from collections.abc import Callable

from exonym.archive.exchange import ArchivePlace
from exonym.crawl_directory.aliases import Aliases
from exonym.journal import JournalRow
from exonym.urls import id_of


def compare(row: JournalRow, place: ArchivePlace, aliases: Aliases, is_visited: Callable[[int], bool]) -> None:
    """Note in its row whether a page is a copy, and in `aliases` what that says of its server.

    A copy was found before, so it is not relevant, whatever the judge said of it. `is_visited` says of the id of a URL
    whether the URL was visited.
    """
    if place.original is not None:
        row.copy, row.relevant = True, False
        row.why = f"copy of {place.original.url}; {row.why}"
        aliases.see_copy(row.url, place.original.url, place.digest)
    elif place.is_original:
        aliases.see_page(row.url, lambda url: is_visited(id_of(url)))
