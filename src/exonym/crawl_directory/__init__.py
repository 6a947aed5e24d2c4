"""A crawl directory, the product of a crawl: `crawl.toml`, `state/`, `warc/` and `journal/` as one thing.

What is on disk is read and written here and nowhere else.
"""
