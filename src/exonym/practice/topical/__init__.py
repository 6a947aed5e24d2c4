"""Topics of a practice web: English sites about tourism, estate, diving and other things, in Thailand and elsewhere.

`sites` says what a site is about, `subjects` what a page is about and for which target it counts, `sections` how
directories follow each other; `texts` writes the pages with `sentences`, `wordlists` and `countries`.
"""
