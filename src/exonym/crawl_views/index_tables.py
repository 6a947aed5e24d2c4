"""The tables of a crawl's index, and how rows of the journal are counted into them.

Counts are kept as logs: every batch of visits appends its own counts, which queries add up, and which are merged now
and then. So adding visits costs the same however many there are, and happens in one transaction with them.
"""

from exonym.batches import FOREIGN_ROW
from exonym.crawl_views.server_counts import COLUMNS_OF_SERVERS

PARTITION_ROWS = 1 << 39  # row r of partition p has the id p * PARTITION_ROWS + r; all ids are exact in JavaScript
BLOCK_ROWS = 256  # visits that the timeline of a large crawl counts together

COLUMNS = (
    *("row", "url", "when", "outcome", "status", "content_type", "length", "seconds", "language", "relevance"),
    *("relevant", "distance", "score", "rank", "source", "failure", "title", "copy", "inherited", "rule", "address"),
)
# Sources in the journal are rows of its own partition, or rows of others with the partition before them.
_SOURCE = (
    f"case when source < 0 then source when source < {FOREIGN_ROW} then $part * {PARTITION_ROWS} + source "
    f"else (source // {FOREIGN_ROW} - 1) * {PARTITION_ROWS} + source % {FOREIGN_ROW} end"
)
# As `metrics.failure_kind` has them; older journals name no failure where the status says it all.
_KIND = """case when outcome <> 1 then ''
    when failure = '' and status > 0 then 'http ' || status
    when starts_with(failure, 'http:') then 'http ' || left(trim(substr(failure, 6)), 3)
    else coalesce(nullif(trim(split_part(failure, ':', 1)), ''), 'unknown') end"""

# Texts that are searched are not compressed: to unpack them would take longer than to search them. For the other long
# texts, DuckDB would try several kinds of compression, which takes longer than Zstandard.
_OF_SEGMENTS = "id ubigint, server ubigint, name varchar, pages bigint, relevant bigint, failures bigint"
TABLES = {
    "visits": """id bigint, url varchar using compression zstd, "when" double, outcome utinyint, status integer,
        content_type varchar, length bigint, seconds float, language varchar, relevance float, relevant bool,
        distance integer, score float, "rank" float, source bigint, failure varchar,
        title varchar using compression zstd, "copy" bool, inherited bool, rule varchar,
        kind varchar, server ubigint, words varchar using compression uncompressed""",
    "servers": "id ubigint, name varchar, address varchar, site varchar, domain varchar, country varchar",
    "server_counts": COLUMNS_OF_SERVERS,
    "tallies": """server ubigint, outcome utinyint, status integer, failure varchar, kind varchar, visits bigint,
        relevant bigint, copies bigint, bytes bigint, seconds double, first double, last double, example varchar""",
    "language_tallies": "server ubigint, language varchar, pages bigint, relevant bigint, inherited bigint",
    "segments": f"{_OF_SEGMENTS}, words varchar using compression uncompressed",
    "fresh_segments": _OF_SEGMENTS,
    "blocks": "block bigint, ended double, pages bigint, relevant bigint, failures bigint, bytes bigint",
    "waiting": "server ubigint, name varchar, links bigint, left_out bigint",
    "parts": "number integer, visits bigint",
    "seed_urls": "url varchar, visit bigint",
    "facts": "format integer, library varchar, crawl varchar",
}

# `fresh` is a batch of rows of the journal; `named` has what is counted of them.
_ROW_ID = f'$part * {PARTITION_ROWS} + "row"'
_SERVER = "hash(split_part(url, '/', 3))"
NAMED = f"""create or replace temp table named as select {_ROW_ID} as id, split_part(url, '/', 3) as name,
    hash(name) as server, {_KIND} as kind, split_part(url, '?', 1) as path,
    left(path, length(path) - strpos(reverse(path), '/') + 1) as segment,
    case when outcome = 1 then url else '' end as url, "when", outcome, status, failure, language, relevant, "copy",
    inherited, length, seconds, address from fresh"""
