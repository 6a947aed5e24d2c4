"""Copies: pages that repeat, word for word, a page fetched before; and what they say of their servers."""

from exonym.archive.exchange import ArchivePlace, Original
from exonym.crawl_directory.crawl_writer import CrawlWriter
from exonym.frontier.disk import DiskFrontier
from exonym.journal import JournalRow
from exonym.urls import bare_server_of, id_of


def compare(
    row: JournalRow, digest: bytes, place: ArchivePlace, address: str, writer: CrawlWriter, frontier: DiskFrontier
) -> bool:
    """Note in its row whether a page is a copy, and in the aliases what that says of its server.

    Returns whether its own server, with or without `www.`, has sent the same page before.

    A copy was found before, so it is not relevant, whatever the judge said of it. Pages with too little text for a
    `digest` are compared by their bytes.
    """
    server, this = bare_server_of(row.url), Original(row.url, row.when, address)
    original = (writer.texts.find(digest) if digest else None) or place.original
    if original is not None:
        row.copy, row.relevant = True, False
        row.why = f"copy of {original.url}; {row.why}"
        writer.aliases.see_copy(row.url, original, digest or place.digest, address)
        if bare_server_of(original.url) == server:
            return True
        content_of_server = (digest or place.digest) + id_of(server).to_bytes(8)
        is_known = writer.texts.find(content_of_server) is not None
        writer.texts.add(content_of_server, this)
        return is_known
    if digest and not row.truncated:
        writer.texts.add(digest, this)
    if digest or place.is_original:
        writer.aliases.see_page(row.url, lambda url: frontier.is_visited(id_of(url)))
    return False
