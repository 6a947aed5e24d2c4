"""Terms of a page counted in the plainest way: what fast counting must come to."""

from exonym.models.terms import Fields, TermReader


def terms_by_name(reader: TermReader, fields: Fields) -> dict[str, float]:
    """Weighted frequency of each term."""
    found: dict[str, float] = {}
    for words, weight in reader.words(fields):
        for token in reader.tokens_of(words):
            term = reader.term_of(token)
            if term:
                found[term] = found.get(term, 0.0) + weight
    return found
