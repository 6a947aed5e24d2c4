"""A crawl directory, the product of a crawl: `crawl.toml`, `state/`, `warc/` and `journal/` as one thing.

`reading` has CrawlDirectory, which everybody uses who wants to know something of a crawl, running or not; `pages` all
its visits by row, for people who label pages; `writing` has CrawlWriter, for `live` alone.
"""
