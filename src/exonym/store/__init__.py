"""The state of a crawl on disk: one LMDB environment for frontier, journal and facts."""

from exonym.store.tables import Store, Table, Transaction

__all__ = ["Store", "Table", "Transaction"]
