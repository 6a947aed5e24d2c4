"""How complete a crawl is: its coverage, estimated from what the crawl itself does not know.

`known_pages` compares a crawl with pages that somebody else found: those of a list, or of another crawl. `page_fates`
says what a crawl knows of such pages, and `recapture` turns counts into estimates with intervals.
"""
