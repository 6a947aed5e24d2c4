"""Every view of a crawl, by its name."""

from exonym.batches import Outcome
from exonym.crawl_views.view import View, ViewColumn

OUTCOMES = {
    Outcome.PAGE: "page",
    Outcome.FAILED: "failed",
    Outcome.REDIRECT: "redirect",
    Outcome.FORBIDDEN: "forbidden",
    Outcome.SITEMAP: "sitemap",
}
BLOCKING = (401, 403, 407, 429, 451, 503)  # status codes by which servers turn visitors away

_OF_SERVERS = "tallies t join servers s on s.id = t.server"


def _sum(what: str, condition: str = "") -> str:
    chosen = f" filter ({condition})" if condition else ""
    return f"coalesce(sum(t.{what}){chosen}, 0)::bigint"


_PAGES = _sum("visits", "t.outcome <= 1")
_RELEVANT = _sum("relevant")
_HARVEST = f"{_RELEVANT} / nullif({_PAGES}, 0)"
_FAILURES = _sum("visits", "t.outcome = 1")
_BLOCKED = _sum("visits", f"t.status in {BLOCKING}")
_OUTCOME = "case outcome " + " ".join(f"when {int(key)} then '{name}'" for key, name in OUTCOMES.items()) + " end"

_STATE = (
    f"case when v.outcome is null then 'not visited' when v.outcome = 1 then 'dead' "
    f"else {_OUTCOME.replace('outcome', 'v.outcome')} end"
)


def _status(code: int) -> ViewColumn:
    return ViewColumn(f"status_{code}", _sum("visits", f"t.status = {code}"), "count", str(code))


def _other_statuses(hundred: int, named: tuple[int, ...]) -> ViewColumn:
    others = f"t.status between {hundred} and {hundred + 99} and t.status not in {(*named, 0)}"
    return ViewColumn(f"status_{hundred}s", _sum("visits", others), "count", f"other {hundred // 100}xx")


_NAMED = {200: (200,), 300: (301, 302, 304), 400: (400, 401, 403, 404, 410, 429, 451), 500: (500, 502, 503)}
_STATUSES = tuple(
    column for hundred, codes in _NAMED.items() for column in (*map(_status, codes), _other_statuses(hundred, codes))
)

