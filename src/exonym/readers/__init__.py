"""Bytes of a page in, a judged page out, in processes with limits on time and memory.

Pages of the web may be hostile, so a page that crashes a reader or takes too long costs itself and nothing else.
`document` makes a Document of bytes, whoever has them; `page` judges it and makes columns of its links (`link_ids`
numbers them, `links` reads them with a link model); `pool` runs that in processes (`process`), to which it talks
through a `pipe`. Live crawls use the pool; importers, seed sources, training and commands use the functions.
"""
