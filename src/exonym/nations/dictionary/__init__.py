"""Dictionaries of a nation's names, collected from list pages of wikis and reviewed by people.

`named_pages` gets list pages from files, `category_walk` from a wiki and its categories. `list_pages` reads the names
on them with the rules of `wiki`, `proposals` joins them with what the nation has, `sheet` is the table that people fill
in, `votes` counts decisions of several.
"""
