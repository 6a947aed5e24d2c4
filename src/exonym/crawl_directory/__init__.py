"""A crawl directory, the product of a crawl: `crawl.toml`, `state/`, `warc/` and `journal/` together.

`reading` has CrawlDirectory, through which all other code reads a crawl, running or not; `pages` has all visits by row,
for labelling; `writing` has CrawlWriter, which only `live` uses.
"""
