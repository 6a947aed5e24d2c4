"""Which language a text is written in.

`detector` is the default identifier: scripts (`scripts`, `han`), foreign detectors (`detectors`) and what pages claim
(`declared_language`) taken together, with `confusable` languages kept apart. `classic` works as the papers did, with
n-gram `profiles` (made from `ngrams`, trained from `training_texts`) and charset labels. `anchors` identifies short
link texts in bulk, `sampling` cuts long pages, `evaluation` measures an identifier. `base` has the types.

Judges ask identifiers; nothing here knows what a crawl is looking for.
"""
