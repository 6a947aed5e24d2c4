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

_PAGES = "count(*) filter (v.outcome <= 1)"
_RELEVANT = "count(*) filter (v.relevant)"
_HARVEST = f"{_RELEVANT} / nullif({_PAGES}, 0)"
_FAILURES = "count(*) filter (v.outcome = 1)"
_BLOCKED = f"count(*) filter (v.status in {BLOCKING})"
_OF_SERVERS = "visits v join servers s on s.id = v.server"
_OUTCOME = "case outcome " + " ".join(f"when {int(key)} then '{name}'" for key, name in OUTCOMES.items()) + " end"


def _status(code: int) -> ViewColumn:
    return ViewColumn(f"status_{code}", f"count(*) filter (v.status = {code})", "count", str(code))


def _other_statuses(hundred: int, named: tuple[int, ...]) -> ViewColumn:
    others = f"v.status between {hundred} and {hundred + 99} and v.status not in {(*named, 0)}"
    return ViewColumn(f"status_{hundred}s", f"count(*) filter ({others})", "count", f"other {hundred // 100}xx")


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
        ViewColumn("forbidden", "count(*) filter (v.outcome = 3)", "count"),
        ViewColumn("copies", "count(*) filter (v.copy)", "count"),
        ViewColumn("bytes", "sum(v.length)", "bytes", "received"),
        ViewColumn("seconds", "avg(v.seconds)", "number", "seconds a request"),
        ViewColumn("site", "any_value(s.site)", is_shown=False),
        ViewColumn("domain", "any_value(s.domain)", is_shown=False, title="top-level domain"),
        ViewColumn("country", "any_value(s.country)"),
        ViewColumn("first", 'min(v."when")', "time", "first visit", is_shown=False),
        ViewColumn("last", 'max(v."when")', "time", "last visit"),
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
    group_by="v.server",
)
STATUSES_BY_SERVER = View(
    "statuses-by-server",
    "Status codes by server",
    (
        ViewColumn("server", "any_value(s.name)"),
        ViewColumn("visits", "count(*) filter (v.outcome <> 3)", "count"),
        *_STATUSES,
        ViewColumn("no_answer", "count(*) filter (v.status = 0 and v.outcome = 1)", "count"),
        ViewColumn("blocked", _BLOCKED, "count", "turned away"),
        ViewColumn("blocked_share", f"{_BLOCKED} / nullif(count(*), 0)", "share", "share turned away"),
    ),
    _OF_SERVERS,
    "-blocked",
    searched="any_value(s.name)",
    filters={"blocking": "blocked > 0", "silent": "no_answer > 0"},
    note="Every answer counts, redirects and sitemaps too; robots.txt does not. Turned away: "
    + ", ".join(map(str, BLOCKING))
    + ".",
    group_by="v.server",
)
SEGMENTS = View(
    "segments",
    "Segments",
    (
        ViewColumn("segment", "any_value(v.url)", "url"),
        ViewColumn("pages", "max(g.pages)", "count"),
        ViewColumn("relevant", "max(g.relevant)", "count"),
        ViewColumn("harvest", "max(g.relevant) / nullif(max(g.pages), 0)", "share", "relevance degree"),
        ViewColumn("failures", "max(g.failures)", "count"),
        ViewColumn("server", "any_value(s.name)"),
    ),
    "segments g join servers s on s.id = g.server join visits v on v.id = g.sample",
    "-relevant",
    searched="any_value(v.words)",
    filters={"best": "relevant > 0", "worst": "pages >= 2 and relevant = 0"},
    note="A segment is a directory of a server. The pages of segments are counted now and then.",
    group_by="g.id",
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
        ViewColumn("server", "server", "id", is_shown=False),
    ),
    "visits",
    "-id",
    searched="words",
    filters={
        "relevant": "relevant",
        "irrelevant": "outcome = 'page' and not relevant",
        "failed": "outcome = 'failed'",
        "redirects": "outcome = 'redirect'",
        "forbidden": "outcome = 'forbidden'",
        "by rule": "rule <> ''",
        "copies": '"copy"',
    },
)
LANGUAGES = View(
    "languages",
    "Pages by language",
    (
        ViewColumn("language", "coalesce(nullif(language, ''), 'unknown')"),
        ViewColumn("pages", "count(*)", "count"),
        ViewColumn("share", "count(*) / sum(count(*)) over ()", "share"),
        ViewColumn("relevant", "count(*) filter (relevant)", "count"),
        ViewColumn("inherited", "count(*) filter (inherited)", "count"),
        ViewColumn("servers", "count(distinct server)", "count"),
    ),
    "visits v where outcome = 0",
    "-pages",
    searched="coalesce(nullif(language, ''), 'unknown')",
    note="Inherited: pages that show no language and were taken to be in that of the page that linked to them.",
    group_by="language",
)
DOMAINS = View(
    "domains",
    "Pages by top-level domain",
    (
        ViewColumn("domain", "coalesce(nullif(s.domain, ''), 'none')", title="top-level domain"),
        ViewColumn("pages", _PAGES, "count"),
        ViewColumn("relevant", _RELEVANT, "count"),
        ViewColumn("harvest", _HARVEST, "share", "harvest rate"),
        ViewColumn("servers", "count(distinct v.server)", "count"),
        ViewColumn("relevant_servers", "count(distinct v.server) filter (v.relevant)", "count"),
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
        ViewColumn("servers", "count(distinct v.server)", "count"),
        ViewColumn("relevant_servers", "count(distinct v.server) filter (v.relevant)", "count"),
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
        ViewColumn("status", "status", "count"),
        ViewColumn("visits", "count(*)", "count"),
        ViewColumn("share", "count(*) / sum(count(*)) over ()", "share"),
        ViewColumn("servers", "count(distinct server)", "count"),
    ),
    "visits v where outcome <> 3",
    "-visits",
    note="0: the server gave no answer.",
    group_by="status",
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
        ViewColumn("seed", "any_value(l.url)", "url"),
        ViewColumn(
            "state",
            "any_value(case when v.id is null then 'not visited' else case v.outcome "
            "when 0 then 'page' when 1 then 'dead' when 2 then 'redirect' when 3 then 'forbidden' "
            "else 'sitemap' end end)",
        ),
        ViewColumn("status", "max(v.status)", "count"),
        ViewColumn("failure", "any_value(v.failure)"),
        ViewColumn("relevant", "bool_or(v.relevant)", "flag"),
        ViewColumn("language", "any_value(v.language)"),
        ViewColumn("when", 'max(v."when")', "time", "time"),
        ViewColumn("id", "max(v.id)", "id", is_shown=False),
    ),
    "seed_urls l left join visits v on v.url = l.url and not starts_with(v.failure, 'scope:')",
    "state",
    searched="any_value(lower(l.url))",
    filters={
        "dead": "state = 'dead'",
        "alive": "state in ('page', 'redirect')",
        "not visited": "state = 'not visited'",
    },
    group_by="l.url",
)

VIEWS = {
    view.name: view
    for view in (
        *(SERVERS, STATUSES_BY_SERVER, SEGMENTS, VISITS, LANGUAGES, DOMAINS, COUNTRIES, STATUSES, FAILURES, SEEDS),
    )
}
