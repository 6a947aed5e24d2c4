"""Everything that is known of one page or one server: how it was found, what was decided about it, and why.

All texts in these documents come from the web, or may: show them as text.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from exonym.batches import Outcome
from exonym.config import Settings
from exonym.crawl_directory.crawl_parts import home_of
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.progress_file import read_progress
from exonym.crawl_views.index_tables import PARTITION_ROWS
from exonym.crawl_views.promise import Promise, PromisingLink, promise_of
from exonym.crawl_views.view import plain_value
from exonym.crawl_views.views import OUTCOMES
from exonym.crawl_views.visit_index import VisitIndex
from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.journal import JournalRow
from exonym.live.found_links import probed_score
from exonym.scope import CrawlScope
from exonym.scope.scope_file import readable_scope
from exonym.urls import segment_of, server_of

if TYPE_CHECKING:
    import duckdb

MOST_HOPS = 20
MOST_ROWS_TOLD = 20
MOST_MOMENTS = 200

_LINKED = ("id", "url", "title", "outcome", "relevant", "relevance", "language", "when", "source")


# Pages


def page_story(index: VisitIndex, number: int) -> dict[str, Any] | None:
    """Everything about the visit with this id; None if there is none."""
    row = index.journal_row(number)
    if row is None:
        return None
    cursor = index.cursor()
    visit = {name: plain_value(value) for name, value in msgspec.structs.asdict(row).items()}
    settings = CrawlDirectory(index.directory).settings
    scope = readable_scope(home_of(index.directory), settings.scope.rules).scope
    visit["outcome"] = OUTCOMES[Outcome(row.outcome)]
    return {
        "id": number,
        **visit,
        "server": server_of(row.url),
        "segment": segment_of(row.url),
        "is_page": row.outcome <= Outcome.FAILED,
        "promise": _promise(index, row, number // PARTITION_ROWS).document(),
        "place": _place(index, cursor, number, row.when),
        "visits": index.rows,
        "chain": chain_to(cursor, row.source),
        "led_to": _linked(cursor, "source = ? order by id limit ?", [number, MOST_ROWS_TOLD]),
        "led_to_count": _count(cursor, "visits where source = ?", [number]),
        "scope": scope.decide(row.url).document(),
        "archive": _archive_place(index, row.warc_file, row.warc_offset),
    }


def _promise(index: VisitIndex, row: JournalRow, partition: int) -> Promise:
    mind, _ = index.minds.of(partition)
    link = PromisingLink(row.url, row.source, row.note, row.score, row.rank, probed_score(row))
    return promise_of(link, mind.strategy if mind else None)


def _place(index: VisitIndex, cursor: duckdb.DuckDBPyConnection, number: int, when: float) -> int:
    """The how-many-eth visit of the crawl it was; those of several partitions are ordered by time."""
    if index.partitions <= 1:
        return number % PARTITION_ROWS + 1
    return _count(cursor, 'visits where "when" < ? or ("when" = ? and id <= ?)', [when, when, number])


def chain_to(cursor: duckdb.DuckDBPyConnection, source: int) -> list[dict[str, Any]]:
    """The pages by which a visit was found: first the one that linked to it, last a seed, if that is near enough."""
    chain: list[dict[str, Any]] = []
    while source >= 0 and len(chain) < MOST_HOPS:
        found = _linked(cursor, "id = ?", [source])
        if not found:  # in a partition that cannot be read
            break
        chain += found
        source = found[0]["source"]
    return chain


def _linked(cursor: duckdb.DuckDBPyConnection, condition: str, values: list[Any]) -> list[dict[str, Any]]:
    columns = ", ".join(f'"{name}"' for name in _LINKED)
    rows = cursor.execute(f"select {columns} from visits where {condition}", values).fetchall()
    visits = [{name: plain_value(value) for name, value in zip(_LINKED, row, strict=True)} for row in rows]
    return [visit | {"outcome": OUTCOMES[Outcome(visit["outcome"])]} for visit in visits]


def _count(cursor: duckdb.DuckDBPyConnection, source: str, values: list[Any]) -> int:
    (count,) = cursor.execute(f"select count(*) from {source}", values).fetchone() or (0,)
    return int(count)


def _archive_place(index: VisitIndex, file: str, offset: int) -> dict[str, Any] | None:
    if not file or Path(file).name != file:
        return None
    folder = CrawlDirectory(index.directory).archive_folder(file)
    return {"file": str(folder / file), "offset": offset}


def archived_text(directory: Path, index: VisitIndex, number: int, most: int = 20_000) -> dict[str, Any]:
    """Title and visible text of an archived page, at most `most` letters; `problem` says why there is none.

    Nothing that a page or an archive holds makes this raise.
    """
    row = index.journal_row(number)
    text = {"title": row.title if row else "", "text": "", "charset": "", "language": row.language if row else ""}
    if row is None or not row.warc_file:
        return {**text, "is_cut": False, "problem": "the archive has no page of this visit"}
    try:
        wants = Wants(around=False, place=False, anchor=False, most_links=0, longest_text=most + 1)
        document = CrawlDirectory(directory).page(row).document(wants)
    except ExonymError as error:
        return {**text, "is_cut": False, "problem": str(error)}
    except Exception as error:  # whatever a page does to a parser
        return {**text, "is_cut": False, "problem": f"the page cannot be read: {type(error).__name__}"}
    if document is None:
        return {**text, "is_cut": False, "problem": f"no HTML ({row.content_type or 'of no type'})"}
    visible = document.text
    text |= {"title": document.title[:most], "text": visible[:most], "charset": document.charset}
    return {**text, "is_cut": len(visible) > most, "problem": "" if visible else "the page has no text"}


# Servers


def server_story(index: VisitIndex, name: str) -> dict[str, Any] | None:
    """Everything about the server of this name; None if it has no visits, and no links wait there."""
    cursor = index.cursor()
    found = _records(cursor, _SERVER, [name, name])
    if not found:
        return None
    server = found[0]
    number = server.pop("id")
    settings = CrawlDirectory(index.directory).settings
    scope = readable_scope(home_of(index.directory), settings.scope.rules).scope
    counts = _records(cursor, _SERVER_COUNTS, [number])[0]
    top = [number, number, MOST_ROWS_TOLD]
    return {
        **server,
        **counts,
        "harvest": counts["relevant"] / counts["pages"] if counts["pages"] else None,
        "statuses": _records(cursor, _by("status", "outcome <> 3"), [number]),
        "kinds": _records(cursor, _by("kind", "outcome = 1"), [number]),
        "languages": _records(cursor, _LANGUAGES, [number]),
        "outcomes": [
            {**row, "outcome": OUTCOMES[Outcome(row["outcome"])]}
            for row in _records(cursor, _by("outcome", "true"), [number])
        ],
        "best_segments": _records(cursor, _SEGMENTS + "having sum(relevant) > 0 order by 3 desc, 1 limit ?", top),
        "worst_segments": _records(cursor, _SEGMENTS + "having sum(relevant) = 0 order by 2 desc, 1 limit ?", top),
        "moments": _records(cursor, _MOMENTS, [number, counts["visits"]]),
        "linked_by": _records(cursor, _LINKING, [number, number, MOST_ROWS_TOLD]),
        **_rules_of(scope, settings, name, counts["pages"]),
        "rest": _rest_of(index.directory, name),
    }


_SERVER = """select id, name, site, domain, country, address from servers where id = hash(?)
    union all by name select server as id, name from waiting where server = hash(?) limit 1"""
_SERVER_COUNTS = """select coalesce(c.rows, 0) as visits, coalesce(c.pages, 0) as pages,
    coalesce(c.relevant, 0) as relevant, coalesce(c.failures, 0) as failures, coalesce(c.forbidden, 0) as forbidden,
    coalesce(c.blocked, 0) as blocked, coalesce(c.copies, 0) as copies, coalesce(c.bytes, 0) as bytes,
    c.seconds as seconds_a_request, c.first, c.last, coalesce(w.links, 0) as waiting,
    coalesce(w.left_out, 0) as left_out
    from (select ?::ubigint as id) s left join server_counts c using (id) left join waiting w on w.server = s.id"""
_LANGUAGES = """select language, sum(pages)::bigint as visits, sum(relevant)::bigint as relevant from language_tallies
    where server = ? group by language order by visits desc, language"""
# Segments as they were counted last, and those of visits since then.
_SEGMENTS = """select name as segment, sum(pages)::bigint as pages, sum(relevant)::bigint as relevant,
    sum(failures)::bigint as failures from (select * exclude (words) from segments where server = ?
    union all from fresh_segments where server = ?) group by name """
_MOMENTS = f"""select id, "when", relevant, relevance, score from (select *, row_number() over (order by id) as place
    from visits where server = ? and outcome <= 1) where place % greatest(? // {MOST_MOMENTS}, 1) = 0 order by id"""
_LINKING = """with linking as (select p.server, count(*) as links, min(p.id) as first from visits v
    join visits p on p.id = v.source where v.server = ? and p.server <> ? group by p.server),
    most as (select s.name, l.links, l.first from linking l join servers s on s.id = l.server
    order by l.links desc, s.name limit ?)
    select m.name as server, m.links, e.url as example from most m join visits e on e.id = m.first
    order by m.links desc, m.name"""


def _by(column: str, condition: str) -> str:
    return f"""select {column}, sum(visits)::bigint as visits from tallies where server = ? and {condition}
        group by {column} order by visits desc, {column}"""


def _records(cursor: duckdb.DuckDBPyConnection, query: str, values: list[Any]) -> list[dict[str, Any]]:
    answer = cursor.execute(query, values)
    names = [column[0] for column in answer.description or ()]
    return [{name: plain_value(value) for name, value in zip(names, row, strict=True)} for row in answer.fetchall()]


def _rules_of(scope: CrawlScope, settings: Settings, server: str, pages: int) -> dict[str, Any]:
    """The rules of the scope that concern a server, and whether it may be asked for more pages."""
    decision = scope.server_decision(server)
    limit = int(decision.limit.number) if decision.limit else settings.limits.pages_per_server or None
    return {
        "scope": decision.document(),
        "rules": [rule.document() for rule in scope.concerning(server)],
        "is_dropped": scope.drops_server(server),
        "limit": limit,
        "is_budget_reached": limit is not None and pages >= limit,
    }


def _rest_of(directory: Path, server: str) -> dict[str, Any] | None:
    """Until when a server is sent no request, and why; None if it does not rest, or nobody knows."""
    running = read_progress(directory)
    if running is None or running.reason:
        return None
    for rest in running.progress.rests:
        if rest.server == server and (until := running.when + rest.seconds) > time.time():
            return {"until": until, "why": rest.why}
    return None
