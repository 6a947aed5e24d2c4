"""The table of servers with their counts, one row each: made of the tallies, or renewed for those that changed."""

BLOCKING = (401, 403, 407, 429, 451, 503)  # status codes by which servers turn visitors away
STATUSES = {200: (200,), 300: (301, 302, 304), 400: (400, 401, 403, 404, 410, 429, 451), 500: (500, 502, 503)}


def _sum(what: str, condition: str = "") -> str:
    chosen = f" filter ({condition})" if condition else ""
    return f"coalesce(sum(t.{what}){chosen}, 0)::bigint"


def _statuses() -> dict[str, str]:
    counts: dict[str, str] = {}
    for hundred, codes in STATUSES.items():
        counts |= {f"status_{code}": _sum("visits", f"t.status = {code}") for code in codes}
        others = f"t.status between {hundred} and {hundred + 99} and t.status not in {(*codes, 0)}"
        counts[f"status_{hundred}s"] = _sum("visits", others)
    return counts


# By column: what it is of the tallies `t` of a server.
COUNTS = {
    "rows": _sum("visits"),
    "visits": _sum("visits", "t.outcome <> 3"),
    "pages": _sum("visits", "t.outcome <= 1"),
    "relevant": _sum("relevant"),
    "failures": _sum("visits", "t.outcome = 1"),
    "forbidden": _sum("visits", "t.outcome = 3"),
    "blocked": _sum("visits", f"t.status in {BLOCKING}"),
    "no_answer": _sum("visits", "t.status = 0 and t.outcome = 1"),
    "copies": _sum("copies"),
    "bytes": _sum("bytes"),
    "seconds": "sum(t.seconds) / sum(t.visits)",
    "first": "min(t.first)",
    "last": "max(t.last)",
    **_statuses(),
}
COLUMNS_OF_SERVERS = "id ubigint, name varchar, site varchar, domain varchar, country varchar, " + ", ".join(
    f"{name} {'double' if name in ('seconds', 'first', 'last') else 'bigint'}" for name in COUNTS
)

_COUNTED = ", ".join(f"{sql} as {name}" for name, sql in COUNTS.items())
_COUNT = f"""select s.id, s.name, s.site, s.domain, s.country, c.* exclude (server) from
    (select t.server, {_COUNTED} from tallies t {{}} group by t.server) c join servers s on s.id = c.server"""
MAKE = ("create or replace table server_counts as " + _COUNT.format(""),)
# `touched` names the servers that have new visits.
RENEW = (
    "delete from server_counts where id in (from touched)",
    "insert into server_counts " + _COUNT.format("where t.server in (from touched)"),
)
