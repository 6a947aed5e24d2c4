"""Why a server is visited, waits, rests, was left or is out of scope: what is known of it, a state and a sentence.

All texts come from the web, or may: clean them before printing.
"""

from __future__ import annotations

import math
from typing import Any

from exonym.crawl_views.inquiry import Home, Inquiry, first_of, floor_of, place_of, rank_of, rule_words
from exonym.crawl_views.why import server_story
from exonym.frontier.base import LEVELS_PER_UNIT
from exonym.live.events import counted_text
from exonym.report.number_text import date_and_time
from exonym.urls import id_of, server_of

_OF_STORY = (
    "pages",
    "relevant",
    "harvest",
    "failures",
    "copies",
    "limit",
    "is_budget_reached",
    "rest",
    "rules",
    "scope",
)
_BLANK: dict[str, Any] = dict.fromkeys(("pages", "relevant", "failures", "copies", "waiting", "left_out"), 0)
_FORBIDDEN = """select coalesce(sum(visits), 0)::bigint from tallies where server = hash(?) and outcome = 3
    and not starts_with(failure, 'scope:')"""


def server_part(inquiry: Inquiry, name: str) -> dict[str, Any]:
    """What is known of a server, for the answer about it or one of its pages."""
    story, home = server_story(inquiry.index, name), inquiry.home_of(name)
    known = story or {**_BLANK, **_of_scope(inquiry, name)}
    (forbidden,) = inquiry.cursor.execute(_FORBIDDEN, [name]).fetchone() or (0,)
    waiting = known["waiting"] + known["left_out"]
    if home.look is not None:
        waiting = sum(map(len, home.look.waiting.values())) + len(home.look.aside)
    facts = {
        "name": name,
        "is_known": story is not None or waiting > 0,
        **{key: known.get(key) for key in _OF_STORY},
        "forbidden": int(forbidden),  # by robots.txt
        "waiting": waiting,
        "alias_of": _alias_of(home, name),
        "kinds": known.get("kinds", []),
    }
    state, answer = _state(inquiry, home, facts)
    return {**facts, "state": state, "answer": answer}


def _of_scope(inquiry: Inquiry, name: str) -> dict[str, Any]:
    """What the scope says of a server without visits, as `server_story` does."""
    return {
        "scope": inquiry.scope.server_decision(name).document(),
        "rules": [rule.document() for rule in inquiry.scope.concerning(name)],
        "limit": inquiry.settings.limits.pages_per_server or None,
        "is_budget_reached": False,
    }


def _alias_of(home: Home, name: str) -> str:
    """The server that is visited in the place of this one; "" if this one is no alias."""
    twins = (home.aliases.twin_of(f"{scheme}://{name}/") for scheme in ("http", "https")) if home.aliases else ()
    return next((server_of(twin) for twin in twins if twin and server_of(twin) != name), "")


def _state(inquiry: Inquiry, home: Home, facts: dict[str, Any]) -> tuple[str, str]:
    """What holds the server up most, in a word and in a sentence."""
    links = f"{counted_text(facts['waiting'], 'link')} wait{'s' * (facts['waiting'] == 1)} there"
    if inquiry.scope.drops_server(facts["name"]):
        return "out of scope", f"It is out of scope: the rule {rule_words(facts['scope']['rule'])} drops it."
    if facts["alias_of"]:
        return "alias", f"It was left: it is another name of {facts['alias_of']}, which is visited in its place."
    if facts["is_budget_reached"]:
        return "budget", f"It was left: its budget of {budget_words(inquiry, facts)} is reached."
    if home.mind is not None and math.isnan(rank_of(home.mind, id_of(facts["name"]))):
        return "left", f"It was left by the strategy, {inquiry.strategy['name']}, after {_found_there(facts)}."
    if facts["rest"]:
        rest = facts["rest"]
        return "rests", f"It rests until {date_and_time(rest['until'])}: {rest['why']}. {links[0].upper()}{links[1:]}."
    if facts["waiting"]:
        return "waits", f"It waits: {links}{_first_place(home)}.{inquiry.ending}"
    if not facts["is_known"]:
        return "unknown", "Nothing is known of it: no page that was fetched links to it."
    return "done", f"Nothing waits there: {_all_done(facts)}."


def budget_words(inquiry: Inquiry, facts: dict[str, Any]) -> str:
    """How many pages may be fetched of a server, and who says so."""
    rule = facts["scope"]["limit"]
    return f"{counted_text(facts['limit'], 'page')} ({rule_words(rule) if rule else 'limits.pages_per_server'})"


def _found_there(facts: dict[str, Any]) -> str:
    return f"{counted_text(facts['pages'], 'page')}, {facts['relevant']:,} of them relevant"


def _first_place(home: Home) -> str:
    """The place in the order of the first link of a server."""
    first, floor = first_of(home), floor_of(home)
    place = place_of(home, first) if first else None
    if first is None or place is None:
        return ""
    if floor is not None and first.level / LEVELS_PER_UNIT < floor:
        return f", all with scores below the strategy's floor of {floor:g}"
    if not place.before and not place.alike:
        return f", the first of them {place.words}"
    return f", {place.words.replace('before it', 'before the first of them')}"


def _all_done(facts: dict[str, Any]) -> str:
    if facts["forbidden"] and not facts["pages"]:
        return "its robots.txt forbids all that was to be visited"
    if facts["pages"] and facts["failures"] == facts["pages"]:
        kinds = ", ".join(f"{row['kind']} {row['visits']:,}" for row in facts["kinds"])
        return f"{'the only request' if facts['pages'] == 1 else 'all requests'} failed ({kinds})"
    return f"all that was found and followed there has been visited, {_found_there(facts)}"
