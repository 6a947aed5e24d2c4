"""Makes judged pages of the bytes of pages, in processes with limits on time and memory.

Pages of the web may be hostile, so a page that crashes a reader or takes too long is lost, and nothing else. `parsing`
makes a Document of bytes from any source; `page` judges the Document and makes columns of its links (`link_ids`
computes their ids, `read_links` reads them with a link model); `pool` runs all that in processes (`reader_process`),
and exchanges messages with them through a `pipe`. Live crawls use the pool; importers, seed sources, training and
commands use the functions.
"""
