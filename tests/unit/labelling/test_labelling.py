"""Which pages a person is shown, what the keys do, how a sample is drawn, and what a screen has room for."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from exonym.cli.terminal.label_screen import PageView, Size, screen_of
from exonym.crawl_directory.visited_pages import PageWords
from exonym.errors import ConfigError
from exonym.labelling.audit_sample import Draw, draw_in, header_of, sample_of
from exonym.labelling.order import Candidate, by_doubt, by_judge, first_of_each, ordered
from exonym.labelling.order_by_model import BATCH, doubtful, quick_model, taught
from exonym.labelling.session import Did, Session
from exonym.models.terms import Fields
from exonym.training.examples import Example
from exonym.training.labels import line_of, read_objects

candidates = st.lists(
    st.tuples(st.sampled_from("abcd"), st.floats(0, 1), st.booleans()), max_size=40, unique_by=lambda page: page[:2]
).map(lambda pages: [Candidate(row, *page) for row, page in enumerate(pages)])


def page(row: int, site: str, relevance: float) -> Candidate:
    return Candidate(row, site, relevance, relevance >= 0.5)


def test_pages_near_the_threshold_come_first_from_both_sides_in_turn() -> None:
    pages = [page(0, "a", 0.9), page(1, "b", 0.55), page(2, "c", 0.0), page(3, "d", 0.45), page(4, "e", 0.7)]
    assert list(by_judge(pages, 0)) == [1, 3, 4, 2, 0]


def test_every_site_has_its_turn_before_one_has_a_second() -> None:
    pages = [page(0, "a", 0.51), page(1, "a", 0.52), page(2, "b", 0.9), page(3, "a", 0.53), page(4, "b", 0.95)]
    assert list(by_judge(pages, 0)) == [0, 2, 1, 4, 3]


def test_side_is_left_out_of_turn_rather_than_a_site_shown_twice_in_a_row() -> None:
    pages = [page(0, "a", 0.6), page(1, "b", 0.7), page(2, "a", 0.1)]
    assert list(by_judge(pages, 0)) == [0, 1, 2]


def test_most_doubtful_page_comes_first_whatever_its_site() -> None:
    doubts = [(0.4, page(0, "a", 0)), (0.01, page(1, "b", 0)), (0.02, page(2, "b", 0)), (0.3, page(3, "c", 0))]
    assert list(by_doubt(doubts, 0)) == [1, 3, 2, 0]


@settings(deadline=None)
@given(candidates, st.sampled_from(["informative", "random"]), st.integers(0, 3))
def test_every_order_has_every_page_once_and_is_the_same_each_time(
    pages: list[Candidate], order: str, seed: int
) -> None:
    rows = list(ordered(pages, order, seed))
    assert sorted(rows) == list(range(len(pages)))
    assert rows == list(ordered(pages, order, seed))


@settings(deadline=None)
@given(candidates)
def test_no_site_comes_twice_in_a_row_while_another_is_left(pages: list[Candidate]) -> None:
    rows = list(by_judge(pages, 0))
    sites = [pages[row].site for row in rows]
    for place, (first, second) in enumerate(pairwise(sites), 1):
        assert first != second or set(sites[place:]) == {first}


def test_unknown_order_is_told() -> None:
    with pytest.raises(ConfigError, match="informative or random, got 'best'"):
        ordered([], "best", 0)


class LetterModel:
    """A page is of the topic as far as its letters are x."""

    threshold = 0.5

    def probability(self, fields: Fields) -> float:
        return fields.body.count("x") / len(fields.body)

    def telling(self, fields: Fields, most: int = 5) -> list[tuple[str, float]]:
        return [("x", 1.0)]


def test_model_has_the_pages_shown_first_on_which_it_is_least_sure() -> None:
    texts = ["xxxx", "xxoo", "ooox", "xooooooo", "", "xxxo"]
    pages = [page(row, f"site{row}", row / 5) for row in range(6)]

    def words(row: int) -> PageWords:
        return PageWords(Fields("", texts[row], ""), "" if texts[row] else "no text")

    rows = list(doubtful(pages, words, LetterModel(), 0))
    assert rows[0] == 1
    assert set(rows[1:3]) == {2, 5}
    assert rows[3:] == [3, 0]  # 0.375 and 0.5 from the threshold; the page without text is left out


def topical(row: int) -> Example:
    """Pages 0 to 39: the first half of every ten is of beaches, the second of engines; every fifth is of both."""
    beach, engine = "sand sea palm island swimming", "piston valve oil gear crankshaft"
    text = f"{beach} {engine}" if row % 5 == 4 else beach if row % 10 < 5 else engine
    return Example(f"http://site{row}.example/", f"site{row}.example", Fields("", text), row % 10 < 5, "en")


def test_answers_teach_what_to_ask_next() -> None:
    pages = [page(row, f"site{row}", 1.0 if topical(row).positive else 0.0) for row in range(40)]
    answered: list[int] = []

    def words(row: int) -> PageWords:
        return PageWords(topical(row).fields)

    asked = taught(pages, words, lambda: [topical(row) for row in answered], 0)
    for row in asked:
        answered.append(row)
    assert sorted(answered) == list(range(40))
    early = sum(row % 5 == 4 for row in answered[:BATCH])
    # After the first batch the model knows beaches from engines: all pages of both that are left come next.
    assert all(row % 5 == 4 for row in answered[BATCH : BATCH + 8 - early])


def test_quick_model_wants_some_answers_of_both_kinds_and_something_to_learn_from() -> None:
    assert quick_model([]) is None
    assert quick_model([topical(0)] * 20) is None
    assert quick_model([topical(row) for row in (0, 1, 2, 3, 5, 6, 7, 8)]) is None
    empty = [topical(row)._replace(fields=Fields("", "", "")) for row in range(20)]
    assert quick_model(empty) is None
    model = quick_model([topical(row) for row in range(20)])
    assert model is not None
    assert model.probability(Fields("", "sand sea palm")) > model.probability(Fields("", "piston valve oil"))


@settings(deadline=None, max_examples=20)
@given(candidates)
def test_every_page_is_asked_for_once_also_while_learning(pages: list[Candidate]) -> None:
    answered: list[int] = []

    def words(row: int) -> PageWords:
        return PageWords(topical(row).fields, "no text" if row % 11 == 10 else "")

    asked = taught(pages, words, lambda: [topical(row) for row in answered], 0)
    for row in asked:
        answered.append(row)
    assert len(set(answered)) == len(answered)
    assert {row for row in range(len(pages)) if row % 11 != 10} <= set(answered) <= set(range(len(pages)))


def test_of_copies_the_first_is_kept() -> None:
    import numpy as np

    values = ["a", "b", "a", "", "", "b"]
    assert first_of_each(values, np.array([1, 2, 3, 4, 5, 0])).tolist() == [1, 2, 3, 4]


def test_keys_and_their_words_do_the_same() -> None:
    session = Session([10, 11, 12, 13])
    assert session.press("y") == (Did.ANSWERED, 10, True)
    assert session.press(" NO\n") == (Did.ANSWERED, 11, False)
    assert session.press("skip") == (Did.SKIPPED, 12, False)
    assert session.press("m").did is Did.MORE
    assert session.press("x").did is Did.UNKNOWN
    assert session.press("").did is Did.UNKNOWN
    assert (session.row, session.yes, session.no) == (13, 1, 1)
    assert session.press("q").did is Did.QUIT
    assert session.row == 13


def test_undo_goes_back_step_by_step_and_forward_again_in_the_old_order() -> None:
    session = Session([1, 2, 3], yes=5, no=2)
    for key in "yns":
        session.press(key)
    assert session.is_over
    assert session.press("y").did is Did.UNKNOWN
    assert session.press("u") == (Did.UNSKIPPED, 3, False)
    assert session.press("u") == (Did.UNDONE, 2, False)
    assert session.press("u") == (Did.UNDONE, 1, True)
    assert session.press("u").did is Did.NOTHING
    assert (session.row, session.yes, session.no) == (1, 5, 2)
    assert [session.press("n").row for _ in range(3)] == [1, 2, 3]


def test_next_page_is_looked_for_only_after_the_answer_was_given_out() -> None:
    looked: list[int] = []

    def rows() -> Iterator[int]:
        for row in range(3):
            looked.append(row)
            yield row

    session = Session(rows())
    assert session.row == 0
    assert session.press("y") == (Did.ANSWERED, 0, True)
    assert looked == [0]
    assert session.press("u") == (Did.UNDONE, 0, True)  # before the next page was ever shown
    assert [session.press("y").row for _ in range(3)] == [0, 1, 2]


class Labelling(RuleBasedStateMachine):
    """Whatever keys are pressed, what was answered and not undone is what a plain list says."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session(range(8))
        self.answers: list[tuple[int, str]] = []  # the first of these have been dealt with, in order of rows

    @rule(key=st.sampled_from("yns"))
    def answer(self, key: str) -> None:
        if len(self.answers) < 8:
            self.answers.append((len(self.answers), key))
        self.session.press(key)

    @rule()
    def undo(self) -> None:
        step = self.session.press("u")
        assert step.row == (self.answers.pop()[0] if self.answers else 0)

    @precondition(lambda self: not self.session.is_over)
    @rule(key=st.sampled_from("mqx?"))
    def look(self, key: str) -> None:
        assert self.session.press(key).row == len(self.answers)

    @invariant()
    def agrees(self) -> None:
        given = [key for _, key in self.answers]
        assert (self.session.yes, self.session.no) == (given.count("y"), given.count("n"))
        assert self.session.row == (len(given) if len(given) < 8 else -1)
        assert self.session.has_past == bool(given)


