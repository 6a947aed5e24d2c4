"""Topics of a practice web: English sites about tourism, estate, diving and other topics, in Thailand and elsewhere.

`sites` decides what a site is about, `subjects` which pages are relevant to which target, `sections` where links of
topical pages lead; `texts` writes the pages with `sentences`, `wordlists` and `countries`.
"""
