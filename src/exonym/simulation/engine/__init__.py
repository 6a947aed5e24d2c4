"""The compiled simulator: the rules of `exonym.crawl` a second time, over arrays, and a frontier of its own.

`tests/agreement` holds both implementations equal, visit by visit, for every strategy.
"""
