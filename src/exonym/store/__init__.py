"""The state of a crawl on disk: one LMDB environment for frontier, journal and facts.

`store` has the Store and its transactions, `environment` opens and checks LMDB, `lock` keeps a second crawl out. Used
by what is kept during a crawl: frontier, archive, journal, crawl_directory. LMDB is imported here and nowhere else.
"""

from exonym.store.store import Store, Table, Transaction

__all__ = ["Store", "Table", "Transaction"]
