"""Every view of a crawl, by its name."""

from exonym.batches import Outcome
from exonym.crawl_views.server_counts import BLOCKING, COUNTS
from exonym.crawl_views.view import View, ViewColumn

OUTCOMES = {
    Outcome.PAGE: "page",
    Outcome.FAILED: "failed",
    Outcome.REDIRECT: "redirect",
    Outcome.FORBIDDEN: "forbidden",
    Outcome.SITEMAP: "sitemap",
}
_OUTCOME = "case outcome " + " ".join(f"when {int(key)} then '{name}'" for key, name in OUTCOMES.items()) + " end"
_STATE = (
    "case when v.outcome is null then 'not visited' when v.outcome = 1 then 'dead' "
    f"else {_OUTCOME.replace('outcome', 'v.outcome')} end"
)
_CODES = ", ".join(map(str, BLOCKING))


def _status(name: str) -> ViewColumn:
    code = name.removeprefix("status_")
    return ViewColumn(name, name, "count", f"other {code[0]}xx" if code.endswith("s") else code)


SERVERS = View(
    "servers",
    "Servers",
    (
        ViewColumn("server", "name"),
        ViewColumn("pages", "pages", "count"),
        ViewColumn("relevant", "relevant", "count"),
        ViewColumn("harvest", "relevant / nullif(pages, 0)", "share", "harvest rate"),
        ViewColumn("failures", "failures", "count"),
        ViewColumn("blocked", "blocked", "count", "turned away"),
        ViewColumn("forbidden", "forbidden", "count"),
        ViewColumn("copies", "copies", "count", is_shown=False),
        ViewColumn("bytes", "bytes", "bytes", "received"),
        ViewColumn("seconds", "seconds", "number", "s/request"),
        ViewColumn("site", "site", is_shown=False),
        ViewColumn("domain", "domain", is_shown=False, title="top-level domain"),
        ViewColumn("country", "country"),
        ViewColumn("first", "first", "time", "first visit", is_shown=False),
        ViewColumn("last", "last", "time", "last visit"),
    ),
    "server_counts",
    "-relevant",
    searched="name",
    filters={
        "best": "relevant > 0",
        "worst": "pages >= 3 and relevant = 0",
        "blocking": "blocked > 0 and 2 * blocked >= pages",
        "failing": "failures > 0 and 2 * failures >= pages",
        "forbidding": "forbidden > 0",
    },
    note=f"Turned away: answers with {_CODES}. Countries are those of the addresses, or of the domains where no "
    "address is known.",
    tie="name",
)
STATUSES_BY_SERVER = View(
    "statuses-by-server",
    "Status codes by server",
    (
        ViewColumn("server", "name"),
        ViewColumn("visits", "visits", "count"),
        *(_status(name) for name in COUNTS if name.startswith("status_")),
        ViewColumn("no_answer", "no_answer", "count"),
        ViewColumn("blocked", "blocked", "count", "turned away"),
        ViewColumn("blocked_share", "blocked / nullif(visits, 0)", "share", "share turned away"),
    ),
    "server_counts",
    "-blocked",
    searched="name",
    filters={"blocking": "blocked > 0", "silent": "no_answer > 0"},
    note=f"Every answer counts, redirects and sitemaps too; robots.txt does not. Turned away: {_CODES}.",
    tie="visits desc, name",
)
SEGMENTS = View(
    "segments",
    "Segments",
    (
        ViewColumn("segment", "g.name", "url"),
        ViewColumn("pages", "g.pages", "count"),
        ViewColumn("relevant", "g.relevant", "count"),
        ViewColumn("harvest", "g.relevant / g.pages", "share", "relevance degree"),
        ViewColumn("failures", "g.failures", "count"),
        ViewColumn("server", "split_part(g.name, '/', 3)", matches="g.server = hash(?)"),
    ),
    "segments g",
    "-relevant",
    searched="g.words",
    filters={"best": "g.relevant > 0", "worst": "g.pages >= 2 and g.relevant = 0"},
    note="A segment is a directory of a server. The pages of segments are counted now and then.",
    tie="g.id",
    is_large=True,
)
VISITS = View(
    "visits",
    "Visits",
    (
        ViewColumn("id", "id", "id", is_shown=False),
        ViewColumn("when", '"when"', "time", "time"),
        ViewColumn("url", "url", "url"),
        ViewColumn("title", "title"),
        ViewColumn("outcome", _OUTCOME),
        ViewColumn("status", "status", "count"),
        ViewColumn("language", "language"),
        ViewColumn("relevant", "relevant", "flag"),
        ViewColumn("relevance", "relevance", "number"),
        ViewColumn("score", "score", "number"),
        ViewColumn("distance", "distance", "count", is_shown=False),
        ViewColumn("bytes", "length", "bytes", "received"),
        ViewColumn("seconds", "seconds", "number", is_shown=False),
        ViewColumn("failure", "failure"),
        ViewColumn("kind", "kind", title="kind of failure", is_shown=False),
        ViewColumn("rule", "rule", title="rule of the scope", is_shown=False),
        ViewColumn("copy", '"copy"', "flag", is_shown=False),
        ViewColumn("inherited", "inherited", "flag", is_shown=False),
        ViewColumn("content_type", "content_type", is_shown=False),
        ViewColumn("server", "split_part(url, '/', 3)", is_shown=False, matches="server = hash(?)"),
    ),
    "visits",
    "-id",
    searched="words",
    filters={
        "relevant": "relevant",
        "irrelevant": "outcome = 0 and not relevant",
        "failed": "outcome = 1",
        "redirects": "outcome = 2",
        "forbidden": "outcome = 3",
        "by rule": "rule <> ''",
        "copies": '"copy"',
    },
    tie="id",
    is_large=True,
)
LANGUAGES = View(
    "languages",
    "Pages by language",
    (
        ViewColumn("language", "coalesce(nullif(language, ''), 'unknown')"),
        ViewColumn("pages", "sum(pages)::bigint", "count"),
        ViewColumn("share", "sum(pages) / sum(sum(pages)) over ()", "share"),
        ViewColumn("relevant", "sum(relevant)::bigint", "count"),
        ViewColumn("inherited", "sum(inherited)::bigint", "count"),
        ViewColumn("servers", "count(distinct server)", "count"),
    ),
    "language_tallies",
    "-pages",
    searched="coalesce(nullif(language, ''), 'unknown')",
    note="Inherited: pages that show no language and were taken to be in that of the page that linked to them.",
    group_by="language",
)


