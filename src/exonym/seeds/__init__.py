"""Seeds: the addresses where a crawl begins.

`seeds_file` reads and writes seeds files, for every command. `dmoz`, `seed_table`, `sitemap`, `warc`, `wikidata` and
`commoncrawl` (with `commoncrawl_columnar`) each find seeds in one kind of source; `opening` reads packed files,
`services` asks public services politely. `choosing` selects from what they found, `checking` fetches the pages and
keeps those in a language. A `Seed` (`seed`) is an address with its origin.

The commands of `exonym seeds` use all of it; the drivers of crawls and simulations use `seeds_file` alone.
"""
