"""A crawl of the real web: the loop between network, readers, crawl and disk.

`driver` is the loop, `assembly` makes its parts from the settings, `requests` carries visits to their responses,
`found_links` and `journal_rows` turn pages into what `Crawl` and the journal take, `restart` restores what was learned.
All decisions are those of `exonym.crawl`; this package carries them out.
"""
