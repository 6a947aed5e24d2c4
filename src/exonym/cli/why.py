"""`exonym why DIR URL|SERVER`: why a page was visited when it was, why a link was not, or why a server waits."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from exonym.cli.options import AsJson, CrawlArgument
from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.status_line import status_line
from exonym.report.number_text import byte_size, date_and_time
from exonym.web_text import clean, readable_address

_FACTS_SHOWN = 4
_HOPS_SHOWN = 6
_LONGEST_URL = 300


def why(
    directory: CrawlArgument,
    asked: Annotated[str, typer.Argument(metavar="URL | SERVER", help="An address, or the name of a server.")],
    as_json: AsJson = False,
) -> None:
    """Say why the crawl in DIR visited a page when it did, why it did not, or why a server waits, rests or was left.

    For a page: its promise and the facts that weighed most, who linked to it, and what it turned out to be. For an
    address that was not visited: the reason, and what is known of it. A bare host name means the server.
    """
    from exonym.crawl_views.inquiry import Inquiry
    from exonym.crawl_views.visit_index import VisitIndex
    from exonym.crawl_views.why_answer import answer

    with status_line("reading the crawl") as show, VisitIndex(directory) as index:
        index.refresh(show)
        found = answer(Inquiry(index), asked)
    emit(found, _shown(found), as_json)


def _shown(found: dict[str, Any]) -> Iterator[str | OutputRows]:
    yield clean(found["answer"])
    if found["url"]:
        yield _address(found["url"])
    if found.get("promise"):
        yield from _promise_sections(found)
    if found["kind"] == "link" and found.get("found"):
        yield "\nWhere it was found"
        own = [] if found["promise"] else [("strategy", _strategy_words(found["strategy"]))]
        yield [("found on", _found_words(found["found"])), *own]
    if found.get("promise"):
        yield "\nWho recommended it"
        yield list(_chain_rows(found))
    if found["kind"] == "page":
        yield "\nWhat it turned out to be"
        yield list(_verdict_rows(found["visit"]))
    if "server" in found:
        yield "\nIts server" if found["url"] else f"\n{clean(found['server']['name'])}"
        yield list(_server_rows(found))
    if found.get("problem"):
        yield f"\nNot all could be read: {clean(found['problem'])}"
    if found.get("near"):
        yield f"\nMet under another spelling: {', '.join(map(_address, found['near']))}"


def _address(url: str) -> str:
    return clean(readable_address(url), _LONGEST_URL)


def _promise_sections(found: dict[str, Any]) -> Iterator[str | OutputRows]:
    from exonym.crawl_views.promise import chance_words

    promise = found["promise"]
    yield "\nIts promise"
    yield list(_promise_rows(found, promise))
    if not promise["facts"]:
        return
    yield "\nWhat weighs most (log-odds, by the weights as learned by the last commit)"
    shown, others = promise["facts"][:_FACTS_SHOWN], promise["facts"][_FACTS_SHOWN:]
    rows = [(f"{facts['weight']:+.2f}", clean(facts["text"])) for facts in shown]
    if others:
        rows.append((f"{sum(facts['weight'] for facts in others):+.2f}", f"{len(others)} more together"))
    yield [*rows, (f"{promise['sum']:+.2f}", f"the sum: a chance of {chance_words(*[promise['chance_of_sum']] * 2)}")]


def _promise_rows(found: dict[str, Any], promise: dict[str, Any]) -> Iterator[tuple[str, str]]:
    from exonym.crawl_views.promise import chance_words

    when = "at the visit" if found["kind"] == "page" else "as of the last commit"
    rank = f", of which {promise['rank']:g} is the rank of its group" if promise["rank"] else ""
    if promise["seed"]:
        yield "score", "that of a seed, which comes first"
    else:
        yield "score", f"{promise['score']:g} {when}{rank}"
    if promise["chance"]:
        yield "chance", f"{chance_words(*promise['chance'])} of being relevant"
    queued = found.get("score_when_queued")
    if promise["drawn"]:
        yield "drawn", "at random, to estimate how complete the crawl is: such links come next, whatever their score"
    elif queued is not None and not promise["seed"] and queued != promise["score"] - promise["rank"]:
        yield "in line", f"with score {queued:g}; scored again when its turn comes"
    yield "strategy", _strategy_words(found["strategy"])


def _strategy_words(strategy: dict[str, Any]) -> str:
    options = " ".join(f"{name}={str(value).lower()}" for name, value in strategy["options"].items() if value != "")
    return clean(f"{strategy['name']}{f' ({options})' if options else ''}: {strategy['rule']}")


def _found_words(found: dict[str, int]) -> str:
    """On how many pages a link was found."""
    spoken = f"; {_count(found['spoken'])} times by text in a target language" if found["spoken"] else ""
    elsewhere = f" ({_count(found['elsewhere'])} of other servers)" if found["elsewhere"] else ""
    pages = [f"{_count(found[kind])} {kind} page{'s' * (found[kind] != 1)}" for kind in ("relevant", "irrelevant")]
    return f"{pages[0]}{elsewhere}, {pages[1]}{spoken}"


def _count(count: int) -> str:
    from exonym.frontier.base import LARGEST_COUNT

    return f"{count}{' or more' * (count == LARGEST_COUNT)}"


def _chain_rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    chain = found["chain"]
    if not found["has_source"]:
        other = "a seed that redirects to it, or the robots.txt of a seed's server that names it as a sitemap"
        yield "linked by", "nobody: it is a seed" if found["is_seed"] else other
    elif not chain:
        yield "linked by", "a page that cannot be read now"
    for number, page in enumerate(chain[:_HOPS_SHOWN]):
        begins = page["source"] == -1
        label = "linked by" if number == 0 else "found from"
        kind = "relevant" if page["relevant"] else page["outcome"] if page["outcome"] != "page" else "not relevant"
        title = f" “{clean(page['title'], 60)}”" if page["title"] else ""
        yield label, f"{_address(page['url'])}{title} ({kind}{', the beginning' if begins else ''})"
    if len(chain) > _HOPS_SHOWN:
        yield "…", f"{len(chain) - _HOPS_SHOWN} more, to {_address(chain[-1]['url'])}"


def _verdict_rows(visit: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "visited", f"{date_and_time(visit['when'])}, {visit['place']:,} of {visit['visits']:,}"
    if visit["outcome"] == "page":
        verdict = "relevant" if visit["relevant"] else "not relevant"
        copy = "; a copy of another page, which does not count" if visit["copy"] else ""
        yield "verdict", f"{verdict}, relevance {visit['relevance'] or 0:.2f}{copy}"
    if visit["why"]:
        yield "evidence", clean(visit["why"])
    if visit["failure"]:
        yield "failure", clean(visit["failure"])
    if visit["title"]:
        yield "title", clean(visit["title"], 200)
    if visit["status"]:
        kind = f", {clean(visit['content_type'], 60)}" if visit["content_type"] else ""
        yield "answer", f"status {visit['status']}{kind}, {byte_size(visit['length'])}"
    if visit["led_to_count"]:
        yield "led to", f"{visit['led_to_count']:,} visits"


def _server_rows(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    server = found["server"]
    if found["url"]:
        yield "server", clean(server["name"])
        yield "now", clean(server["answer"])
    if server["state"] == "left" and not found["url"]:
        yield "strategy", _strategy_words(found["strategy"])
    limit = f" of at most {server['limit']:,}" if server["limit"] else ""
    yield "pages", f"{server['pages']:,}{limit}, {server['relevant']:,} of them relevant, {server['failures']:,} failed"
    yield "waiting", f"{server['waiting']:,} links"
    if server["forbidden"]:
        yield "robots.txt", f"forbids {server['forbidden']:,} of the addresses whose turn came"
    for rule in server["rules"]:
        place = f"  {rule['file']} line {rule['line']}" if rule["file"] else ""
        yield "rule", clean(f"{rule['rule']}{place}  {rule['comment']}".rstrip())
    if server["rest"] and server["state"] != "rests":
        yield "rests", clean(f"until {date_and_time(server['rest']['until'])}: {server['rest']['why']}")