SERVERS = View(
    "servers",
    "Servers",
    (
        ViewColumn("server", "any_value(s.name)"),
        ViewColumn("pages", _PAGES, "count"),
        ViewColumn("relevant", _RELEVANT, "count"),
        ViewColumn("harvest", _HARVEST, "share", "harvest rate"),
        ViewColumn("failures", _FAILURES, "count"),
        ViewColumn("blocked", _BLOCKED, "count", "turned away"),
        ViewColumn("forbidden", _sum("visits", "t.outcome = 3"), "count"),
        ViewColumn("copies", _sum("copies"), "count"),
        ViewColumn("bytes", _sum("bytes"), "bytes", "received"),
        ViewColumn("seconds", "sum(t.seconds) / sum(t.visits)", "number", "seconds a request"),
        ViewColumn("site", "any_value(s.site)", is_shown=False),
        ViewColumn("domain", "any_value(s.domain)", is_shown=False, title="top-level domain"),
        ViewColumn("country", "any_value(s.country)"),
        ViewColumn("first", "min(t.first)", "time", "first visit", is_shown=False),
        ViewColumn("last", "max(t.last)", "time", "last visit"),
    ),
    _OF_SERVERS,
    "-relevant",
    searched="any_value(s.name)",
    filters={
        "best": "relevant > 0",
        "worst": "pages >= 3 and relevant = 0",
        "blocking": "blocked > 0 and 2 * blocked >= pages",
        "failing": "failures > 0 and 2 * failures >= pages",
        "forbidding": "forbidden > 0",
    },
    note="Turned away: answers with " + ", ".join(map(str, BLOCKING)) + ". Countries are those of the addresses, "
    "or of the domains where no address is known.",
    group_by="t.server",
)
STATUSES_BY_SERVER = View(
    "statuses-by-server",
    "Status codes by server",
    (
        ViewColumn("server", "any_value(s.name)"),
        ViewColumn("visits", _sum("visits", "t.outcome <> 3"), "count"),
        *_STATUSES,
        ViewColumn("no_answer", _sum("visits", "t.status = 0 and t.outcome = 1"), "count"),
        ViewColumn("blocked", _BLOCKED, "count", "turned away"),
        ViewColumn(
            "blocked_share", f"{_BLOCKED} / nullif({_sum('visits', 't.outcome <> 3')}, 0)", "share", "share turned away"
        ),
    ),
    _OF_SERVERS,
    "-blocked",
    searched="any_value(s.name)",
    filters={"blocking": "blocked > 0", "silent": "no_answer > 0"},
    note="Every answer counts, redirects and sitemaps too; robots.txt does not. Turned away: "
    + ", ".join(map(str, BLOCKING))
    + ".",
    group_by="t.server",
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
    searched="lower(g.name)",
    filters={"best": "g.relevant > 0", "worst": "g.pages >= 2 and g.relevant = 0"},
    note="A segment is a directory of a server. The pages of segments are counted now and then.",
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
        ViewColumn("relevance", "relevance", "share"),
        ViewColumn("score", "score", "number"),
        ViewColumn("distance", "distance", "count"),
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
    searched="lower(url || ' ' || title)",
    filters={
        "relevant": "relevant",
        "irrelevant": "outcome = 0 and not relevant",
        "failed": "outcome = 1",
        "redirects": "outcome = 2",
        "forbidden": "outcome = 3",
        "by rule": "rule <> ''",
        "copies": '"copy"',
    },
)
LANGUAGES = View(
    "languages",
    "Pages by language",
    (
        ViewColumn("language", "coalesce(nullif(t.language, ''), 'unknown')"),
        ViewColumn("pages", _sum("visits"), "count"),
        ViewColumn("share", "sum(t.visits) / sum(sum(t.visits)) over ()", "share"),
        ViewColumn("relevant", _RELEVANT, "count"),
        ViewColumn("inherited", _sum("inherited"), "count"),
        ViewColumn("servers", "count(distinct t.server)", "count"),
    ),
    "tallies t where t.outcome = 0",
    "-pages",
    searched="coalesce(nullif(t.language, ''), 'unknown')",
    note="Inherited: pages that show no language and were taken to be in that of the page that linked to them.",
    group_by="t.language",
)
DOMAINS = View(
    "domains",
    "Pages by top-level domain",
    (
        ViewColumn("domain", "coalesce(nullif(s.domain, ''), 'none')", title="top-level domain"),
        ViewColumn("pages", _PAGES, "count"),
        ViewColumn("relevant", _RELEVANT, "count"),
        ViewColumn("harvest", _HARVEST, "share", "harvest rate"),
        ViewColumn("servers", "count(distinct t.server)", "count"),
        ViewColumn("relevant_servers", "count(distinct t.server) filter (t.relevant > 0)", "count"),
    ),
    _OF_SERVERS,
    "-relevant",
    searched="coalesce(nullif(s.domain, ''), 'none')",
    group_by="s.domain",
)
COUNTRIES = View(
    "countries",
    "Pages by country of the server",
    (
        ViewColumn("country", "coalesce(nullif(s.country, ''), 'unknown')"),
        ViewColumn("pages", _PAGES, "count"),
        ViewColumn("relevant", _RELEVANT, "count"),
        ViewColumn("harvest", _HARVEST, "share", "harvest rate"),
        ViewColumn("servers", "count(distinct t.server)", "count"),
        ViewColumn("relevant_servers", "count(distinct t.server) filter (t.relevant > 0)", "count"),
    ),
    _OF_SERVERS,
    "-relevant",
    searched="coalesce(nullif(s.country, ''), 'unknown')",
    note="Where the address is registered; where none is known, the country of the top-level domain.",
    group_by="s.country",
)
STATUSES = View(
    "statuses",
    "Status codes",
    (
        ViewColumn("status", "t.status", "count"),
        ViewColumn("visits", _sum("visits"), "count"),
        ViewColumn("share", "sum(t.visits) / sum(sum(t.visits)) over ()", "share"),
        ViewColumn("servers", "count(distinct t.server)", "count"),
    ),
    "tallies t where t.outcome <> 3",
    "-visits",
    note="0: the server gave no answer.",
    group_by="t.status",
)
FAILURES = View(
    "failures",
    "Failures by kind",
    (
        ViewColumn("kind", "kind", title="kind of failure"),
        ViewColumn("failure", "failure"),
        ViewColumn("visits", "count(*)", "count"),
        ViewColumn("share", "count(*) / sum(count(*)) over ()", "share"),
        ViewColumn("servers", "count(distinct server)", "count"),
        ViewColumn("example", "any_value(url)", "url"),
    ),
    "visits v where outcome = 1",
    "-visits",
    searched="lower(kind || ' ' || failure)",
    group_by="kind, failure",
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
)

VIEWS = {
    view.name: view
    for view in (
        *(SERVERS, STATUSES_BY_SERVER, SEGMENTS, VISITS, LANGUAGES, DOMAINS, COUNTRIES, STATUSES, FAILURES, SEEDS),
    )
}
