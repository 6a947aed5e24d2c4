"""A crawl of the real web: the loop between network, readers, crawl and disk.

What is decided is decided by `exonym.crawl` and what it is made of; this package carries it out.
"""