ADD_VISITS = f"""insert into visits select {_ROW_ID}, url, "when", outcome, status, content_type, length, seconds,
    language, relevance, relevant, distance, score, "rank", {_SOURCE}, failure, title, "copy", inherited, rule, {_KIND},
    {_SERVER}, lower(substr(url, strpos(url, '//') + 2) || ' ' || title) from fresh"""
FIND_FRESH_SEEDS = f"""update seed_urls set visit = n.id from (select url, min({_ROW_ID}) as id from fresh
    where not starts_with(failure, 'scope:') and url in (select url from seed_urls where visit is null) group by url) n
    where n.url = seed_urls.url"""
_TALLY = "server, outcome, status, failure"
ADD_COUNTS = (
    """insert into servers select server, any_value(name), '', null, null, null from named
        where server not in (select id from servers) group by server""",
    # A server without a site is looked up again: its country may be known better now.
    """update servers set address = n.address, site = null from (select server, max(address) as address from named
        where address <> '' group by server) n where servers.id = n.server and servers.address = ''""",
    f"""insert into tallies select {_TALLY}, any_value(kind), count(*), count(*) filter (relevant),
        count(*) filter ("copy"), sum(length), sum(seconds), min("when"), max("when"), any_value(url)
        from named group by {_TALLY}""",
    """insert into language_tallies select server, language, count(*), count(*) filter (relevant),
        count(*) filter (inherited) from named where outcome = 0 group by server, language""",
    """insert into fresh_segments select hash(segment), any_value(server), segment, count(*),
        count(*) filter (relevant), count(*) filter (outcome = 1) from named where outcome <= 1 group by segment""",
    f"""insert into blocks select id // {BLOCK_ROWS}, max("when"), count(*) filter (outcome <= 1),
        count(*) filter (relevant), count(*) filter (outcome = 1), sum(length) from named group by 1""",
    "insert into touched select distinct server from named",
)
_MERGE_TALLIES = f"""create or replace table tallies as select {_TALLY}, any_value(kind) as kind,
    sum(visits)::bigint as visits, sum(relevant)::bigint as relevant, sum(copies)::bigint as copies,
    sum(bytes)::bigint as bytes, sum(seconds) as seconds, min(first) as first, max(last) as last,
    any_value(example) as example from tallies group by {_TALLY}"""
_MERGE_LANGUAGES = """create or replace table language_tallies as select server, language, sum(pages)::bigint as pages,
    sum(relevant)::bigint as relevant, sum(inherited)::bigint as inherited from language_tallies
    group by server, language"""
_MERGE_BLOCKS = """create or replace table blocks as select block, max(ended) as ended, sum(pages)::bigint as pages,
    sum(relevant)::bigint as relevant, sum(failures)::bigint as failures, sum(bytes)::bigint as bytes from blocks
    group by block order by block"""
MERGE_COUNTS = (_MERGE_TALLIES, _MERGE_LANGUAGES, _MERGE_BLOCKS)
_SEGMENTS = """select id, any_value(server) as server, any_value(name) as name, sum(pages)::bigint as pages,
    sum(relevant)::bigint as relevant, sum(failures)::bigint as failures, lower(any_value(name)) as words"""
MERGE_SEGMENTS = (
    f"""create or replace temp table merged as {_SEGMENTS}
        from (select * exclude (words) from segments union all from fresh_segments) group by id""",
    f"create or replace table segments({TABLES['segments']})",
    "insert into segments from merged",
    "drop table merged",
    "delete from fresh_segments",
)
FIND_SEEDS = """update seed_urls set visit = v.id from (select url, min(id) as id from visits
    where url in (select url from seed_urls) and not starts_with(failure, 'scope:') group by url) v
    where v.url = seed_urls.url"""
