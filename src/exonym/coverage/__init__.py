"""How complete a crawl is: its coverage, estimated from what the crawl itself does not know.

`known_pages` compares a crawl with a list of pages, `two_crawls` with what another crawl has found. `listed_pages` has
such pages as columns, `page_fates` says what the crawl knows of them, and `recapture` turns counts into estimates with
intervals.
"""
