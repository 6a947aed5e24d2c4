"""The journal: one row per visit, for reports, for learning again after a kill, for the archive's users."""

from exonym.journal.journal import Journal
from exonym.journal.row import JournalRow

__all__ = ["Journal", "JournalRow"]
