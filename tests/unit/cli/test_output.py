"""What commands print fits the terminal, and says the same at any width."""

from hypothesis import given
from hypothesis import strategies as st

from exonym.cli.output import lines_of

WORDS = st.lists(st.text("abcé:,1", min_size=1, max_size=12), min_size=1, max_size=20)


@given(st.lists(st.tuples(st.text("xyz ", max_size=8), WORDS), min_size=1, max_size=4), st.integers(0, 100))
def test_rows_are_broken_between_words_and_nothing_is_lost(rows: list[tuple[str, list[str]]], columns: int) -> None:
    values = [(label, " ".join(words)) for label, words in rows]
    lines = list(lines_of(values, columns))
    assert " ".join(lines).split() == " ".join(f"{label} {value}" for label, value in values).split()
    indent = max(len(label) for label, _ in rows) + 4
    if columns >= 2 * indent:
        assert all(len(line) <= max(columns, indent + 12) for line in lines)
    else:
        assert len(lines) == len(rows)