def _by_place(column: str, unknown: str) -> tuple[ViewColumn, ...]:
    return (
        ViewColumn(column, f"coalesce(nullif({column}, ''), '{unknown}')", title=_PLACES[column]),
        ViewColumn("pages", "sum(pages)::bigint", "count"),
        ViewColumn("relevant", "sum(relevant)::bigint", "count"),
        ViewColumn("harvest", "sum(relevant) / nullif(sum(pages), 0)", "share", "harvest rate"),
        ViewColumn("servers", "count(*)", "count"),
        ViewColumn("relevant_servers", "count(*) filter (relevant > 0)", "count"),
    )


_PLACES = {"domain": "top-level domain", "country": ""}
DOMAINS = View(
    "domains",
    "Pages by top-level domain",
    _by_place("domain", "none"),
    "server_counts",
    "-relevant",
    searched="coalesce(nullif(domain, ''), 'none')",
    group_by="server_counts.domain",
)
COUNTRIES = View(
    "countries",
    "Pages by country of the server",
    _by_place("country", "unknown"),
    "server_counts",
    "-relevant",
    searched="lower(coalesce(nullif(country, ''), 'unknown'))",
    note="Where the address is registered; where none is known, the country of the top-level domain.",
    group_by="server_counts.country",
)
STATUSES = View(
    "statuses",
    "Status codes",
    (
        ViewColumn("status", "status", "count"),
        ViewColumn("visits", "sum(visits)::bigint", "count"),
        ViewColumn("share", "sum(visits) / sum(sum(visits)) over ()", "share"),
        ViewColumn("servers", "count(distinct server)", "count"),
    ),
    "tallies where outcome <> 3",
    "-visits",
    note="0: the server gave no answer.",
    group_by="status",
)
FAILURES = View(
    "failures",
    "Failures by kind",
    (
        ViewColumn("kind", "any_value(kind)", title="kind of failure"),
        ViewColumn("failure", "tallies.failure"),
        ViewColumn("visits", "sum(visits)::bigint", "count"),
        ViewColumn("share", "sum(visits) / sum(sum(visits)) over ()", "share"),
        ViewColumn("servers", "count(distinct server)", "count"),
        ViewColumn("example", "any_value(example)", "url"),
    ),
    "tallies where outcome = 1",
    "-visits",
    searched="lower(any_value(kind) || ' ' || tallies.failure)",
    group_by="tallies.failure, case when tallies.failure = '' then tallies.status else 0 end",
)
SEEDS = View(
    "seeds",
    "Seeds",
    (
        ViewColumn("seed", "l.url", "url"),
        ViewColumn("state", _STATE),
        ViewColumn("status", "v.status", "count"),
        ViewColumn("failure", "v.failure"),
        ViewColumn("relevant", "v.relevant", "flag"),
        ViewColumn("language", "v.language"),
        ViewColumn("when", 'v."when"', "time", "time"),
        ViewColumn("id", "l.visit", "id", is_shown=False),
    ),
    "seed_urls l left join visits v on v.id = l.visit",
    "state",
    searched="lower(l.url)",
    filters={"dead": "v.outcome = 1", "alive": "v.outcome in (0, 2)", "not visited": "l.visit is null"},
    note="Dead: the request failed, also after it was tried again.",
    key="l.rowid",
    tie="l.url",
)

FRONTIER = View(
    "frontier",
    "Frontier: servers where links wait",
    (
        ViewColumn("server", "w.name"),
        ViewColumn("waiting", "w.links", "count", "links that wait"),
        ViewColumn("left_out", "w.left_out", "count", "left out by the scope"),
        ViewColumn("pages", "coalesce(c.pages, 0)", "count", "pages fetched"),
        ViewColumn("relevant", "coalesce(c.relevant, 0)", "count"),
        ViewColumn("harvest", "c.relevant / nullif(c.pages, 0)", "share", "harvest rate"),
    ),
    "waiting w left join server_counts c on c.id = w.server",
    "-waiting",
    searched="lower(w.name)",
    filters={"new servers": "c.id is null", "left out": "w.left_out > 0"},
    note="Links known and not yet visited. They are counted now and then.",
    key="w.rowid",
    tie="w.name",
)

VIEWS = {
    view.name: view
    for view in (
        *(SERVERS, STATUSES_BY_SERVER, SEGMENTS, VISITS, LANGUAGES, DOMAINS, COUNTRIES, STATUSES, FAILURES, SEEDS),
        FRONTIER,
    )
}
