"""List pages with the names on them and their date; those in files are read here."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from exonym.nations.dictionary.list_pages import LONGEST_PAGE, ListPage, read_list_page
from exonym.nations.dictionary.proposals import ProposalSource
from exonym.system.files import reading

NO_NAMES = "no links to articles in lists or tables"
_NO_LICENCE = "licence not stated"


class PageRead(NamedTuple):
    """The page in the file or article `name`: its names, or why there are none."""

    name: str
    page: ListPage
    date: str = ""
    why: str = ""

    def source(self) -> ProposalSource:
        """The source that a review sheet states for the page's names."""
        parts = (self.page.title or self.name, self.page.address or self.name, self.date)
        about = ", ".join(dict.fromkeys(filter(None, parts))).replace("; ", ", ")
        return ProposalSource(about, self.page.licence or _NO_LICENCE, self.page.names)


def saved_page(path: Path) -> PageRead:
    """The page in a file; its date is the file's."""
    with reading(path, "a page that you saved as HTML"), path.open("rb") as file:
        body, changed = file.read(LONGEST_PAGE), path.stat().st_mtime
    date = ""
    with suppress(ValueError, OverflowError):  # a file system may hold impossible times
        date = datetime.fromtimestamp(changed, UTC).date().isoformat()
    page = read_list_page(body)
    return PageRead(path.name, page, date, "" if page.names else NO_NAMES)
