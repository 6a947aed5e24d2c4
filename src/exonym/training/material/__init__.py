"""Training material: examples of pages of a topic and of others.

`gathering.gather` is the entry. `sources` has what the names of sources mean; `pieces` cuts sources into pieces and
reads them in processes, with `files`, `warcs`, `graphs` and `labelled`; `pages` reads a single page. Used only by
training.
"""
