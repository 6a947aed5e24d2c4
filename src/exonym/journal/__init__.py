"""The journal: one row per visit, for reports, for learning again after a kill, for the archive's users."""

from exonym.journal.journal import Journal
from exonym.journal.row import Row

__all__ = ["Journal", "Row"]
