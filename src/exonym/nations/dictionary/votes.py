"""Merges the sheets of several people: the majority's decisions, how far people agree, and the rows left open.

A vote is a yes or a no that a person wrote. A blank decision, `?` and a row that was taken out are no votes: whoever
did not look at a row has no opinion on it, and a proposal of ours counted as a vote would outvote a person.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exonym.nations.dictionary.sheet import KNOWN, NO, YES, Sheet, SheetRow
from exonym.nations.nation import BEFORE_SHORT, BETWEEN_FORMS, SHORT


@dataclass(frozen=True, slots=True)
class VoterAgreement:
    """How far people agree on the rows that two or more of them voted on."""

    rows: int
    unanimous: int
    kappa: float | None  # Cohen's for two people, Fleiss' for more; None where it is not defined
    kappa_rows: int  # the rows that kappa is over: those that all people voted on


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """The rows by result."""

    accepted: tuple[SheetRow, ...]
    rejected: tuple[SheetRow, ...]
    ties: tuple[SheetRow, ...]  # not among the accepted, unless ties were to be
    open: tuple[SheetRow, ...]  # nobody voted; not among the accepted, unless proposed ones were to be
    agreement: VoterAgreement


def merged(sheets: Sequence[Sheet], accept_ties: bool = False, accept_proposed: bool = False) -> ReviewOutcome:
    """The rows of all sheets by the majority of the votes given. Names that the nation knows are not voted on.

    `accept_ties` accepts names with as many yes as no, `accept_proposed` proposed names without any vote.
    """
    rows: dict[str, SheetRow] = {}
    votes: dict[str, list[str]] = {}  # of each sheet in turn, "" for none
    for place, sheet in enumerate(sheets):
        for row in sheet.rows:
            if row.proposed != KNOWN:
                rows.setdefault(row.name, row)
                votes.setdefault(row.name, [""] * len(sheets))[place] = row.vote
    parts: dict[str, list[SheetRow]] = {YES: [], NO: [], "tie": [], "": []}
    for name, row in rows.items():
        yes, no = votes[name].count(YES), votes[name].count(NO)
        majority = YES if yes > no else NO if no > yes else "tie" if yes else ""
        parts[majority].append(row)
    ties = tuple(parts["tie"])
    accepted = {*parts[YES], *(ties if accept_ties else ())}
    accepted |= {row for row in parts[""] if accept_proposed and row.proposed == YES}
    return ReviewOutcome(
        tuple(row for row in rows.values() if row in accepted),
        tuple(parts[NO]),
        ties,
        tuple(parts[""]),
        agreement_of(list(votes.values())),
    )


def agreement_of(votes: Sequence[Sequence[str]]) -> VoterAgreement:
    """How far people agree; `votes` are by row and person: yes, no or ""."""
    given = [[vote for vote in row if vote] for row in votes]
    shared = [row for row in given if len(row) > 1]
    unanimous = sum(len(set(row)) == 1 for row in shared)
    by_all = [row for row in votes if all(row)]
    return VoterAgreement(len(shared), unanimous, _kappa(by_all), len(by_all))


def _kappa(votes: Sequence[Sequence[str]]) -> float | None:
    """Agreement beyond chance; not defined without votes to compare, or if all votes are the same."""
    people = len(votes[0]) if votes else 0
    if people < 2:
        return None
    yes = [row.count(YES) for row in votes]
    pairs = people * (people - 1)
    observed = sum(count * (count - 1) + (people - count) * (people - count - 1) for count in yes) / (pairs * len(yes))
    if people == 2:
        first, second = (sum(row[person] == YES for row in votes) / len(votes) for person in range(2))
        expected = first * second + (1 - first) * (1 - second)
    else:
        share = sum(yes) / (people * len(yes))
        expected = share**2 + (1 - share) ** 2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def names_lines(rows: Iterable[SheetRow], known: Iterable[str] = ()) -> list[str]:
    """Accepted rows as `with_names` reads them: a name and its short forms on each line.

    A short form whose name was rejected has its own line; a short form of a `known` name is written behind it.
    """
    listed = list(rows)
    whole = {row.name for row in listed if row.form != SHORT} | set(known)
    lines: dict[str, list[str]] = {}
    for row in listed:
        is_part = row.form == SHORT and row.of in whole
        forms = lines.setdefault(row.of if is_part else row.name, [])
        if is_part:
            forms.append(BEFORE_SHORT + row.name)
    return [
        # `with_names` takes a sign at the beginning of a line for an instruction.
        ("+" if name.startswith(("-", "+")) else "") + BETWEEN_FORMS.join([name, *forms])
        for name, forms in lines.items()
    ]
