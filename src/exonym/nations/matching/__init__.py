"""Finding a nation's names in text.

`matcher` puts it together: exact names, names `by_sound` (spellings that `sound` makes alike), names in scripts without
spaces (`unspaced`). `tokens`, `text_words` and `spans` cut text into words and count how much of it names cover;
`ordinary_words` are names that are words too, `matcher_evaluation` measures a matcher.
"""
