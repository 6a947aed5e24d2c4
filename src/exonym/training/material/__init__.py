"""Training material: examples of pages of a topic and of others.

`gathering.gather` is the entry. `sources` says what a name stands for; `pieces` cuts sources into pieces and reads
them in processes, with `files`, `warcs`, `graphs` and `labelled`; `pages` reads one page. Used by training
alone.
"""
