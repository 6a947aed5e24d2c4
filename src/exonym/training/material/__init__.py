"""Training material: examples of pages of a topic and of others.

`gathering.gather` is the entry. `material_sources` has what the names of sources mean; `pieces` cuts sources into
pieces and reads them in processes, with `page_files`, `warcs`, `graphs` and `labelled`; `page_examples` reads a single
page. Used only by training.
"""