TestLabelling = Labelling.TestCase
TestLabelling.settings = settings(deadline=None, max_examples=30, stateful_step_count=30)


@settings(deadline=None)
@given(
    st.sets(st.integers(0, 60), max_size=40),
    st.sets(st.integers(100, 160), max_size=40),
    st.sampled_from(["both", "all", "relevant", "irrelevant"]),
    st.integers(1, 60),
)
def test_sample_is_as_large_as_can_be_and_from_the_right_pages(yes: set[int], no: set[int], of: str, size: int) -> None:
    drawn = sample_of(list(yes), list(no), of, size, 3)
    pool = {"relevant": yes, "irrelevant": no}.get(of, yes | no)
    assert len(set(drawn)) == len(drawn) == min(size, len(pool))
    assert set(drawn) <= pool
    assert drawn == sample_of(sorted(yes, reverse=True), list(no), of, size, 3)
    if of == "both":
        of_yes = sum(row in yes for row in drawn)
        assert of_yes >= min(len(yes), size // 2)
        assert len(drawn) - of_yes >= min(len(no), size // 2)


def test_kinds_are_mixed_so_that_the_order_tells_nothing() -> None:
    drawn = sample_of(list(range(100)), list(range(100, 200)), "both", 40, 0)
    switches = sum((first < 100) != (second < 100) for first, second in pairwise(drawn))
    assert switches > 8  # 20 are to be expected


def test_every_page_is_as_likely_to_be_drawn() -> None:
    counts = [0] * 10
    for seed in range(2_000):
        for row in sample_of([0, 1, 2, 3], [4, 5, 6, 7, 8, 9], "both", 4, seed):
            counts[row] += 1
    # Half of four relevant ones, a third of six others; five standard deviations of a binomial are 112 and 105.
    assert all(abs(count - 1_000) < 112 for count in counts[:4])
    assert all(abs(count - 2_000 / 3) < 106 for count in counts[4:])


def test_draw_comes_back_from_the_first_line(tmp_path: Path) -> None:
    draw = Draw("both", 100, 7, 500, 100, 300, 100, (3, 1, 2), "2026-11-16T06:00:00Z", "1")
    path = tmp_path / "audit.jsonl"
    path.write_bytes(line_of(header_of(draw)))
    assert draw_in(read_objects(path), path) == draw
    assert (draw.pages, draw.counted_harvest_rate) == (500, 0.2)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"url": "http://a.example/", "label": True}, "holds no sample"),
        ({"audit": 1}, "is damaged"),
        ({"audit": {"seed": 1}}, "is damaged"),
        (header_of(Draw("some", 1, 1, 1, 1, 1, 1, (1,))), "is damaged"),
        (header_of(Draw("all", 1, 1, 1, 1, 1, 1, (-1,))), "is damaged"),
        (header_of(Draw("all", 1, 1, 1, -1, 1, 1, (1,))), "is damaged"),
    ],
)
def test_first_line_that_is_no_draw_is_told(line: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        draw_in([(1, line)], Path("audit.jsonl"))


def view(text: str, evidence: tuple[str, ...] = ()) -> PageView:
    return PageView("3 labelled", "A title", "http://a.example/", "English (en)", evidence, text)


@settings(deadline=None)
@given(st.text(), st.integers(1, 200), st.integers(1, 60), st.integers(0, 50))
def test_screen_fits_its_terminal_and_has_no_control_characters(
    text: str, columns: int, lines: int, start: int
) -> None:
    from rich.cells import cell_len

    shown, _ = screen_of(view(text, (text, text)), Size(columns, lines), start)
    assert len(shown) <= max(lines - 1, 16)
    assert all(cell_len(line) <= max(columns, 20) for line in shown)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]", "".join(shown))


def test_more_goes_through_all_of_the_text_and_begins_anew() -> None:
    text = "\n".join(f"line {number}" for number in range(50))
    start, seen = 0, []
    while True:
        lines, start = screen_of(view(text), Size(80, 24), start)
        seen += [line for line in lines if line.startswith("line ")]
        if not start:
            break
    assert seen == text.split("\n")


def test_wide_letters_take_two_cells() -> None:
    shown, _ = screen_of(view("漢" * 100), Size(41, 24))
    assert [len(line) for line in shown if line.startswith("漢")] == [20] * 5
