"""The tables of HAPRC's experiment: its Table 4.1 beside ours, agreement counted, and how both hang on settings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from exonym.experiments.haprc.agreement import (
    SHARES,
    DecisionAgreement,
    agreed_by,
    agreed_by_count,
    agreed_held_out,
    in_common,
    listed_count,
)
from exonym.experiments.haprc.published import NONE, PAPER, Decision
from exonym.experiments.haprc.queries import QueryAnswer, ReadMaterial
from exonym.models.weight_table import TableSettings
from exonym.report.table import TOTAL, Table, TableRow, share
from exonym.training.retrieval import METHODS

ALPHAS = (0.0, 0.1, 0.25, 0.5)
_FIXED = (10.0, 30.0, 100.0, 300.0, 1_000.0)
_SIZES = (3, 5, 7, 10, 20)
_WORDS = {True: "download", False: "skip", None: "not in corpus"}


def decision_table(answers: Sequence[QueryAnswer], rows: Sequence[Decision], is_published: bool) -> Table:
    """Every decision that is listed, with ours; then documents that only we retrieve."""
    columns = ("query", "document", "listed", "ours", "agree", "weight", "threshold", "our rank")
    shown = tuple(row for answer in answers for row in _decision_rows(answer, rows))
    caption = "Table 4.1 beside ours: download or not" if is_published else "Listed decisions beside ours"
    note = "Rank: place among the documents retrieved here, – if not retrieved. The table is kept between queries."
    return Table("decisions", caption, columns, shown, note, paper=PAPER if is_published else "")


def _decision_rows(answer: QueryAnswer, rows: Sequence[Decision]) -> Iterator[TableRow]:
    listed = {row.document: row.decision for row in rows if row.query == answer.query}
    for document, decision in listed.items():
        yield _nothing_row(answer) if decision == NONE else _row(answer, document, decision)
    for document in answer.retrieved:
        if document not in listed:
            yield _row(answer, document, "not listed")


def _row(answer: QueryAnswer, document: str, listed: str) -> TableRow:
    ours = _WORDS[answer.downloads(document)]
    agree = ("yes" if listed == ours else "no") if {listed, ours} <= {"download", "skip"} else "–"
    weight = f"{answer.weights[document]:,.1f}" if document in answer.weights else "–"
    rank = str(answer.retrieved.index(document) + 1) if document in answer.retrieved else "–"
    return (answer.query, document, listed, ours, agree, weight, f"{answer.threshold():,.1f}", rank)


def _nothing_row(answer: QueryAnswer) -> TableRow:
    """For a query for which nothing is downloaded; what is retrieved all the same follows."""
    downloaded = any(answer.downloads(document) for document in answer.retrieved)
    ours = "something" if downloaded else "none"
    return (answer.query, "–", "none", ours, "no" if downloaded else "yes", "–", f"{answer.threshold():,.1f}", "–")


def agreement_table(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> Table:
    """Retrieval and decisions counted, query by query."""
    columns = ("query", "listed", "in common", "decided", "agreed", "if all downloaded")
    lines: list[tuple[str, int, int, int, int, int]] = []
    for answer in answers:
        listed = listed_count(answer.query, rows)
        found = agreed_by([answer], [row for row in rows if row.query == answer.query])
        common = in_common(answer, rows)
        lines.append((answer.query, listed, common, found.decided, found.agreed, found.listed_downloads))
    totals = [sum(numbers) for numbers in zip(*(line[1:] for line in lines), strict=True)] or [0] * 5
    note = (
        "In common: listed documents that are retrieved here too. Decided: listed as download or not, and in the "
        "corpus. If all downloaded: how many of them agree with downloading everything."
    )
    return Table("agreement", "Agreement by query", columns, (*lines, (TOTAL, *totals)), note)


def baseline_table(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> Table:
    """Our agreement beside what agrees without a table."""
    found = agreed_by(answers, rows)
    whole = found.decided
    lines: list[TableRow] = [
        _agreement_row("ours", found),
        _agreement_row("ours, threshold held out", agreed_held_out(answers, rows)),
        _agreement_row("counts of the query's words, no weights", agreed_by_count(answers, rows)),
        ("download all", found.listed_downloads, whole, share(found.listed_downloads, whole), _two(0.0)),
        ("download none", whole - found.listed_downloads, whole, _rest(found), _two(0.0)),
        ("chance, with as many downloads as ours", "–", whole, found.by_chance, _two(0.0)),
    ]
    note = (
        "Ours takes half the typical weight for its threshold, chosen before agreement was counted. Held out: for "
        "each query the threshold that agrees best with the other queries' decisions. Counts: the same rule, every "
        "word of the query as heavy as another. Kappa: 0 chance, 1 full agreement."
    )
    columns = ("decided by", "agreed", "of", "share", "kappa")
    return Table("baselines", "Agreement beside what needs no table", columns, tuple(lines), note)


def _agreement_row(name: str, found: DecisionAgreement) -> TableRow:
    return (name, found.agreed, found.decided, share(found.agreed, found.decided), _two(found.kappa))


def _rest(found: DecisionAgreement) -> float | None:
    return share(found.decided - found.listed_downloads, found.decided)


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def sensitivity_table(read: ReadMaterial, settings: TableSettings) -> Table:
    """Decisions agreed, for other alphas and thresholds."""
    rows = read.material.decisions
    lines: list[TableRow] = []
    for alpha in ALPHAS:
        answers = read.answers(replace(settings, alpha=alpha, page_threshold=None))
        lines.append((f"{alpha:g}", *(agreed_by(answers, rows, one).agreed for one in SHARES)))
    columns = ("alpha", *(f"{one:g} × typical" for one in SHARES))
    note = (
        "Thresholds are shares of the typical weight: the mean of the documents that the query retrieved. The best "
        "cell is no result: it was found by looking."
    )
    return Table("sensitivity", "Decisions agreed, by alpha and threshold", columns, tuple(lines), note)


def fixed_table(read: ReadMaterial, settings: TableSettings) -> Table:
    """The same with one threshold for all queries, as the paper has it."""
    lines: list[TableRow] = [
        (f"{alpha:g}", *_agreed_at_fixed(read, replace(settings, alpha=alpha))) for alpha in ALPHAS
    ]
    columns = ("alpha", *(f"weight {one:,g}" for one in _FIXED))
    note = "One threshold for all queries, whatever their terms weigh."
    return Table("fixed", "Decisions agreed, by alpha and fixed threshold", columns, tuple(lines), note)


def _agreed_at_fixed(read: ReadMaterial, settings: TableSettings) -> list[int]:
    rows = read.material.decisions
    return [agreed_by(read.answers(replace(settings, page_threshold=one)), rows).agreed for one in _FIXED]


def variant_table(read: ReadMaterial, settings: TableSettings) -> Table:
    """Retrieval and decisions for readings of the paper other than ours, one at a time."""
    lines = tuple(_variant_row(name, one, changed) for name, one, changed in _variants(read, settings))
    columns = ("instead of ours", "in common", "agreed", "decided", "if all downloaded")
    note = "One thing changed at a time; the threshold is the same rule."
    return Table("variants", "Other readings of the paper", columns, lines, note)


def _variants(read: ReadMaterial, settings: TableSettings) -> Iterator[tuple[str, ReadMaterial, TableSettings]]:
    yield "ours", read, settings
    reading = read.reading
    changed = {
        "stop words " + ("kept" if reading.drop_stop_words else "left out"): replace(
            reading, drop_stop_words=not reading.drop_stop_words
        ),
        "words as they stand" if reading.stem else "words stemmed (again)": replace(reading, stem=not reading.stem),
        "numbers " + ("left out" if reading.keep_numbers else "counted as words"): replace(
            reading, keep_numbers=not reading.keep_numbers
        ),
    }
    for name, other in changed.items():
        yield name, ReadMaterial(read.material, other), settings
    for method in METHODS[1:]:
        yield f"BM25 as {method}", ReadMaterial(read.material, reading, method), settings
    for size in _SIZES:
        if size != settings.documents:
            yield f"{size} documents a query", read, replace(settings, documents=size)
    if settings.term_threshold == 0.0:
        for threshold in (5.0, 50.0):
            yield f"terms from {threshold:g} on", read, replace(settings, term_threshold=threshold)


def _variant_row(name: str, read: ReadMaterial, settings: TableSettings) -> TableRow:
    answers, rows = read.answers(settings), read.material.decisions
    found = agreed_by(answers, rows)
    common = sum(in_common(answer, rows) for answer in answers)
    return (name, common, found.agreed, found.decided, found.listed_downloads)
