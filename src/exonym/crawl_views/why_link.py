"""Why a link was not visited: the first of all reasons that hold, and what is known of the link.

All texts come from the web, or may: clean them before printing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from exonym.batches import NO_ROW, Visit
from exonym.crawl import MOST_HOPS, waiting_batch
from exonym.crawl_views.inquiry import Home, Inquiry, floor_of, group_of, place_of, rank_of, rule_words
from exonym.crawl_views.promise import Promise, PromisingLink, promise_of, promise_words
from exonym.crawl_views.visit_index import id_of_source
from exonym.crawl_views.why import chain_to
from exonym.crawl_views.why_server import budget_words
from exonym.frontier.base import LEVELS_PER_UNIT, drawn_score, rough_level
from exonym.frontier.frontier_look import KnownUrl
from exonym.link_types import shape_of
from exonym.strategies.base import ScoresAgain
from exonym.urls import id_of, segment_of, server_of

_FOUND = ("relevant", "irrelevant", "elsewhere", "spoken")


def link_part(inquiry: Inquiry, url: str, server: dict[str, Any]) -> dict[str, Any]:
    """What is known of a URL without a visit; `server` is what is known of its server."""
    home = inquiry.home_of(server_of(url))
    known = home.look.known(url) if home.look else None
    visit = _waiting_at(home, url)
    promise = _promise(home, visit).document() if visit else None
    place = place_of(home, visit) if visit and known and known.waits else None
    chain = chain_to(inquiry.cursor, id_of_source(visit.source, home.number)) if visit else []
    state, answer = _state(inquiry, home, url, known, server)
    floor = floor_of(home)
    if state == "waits":
        answer += f" with {promise_words(promise)}" if promise else ""
        if promise and floor is not None and not (promise["seed"] or promise["drawn"]) and promise["score"] < floor:
            state, answer = "below floor", f"{answer}, below the strategy's floor of {floor:g}"
        elif place:
            answer += f", {place.words}"
        answer += f".{_held_up(inquiry, server)}"
    return {
        "url": url,
        "state": state,
        "answer": answer,
        "promise": promise,
        "floor": floor,
        "score_when_queued": _queued_score(home, visit) if visit else None,
        "found": dict(zip(_FOUND, known.found, strict=True)) if known else None,
        "before": place.document() if place else None,
        "chain": chain,
        "has_source": visit is not None and visit.source != NO_ROW,
        "is_seed": inquiry.is_seed(url),
        "problem": home.problem,
        "scope": inquiry.scope.decide(url).document(),
    }


def _waiting_at(home: Home, url: str) -> Visit | None:
    """The link as it waits, or as it was set aside."""
    if home.look is None:
        return None
    waiting = (visit for visits in (*home.look.waiting.values(), home.look.aside) for visit in visits)
    return next((visit for visit in waiting if visit.text == url), None)


def _queued_score(home: Home, visit: Visit) -> float:
    falls = home.mind is not None and isinstance(home.mind.strategy, ScoresAgain)
    return (rough_level(visit.level) if falls else visit.level) / LEVELS_PER_UNIT


def _promise(home: Home, visit: Visit) -> Promise:
    """What a link that waits promises: as it would be scored now, if the strategy scores links again."""
    strategy = home.mind.strategy if home.mind else None
    rank = rank_of(home.mind, group_of(home.mind, visit)) if home.mind else 0.0
    score, note = _queued_score(home, visit), visit.note
    if isinstance(strategy, ScoresAgain) and visit.source != NO_ROW and home.look is not None:
        scores, notes = strategy.again(waiting_batch([visit], home.look))
        score, note = float(scores[0]), int(notes[0])
    rank = 0.0 if math.isnan(rank) else rank
    drawn = drawn_score(visit.level) if visit.source != NO_ROW else math.nan
    return promise_of(PromisingLink(visit.text, visit.source, note, rank + score, rank, drawn), strategy)


def _state(inquiry: Inquiry, home: Home, url: str, known: KnownUrl | None, server: dict[str, Any]) -> tuple[str, str]:
    """The first reason that holds, in a word and in a sentence; that of a link that waits has no end yet."""
    decision = inquiry.scope.decide(url)
    if decision.drop is not None:
        rule = rule_words(decision.drop.document())
        return "out of scope", f"Not visited: it is out of scope, by the rule {rule}."
    if known is not None and known.is_aside and decision.limit is not None:
        return "budget", f"Not visited: the rule {rule_words(decision.limit.document())} allows no more pages there."
    if home.aliases and (twin := home.aliases.twin_of(url)):
        return "alias", f"Not visited: it is another name of {twin}, which is visited in its place."
    if known is None:
        kind = home.mind.types.file_kind(id_of(server_of(url)), url) if home.mind and home.mind.types else ""
        if kind:
            ending = f", by its ending .{shape_of(url)}" if shape_of(url).isalnum() else ""
            said = f"Not requested: it seems to lead to a file ({kind}{ending}), and files are left out (urls.files)."
            return "file", said
        if home.look is None:
            return "unreadable", f"Not visited; whether it was found cannot be known. {home.problem}"
        return "not found", "Not found yet: no page that was fetched has a link to it that may be followed."
    if server["is_budget_reached"]:
        return "budget", f"Not visited: the budget of its server, {budget_words(inquiry, server)}, is reached."
    if known.waits:
        return "waits", "Not visited yet: it waits"
    if known.is_aside:
        return "waits", "Not visited yet: a rule of the scope had set it aside, and it comes back"
    if known.is_done:
        return "done", "Not visited: when its turn came, it was no longer wanted, by the limits or the scope of then."
    return _not_followed(inquiry, home, url)


def _not_followed(inquiry: Inquiry, home: Home, url: str) -> tuple[str, str]:
    mind, who = home.mind, inquiry.strategy["name"]
    if mind is None:
        return "not followed", "Not visited: it was found, and not followed."
    groups = {"server": id_of(server_of(url)), "segment": id_of(segment_of(url))}
    kind = mind.strategy.group.name.lower()
    if np.isnan(rank_of(mind, groups[kind])):
        return "left", f"Not visited: its {kind} was left, with all that waited there, by the strategy, {who}."
    if isinstance(mind.strategy, ScoresAgain):
        said = (
            f"more than {MOST_HOPS} redirects in a row led to it, or the budget of its server was reached at the time."
        )
        return "not followed", f"Not visited: when it was found, {said}"
    return "not followed", f"Not visited: it was found, and the answer of the strategy, {who}, was not to follow it."


def _held_up(inquiry: Inquiry, server: dict[str, Any]) -> str:
    """What keeps a link waiting beside those that come before it."""
    if server["rest"]:
        return f" Its server rests: {server['rest']['why']}."
    if inquiry.is_at_work(server["name"]):
        return " Its server is sent a request right now, perhaps for this link."
    return inquiry.ending
