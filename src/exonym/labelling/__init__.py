"""Pages of a crawl put before a person: which ones, in which order, and what becomes of the answers."""
