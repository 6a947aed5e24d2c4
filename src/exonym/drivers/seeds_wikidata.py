"""Seeds from Wikidata's public endpoint, asked page by page; a page that does not come is told, and costs no other."""

from collections.abc import Iterator, Sequence

from exonym.drivers.seeds_asking import Ask, Worth
from exonym.seeds.seed import Found, Skipped
from exonym.seeds.wikidata import PAGE_ROWS, Question, answer_in, query_of, query_url, seed_of

MOST_PAGES = 500  # of one question


def read_wikidata(questions: Sequence[Question], endpoint: str, ask: Ask, rows: int = PAGE_ROWS) -> Iterator[Found]:
    """The seeds in the answers to all questions, `rows` rows at a time."""
    for question in questions:
        yield from _answered(question, endpoint, ask, rows)


def _answered(question: Question, endpoint: str, ask: Ask, rows: int) -> Iterator[Found]:
    for page in range(MOST_PAGES):
        url = query_url(endpoint, query_of(question, rows, page * rows))
        reply = ask(url, _worth)
        found = answer_in(reply.content).rows if reply.content else []
        for row in found:
            yield seed_of(row, question.kind.name)
        if reply.failure:
            rest = "what follows was asked for" if found else "what follows was not asked for"
            yield Skipped(f"page of the answer: {reply.failure}; {rest}")
        # A page that broke off says nothing of the next; one that never came does.
        if len(found) < rows and not (reply.failure and found):
            return
    yield Skipped(f"pages of the answer beyond the first {MOST_PAGES:,}")


def _worth(content: bytes) -> Worth:
    answer = answer_in(content)
    return Worth(len(answer.rows), answer.flaw)
