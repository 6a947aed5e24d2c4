"""The tables of HAPRC's experiment: Table 4.1 with our decisions, their agreement, and how it depends on settings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from exonym.experiments.haprc.agreement import (
    SHARES,
    DecisionAgreement,
    held_out_agreement,
    listed_count,
    retrieved_in_common,
    table_agreement,
    word_count_agreement,
)
from exonym.experiments.haprc.published import NONE, PAPER, Decision
from exonym.experiments.haprc.queries import IndexedMaterial, QueryAnswer
from exonym.models.weight_table import TableSettings
from exonym.report.table import TOTAL, Table, TableRow, share
from exonym.training.retrieval import RANKINGS

ALPHAS = (0.0, 0.1, 0.25, 0.5)
_FIXED = (10.0, 30.0, 100.0, 300.0, 1_000.0)
_SIZES = (3, 5, 7, 10, 20)
_WORDS = {True: "download", False: "skip", None: "not in corpus"}


def decision_table(answers: Sequence[QueryAnswer], rows: Sequence[Decision], is_published: bool) -> Table:
    """Every listed decision and ours; then the documents that only we retrieve."""
    columns = ("query", "document", "listed", "ours", "agree", "weight", "threshold", "our rank")
    shown = tuple(row for answer in answers for row in _decision_rows(answer, rows))
    caption = "Table 4.1 and our decisions: download or not" if is_published else "Listed decisions and ours"
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
    """The row of a query for which nothing is to be downloaded; rows of documents that we retrieve follow."""
    downloaded = any(answer.downloads(document) for document in answer.retrieved)
    ours = "something" if downloaded else "none"
    return (answer.query, "–", "none", ours, "no" if downloaded else "yes", "–", f"{answer.threshold():,.1f}", "–")


def agreement_table(answers: Sequence[QueryAnswer], rows: Sequence[Decision]) -> Table:
    """Documents retrieved and decisions agreed, by query."""
    columns = ("query", "listed", "in common", "decided", "agreed", "if all downloaded")
    lines: list[tuple[str, int, int, int, int, int]] = []
    for answer in answers:
        listed = listed_count(answer.query, rows)
        counts = table_agreement([answer], [row for row in rows if row.query == answer.query])
        common = retrieved_in_common(answer, rows)
        lines.append((answer.query, listed, common, counts.decided, counts.agreed, counts.listed_downloads))
    totals = [sum(numbers) for numbers in zip(*(line[1:] for line in lines), strict=True)] or [0] * 5
    note = (
        "In common: listed documents that are retrieved here too. Decided: listed as download or not, and in the "
        "corpus. If all downloaded: how many of them agree with downloading everything."
    )
    return Table("agreement", "Agreement by query", columns, (*lines, (TOTAL, *totals)), note)


def baseline_table(chosen: Sequence[QueryAnswer], ours: Sequence[QueryAnswer], rows: Sequence[Decision]) -> Table:
    """The agreement of the chosen way and of ours, and that of rules that need no table."""
    counts = table_agreement(chosen, rows)
    whole, skips = counts.decided, counts.decided - counts.listed_downloads
    common, own = (sum(retrieved_in_common(answer, rows) for answer in way) for way in (chosen, ours))
    lines: list[TableRow] = [
        _agreement_row("reproduction", counts, common),
        _agreement_row("ours", table_agreement(ours, rows), own),
        _agreement_row("ours, threshold held out", held_out_agreement(ours, rows), own),
        _agreement_row("counts of the query's words, no weights", word_count_agreement(ours, rows), own),
        ("download all", "–", counts.listed_downloads, whole, share(counts.listed_downloads, whole), "0.00"),
        ("download none", "–", skips, whole, share(skips, whole), "0.00"),
        ("chance, with as many downloads as the reproduction", "–", "–", whole, counts.by_chance, "0.00"),
    ]
    note = (
        "Reproduction: the rule and the retrieval chosen, by default those that give the paper's table, found by "
        "looking at that table. Ours: the weighted sum, BM25 as Lucene has it, no numbers, and for a threshold half "
        "the typical weight, chosen before agreement was counted. Held out: for each query the threshold that agrees "
        "best with the other queries' decisions. Counts: the same rule as ours, every word of the query as heavy as "
        "another. Kappa: 0 chance, 1 full agreement."
    )
    columns = ("decided by", "in common", "agreed", "of", "share", "kappa")
    return Table("baselines", "Agreement compared with rules that need no table", columns, tuple(lines), note)


def _agreement_row(name: str, counts: DecisionAgreement, common: int) -> TableRow:
    kappa = "–" if counts.kappa is None else f"{counts.kappa:.2f}"
    return (name, common, counts.agreed, counts.decided, share(counts.agreed, counts.decided), kappa)


def sensitivity_table(read: IndexedMaterial, settings: TableSettings) -> Table:
    """Decisions agreed with other alphas and thresholds."""
    rows = read.material.decisions
    lines: list[TableRow] = []
    for alpha in ALPHAS:
        answers = read.answers(replace(settings, alpha=alpha, page_threshold=None))
        lines.append((f"{alpha:g}", *(table_agreement(answers, rows, threshold).agreed for threshold in SHARES)))
    columns = ("alpha", *(f"{threshold:g} × typical" for threshold in SHARES))
    note = (
        "Thresholds are shares of the typical weight: the mean of the documents that the query retrieved. The best "
        "cell is not a result: it was chosen after all cells were known."
    )
    return Table("sensitivity", "Decisions agreed, by alpha and threshold", columns, tuple(lines), note)


def fixed_table(read: IndexedMaterial, settings: TableSettings) -> Table:
    """The same with one threshold for all queries, as in the paper."""
    rows, lines = read.material.decisions, list[TableRow]()
    for alpha in ALPHAS:
        answers = (read.answers(replace(settings, alpha=alpha, page_threshold=weight)) for weight in _FIXED)
        lines.append((f"{alpha:g}", *(table_agreement(each, rows).agreed for each in answers)))
    columns = ("alpha", *(f"weight {weight:,g}" for weight in _FIXED))
    note = "One threshold for all queries, whatever their terms weigh."
    return Table("fixed", "Decisions agreed, by alpha and fixed threshold", columns, tuple(lines), note)


def variant_table(read: IndexedMaterial, settings: TableSettings) -> Table:
    """Documents retrieved and decisions agreed for other readings of the paper, one change at a time."""
    rows, lines = read.material.decisions, list[TableRow]()
    for name, variant, changed in _variants(read, settings):
        answers = variant.answers(changed)
        counts = table_agreement(answers, rows)
        common = sum(retrieved_in_common(answer, rows) for answer in answers)
        lines.append((name, common, counts.agreed, counts.decided, counts.listed_downloads))
    columns = ("instead of ours", "in common", "agreed", "decided", "if all downloaded")
    note = "One thing changed at a time; the threshold is the same rule."
    return Table("variants", "Other readings of the paper", columns, tuple(lines), note)


def _variants(read: IndexedMaterial, settings: TableSettings) -> Iterator[tuple[str, IndexedMaterial, TableSettings]]:
    yield "ours", read, settings
    reading = read.reading
    changed = {
        "stop words " + ("kept" if reading.drop_stop_words else "left out"): replace(
            reading, drop_stop_words=not reading.drop_stop_words
        ),
        "words not stemmed" if reading.stem else "words stemmed (again)": replace(reading, stem=not reading.stem),
        "numbers " + ("left out" if reading.keep_numbers else "counted as words"): replace(
            reading, keep_numbers=not reading.keep_numbers
        ),
    }
    for name, other in changed.items():
        yield name, IndexedMaterial(read.material, other), settings
    for name in ("paper", "robertson", "atire"):
        yield f"BM25 as {name}", read.ranked_by(RANKINGS[name]), settings
    for size in _SIZES:
        if size != settings.documents:
            yield f"{size} documents a query", read, replace(settings, documents=size)
    if settings.term_threshold == 0.0:
        for threshold in (5.0, 50.0):
            yield f"terms from {threshold:g} on", read, replace(settings, term_threshold=threshold)
