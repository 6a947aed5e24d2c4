"""List pages that a person names, from files or from a wiki: what is on them, and when it was so."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from exonym.nations.dictionary.list_pages import LONGEST_PAGE, ListPage, read_list_page
from exonym.nations.dictionary.proposals import ProposalSource
from exonym.nations.dictionary.wiki import article_address
from exonym.system.files import reading

_NO_NAMES = "no links to articles in lists or tables"
_NO_LICENCE = "licence not stated"


class PageRead(NamedTuple):
    """A page that was asked for by `name`, a file's or an article's, with its names, or why there are none."""

    name: str
    page: ListPage
    date: str = ""
    why: str = ""

    def source(self) -> ProposalSource:
        """What is told of where its names are from."""
        parts = (self.page.title or self.name, self.page.address or self.name, self.date)
        about = ", ".join(dict.fromkeys(filter(None, parts))).replace("; ", ", ")
        return ProposalSource(about, self.page.licence or _NO_LICENCE, self.page.names)


def saved_page(path: Path) -> PageRead:
    """The page in a file; its date is the file's."""
    with reading(path, "a page that you saved as HTML"), path.open("rb") as file:
        body, changed = file.read(LONGEST_PAGE), path.stat().st_mtime
    date = ""
    with suppress(ValueError, OverflowError):  # of a file from no year that there is
        date = datetime.fromtimestamp(changed, UTC).date().isoformat()
    return _with_reason(PageRead(path.name, read_list_page(body), date))


def fetched_page(title: str, wiki: str, fetch: Callable[[str], bytes | str]) -> PageRead:
    """The article of a wiki; `fetch` returns what is at an address, or a text: why there is nothing."""
    address = article_address(wiki, title)
    content = fetch(address)
    if isinstance(content, str):
        return PageRead(title, ListPage("", address, "", []), why=content)
    return _with_reason(PageRead(title, read_list_page(content, address), datetime.now(UTC).date().isoformat()))


def _with_reason(read: PageRead) -> PageRead:
    return read if read.page.names else read._replace(why=_NO_NAMES)
