"""Dictionaries of a nation's names, made from list pages of wikis and reviewed by people."""
