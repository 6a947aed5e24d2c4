"""A crawl directory, the product of a crawl: `crawl.toml`, `state/`, `warc/` and `journal/` together.

`crawl_reader` has CrawlDirectory, through which all other code reads a crawl, running or not; `visited_pages` has all
visits by row, for labelling; `crawl_writer` has CrawlWriter, which only `live` uses; `cluster_layout` has the layout of
a crawl that is divided into partitions, each of which has its own `state/`, `warc/` and `journal/`.
"""
