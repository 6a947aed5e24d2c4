"""The journal: one row per visit, for reports, for learning again after a kill, for users of the archive.

`row` is a row and its bytes, `parts` the sealed Parquet files, `journal` both together. A crawl that runs writes it
through `crawl_directory.writing`; everything else reads it through `crawl_directory.reading`.
"""

from exonym.journal.journal import Journal
from exonym.journal.row import JournalRow

__all__ = ["Journal", "JournalRow"]
