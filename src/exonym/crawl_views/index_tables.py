"""The tables of a crawl's index, and how rows of the journal are counted into them.

Counts are kept as logs: every batch of visits appends its own counts, which queries add up, and which are merged now
and then. So adding visits costs the same however many there are, and happens in one transaction with them.
"""

from exonym.batches import FOREIGN_ROW

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

TABLES = {
    "visits": """id bigint, url varchar, "when" double, outcome utinyint, status integer, content_type varchar,
        length bigint, seconds float, language varchar, relevance float, relevant bool, distance integer, score float,
        "rank" float, source bigint, failure varchar, title varchar, "copy" bool, inherited bool, rule varchar,
        kind varchar, server ubigint""",
    "servers": "id ubigint, name varchar, address varchar, site varchar, domain varchar, country varchar",
    "tallies": """server ubigint, outcome utinyint, status integer, kind varchar, language varchar, visits bigint,
        relevant bigint, copies bigint, inherited bigint, bytes bigint, seconds double, first double, last double""",
    "segments": "id ubigint, server ubigint, name varchar, pages bigint, relevant bigint, failures bigint",
    "fresh_segments": "id ubigint, server ubigint, name varchar, pages bigint, relevant bigint, failures bigint",
    "blocks": "block bigint, ended double, pages bigint, relevant bigint, failures bigint, bytes bigint",
    "parts": "number integer, visits bigint",
    "seed_urls": "url varchar, visit bigint",
    "facts": "format integer, library varchar, crawl varchar",
}

# `fresh` is a batch of rows of the journal; `named` has what follows from them.
NAMED = f"""create or replace temp table named as select * replace ({_SOURCE} as source),
    $part * {PARTITION_ROWS} + "row" as id, split_part(url, '/', 3) as name, hash(name) as server, {_KIND} as kind,
    split_part(url, '?', 1) as path, left(path, length(path) - strpos(reverse(path), '/') + 1) as segment from fresh"""
ADD = (
    """insert into visits select id, url, "when", outcome, status, content_type, length, seconds, language, relevance,
        relevant, distance, score, "rank", source, failure, title, "copy", inherited, rule, kind, server from named""",
    """insert into servers select server, any_value(name), '', null, null, null from named
        where server not in (select id from servers) group by server""",
    # A server without a site is looked up again: its country may be known better now.
    """update servers set address = n.address, site = null from (select server, max(address) as address from named
        where address <> '' group by server) n where servers.id = n.server and servers.address = ''""",
    """insert into tallies select server, outcome, status, kind, language, count(*), count(*) filter (relevant),
        count(*) filter ("copy"), count(*) filter (inherited), sum(length), sum(seconds), min("when"), max("when")
        from named group by server, outcome, status, kind, language""",
    """insert into fresh_segments select hash(segment), any_value(server), segment, count(*) filter (outcome <= 1),
        count(*) filter (relevant), count(*) filter (outcome = 1) from named where outcome <= 1 group by segment""",
    f"""insert into blocks select id // {BLOCK_ROWS}, max("when"), count(*) filter (outcome <= 1),
        count(*) filter (relevant), count(*) filter (outcome = 1), sum(length) from named group by 1""",
    """update seed_urls set visit = n.id from (select url, min(id) as id from named
        where not starts_with(failure, 'scope:') group by url) n where n.url = seed_urls.url and visit is null""",
)
MERGE_TALLIES = """create or replace table tallies as select server, outcome, status, kind, language,
    sum(visits)::bigint as visits, sum(relevant)::bigint as relevant, sum(copies)::bigint as copies,
    sum(inherited)::bigint as inherited, sum(bytes)::bigint as bytes, sum(seconds) as seconds, min(first) as first,
    max(last) as last from tallies group by server, outcome, status, kind, language"""
MERGE_BLOCKS = """create or replace table blocks as select block, max(ended) as ended, sum(pages)::bigint as pages,
    sum(relevant)::bigint as relevant, sum(failures)::bigint as failures, sum(bytes)::bigint as bytes from blocks
    group by block order by block"""
MERGE_SEGMENTS = """create or replace table segments as select id, any_value(server) as server, any_value(name) as name,
    sum(pages)::bigint as pages, sum(relevant)::bigint as relevant, sum(failures)::bigint as failures
    from (from segments union all from fresh_segments) group by id"""
FIND_SEEDS = """update seed_urls set visit = v.id from (select url, min(id) as id from visits
    where url in (select url from seed_urls) and not starts_with(failure, 'scope:') group by url) v
    where v.url = seed_urls.url"""
