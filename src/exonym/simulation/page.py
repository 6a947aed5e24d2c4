"""The page of a report: curves to explore, tables, and how to get the same again. One file that needs no other."""

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from exonym.report.figures import Drawing
from exonym.simulation.curves import FIGURES, colour_of, label_of
from exonym.simulation.results import Finished
from exonym.simulation.tables import TextTable, tables_of

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 1rem; overflow-wrap: anywhere; }
pre { background: #f5f5f5; padding: .7rem; overflow-x: auto; white-space: pre-wrap; }
.note { color: #555; max-width: 48rem; }
[data-chart] { position: relative; }
[data-chart] svg { width: 100%; height: auto; cursor: crosshair; touch-action: pan-y; user-select: none; }
svg text { font-size: 13px; fill: #444; } .grid { stroke: #e5e5e5; } .cross { stroke: #999; stroke-dasharray: 3 3; }
.dragged { fill: #2a6f97; opacity: .15; }
.told { display: none; position: absolute; top: 1rem; pointer-events: none; background: #fffffff0; font-size: 14px;
  border: 1px solid #ccc; border-radius: 4px; padding: .3rem .6rem; white-space: pre; }
i { display: inline-block; width: .9em; height: .9em; margin-right: .4em; vertical-align: -.1em; border-radius: 2px; }
button { font: inherit; background: none; border: 1px solid #ccc; border-radius: 4px; margin: 0 .4rem .4rem 0;
  padding: .1rem .6rem; cursor: pointer; }
button[aria-pressed=false] { opacity: .4; text-decoration: line-through; }
"""
_HINTS = "Point at a curve for its values, drag to zoom, double-click to see all, click a name to hide its curve."
_MEANINGS = (
    "Pages are requests, failed ones included: they cost the same and find nothing. Documents are requests that "
    "found a page. Coverage is the share of the graph's relevant pages that was found; harvest rate the share of "
    "relevant ones among the pages. Area is that under the coverage curve over the first 2R pages (R: relevant "
    "pages in the graph), by the area of a crawl that fetches only relevant pages. Seconds are those of the "
    "simulation alone, MB the most memory its process had, the mapped graph included. A crawl that ended keeps "
    "its coverage. An oracle knows what no crawl can know: it is there for comparison only."
)


class Page(NamedTuple):
    """What a page shows."""

    title: str
    document: Mapping[str, Any]
    finished: tuple[Finished, ...]
    drawings: Mapping[str, Drawing]


def html_of(page: Page) -> str:
    """The whole page."""
    title = html.escape(page.title or f"Simulations on {Path(page.document['graph']['directory']).name}")
    charts = "\n".join(_chart(name, caption, page.drawings) for name, caption in FIGURES.items())
    tables = "\n".join(_table(table) for table in tables_of([one.result for one in page.finished]))
    script = Path(__file__).with_name("chart.js").read_text(encoding="utf-8")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        f"<style>{_STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        f'<p class="note">{_HINTS}</p>\n<div id="legend"></div><div id="axis"></div>\n{charts}\n'
        f'<h2>Results</h2>\n{tables}\n<p class="note">{_MEANINGS}</p>\n'
        f"{_origin(page.document)}\n{_again(page.document)}\n"
        f'<script type="application/json" id="data">{_json(_curves(page))}</script>\n'
        f"<script>{script}</script>\n</body></html>\n"
    )


def _json(values: Any) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(values, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _curves(page: Page) -> dict[str, Any]:
    curves = [
        {
            "name": trace.strategy,
            "label": label_of(trace.strategy, trace.is_oracle),
            "is_oracle": trace.is_oracle,
            "colour": colour_of(number),
            "pages": trace.pages.tolist(),
            "relevant": trace.relevant.tolist(),
            "hours": [round(hour, 4) for hour in trace.hours.tolist()] if trace.hours is not None else None,
        }
        for number, (_, trace) in enumerate(page.finished)
    ]
    return {"relevant_pages": page.document["graph"]["relevant"], "curves": curves}


def _chart(name: str, caption: str, drawings: Mapping[str, Drawing]) -> str:
    drawn = f"<noscript>{drawings[name].inline}</noscript>" if name in drawings else ""
    return f'<h2>{caption}</h2>\n<div data-chart="{name}" data-label="{caption} against pages crawled">{drawn}</div>'


def _table(table: TextTable) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    rows = "\n".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return (
        f"<h3>{html.escape(table.caption)}</h3>\n"
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
    )


def _origin(document: Mapping[str, Any]) -> str:
    graph = document["graph"]
    facts = {
        "directory": graph["directory"],
        "pages fetched": f"{graph['fetched']:,}, {graph['relevant']:,} of them relevant",
        "pages known": f"{graph['nodes']:,} on {graph['servers']:,} servers, {graph['links']:,} links",
        "relevant if in": ", ".join(graph["languages"]) or "–",
        "licence": graph["licence"] or "–",
        **{key: value for key, value in graph["provenance"].items() if key != "parameters"},
    }
    items = "".join(
        f"<dt>{html.escape(str(key))}</dt><dd>{html.escape(str(value))}</dd>" for key, value in facts.items()
    )
    return f'<h2>The graph</h2>\n<p class="note">{html.escape(collected(graph["provenance"]))}</p>\n<dl>{items}</dl>'


def collected(provenance: Mapping[str, Any]) -> str:
    """Who collected a graph, and what that means for results."""
    if provenance.get("method") == "generated":
        profile, seed = provenance.get("profile", "?"), provenance.get("seed", "?")
        made = f"This web was generated (profile {profile}, seed {seed}) to fit published statistics"
        return f"{made}; other webs fit them as well, so compare strategies on several profiles and seeds."
    note = provenance.get("collected")
    who = f"Collected: {note}." if note else "The graph does not say who collected it (exonym graph import --note)."
    return (
        f"{who} What a focused crawler collected lacks what it did not follow, so every strategy looks better on it "
        "than on the web; a broad crawl is the fairer ground."
    )


def _again(document: Mapping[str, Any]) -> str:
    made = document["graph"]["provenance"].get("command", "")
    commands = [str(command) for command in (made, document["command"]) if command]
    plan = ", ".join(f"{key} {value}" for key, value in document["plan"].items() if value not in (0, []))
    return (
        f"<h2>How to get the same</h2>\n<pre>{html.escape(chr(10).join(commands))}</pre>\n"
        f'<p class="note">{html.escape(document["made_by"])}; {html.escape(plan)}. '
        "Ties are broken by arrival. Everything but seconds and MB is the same each time.</p>"
    )
