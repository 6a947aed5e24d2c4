"""The HTML page of a report: curves to explore, tables, and the commands that reproduce them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exonym.report.charts import ChartChoice
from exonym.report.html_page import Facts, PagePart, ShellLines, page
from exonym.simulation.results import Results
from exonym.simulation.traces import AXES, FIGURES, chart_of

_HOW_TO_READ = (
    "Point at a chart for its values, drag to zoom, double-click to see all, click a name to hide its line. Charts "
    "begin without the end of crawls that find nearly nothing any more. A crawl that ended has no values after its end."
)
_MEANINGS = (
    "Pages are requests, failed ones included: they cost the same and find nothing. Documents are requests that "
    "found a page. Coverage is the share of the graph's relevant pages that was found; harvest rate the share of "
    "relevant ones among the pages. Area is that under the coverage curve over the first 2R pages (R: relevant "
    "pages in the graph), by the area of a crawl that fetches only relevant pages. Seconds are those of the "
    "simulation alone, MB the most memory its process had, the mapped graph included. A crawl that ended keeps "
    "its coverage. An oracle knows what no crawl can know: it is there for comparison only."
)


def html_of(title: str, document: Mapping[str, Any], results: Results) -> str:
    """The page; `document` is the report for JSON."""
    graph = document["graph"]
    commands = [str(command) for command in (graph["provenance"].get("command", ""), document["command"]) if command]
    plan = ", ".join(f"{key} {value}" for key, value in document["plan"].items() if value not in (0, []))
    made = (
        f"{document['made_by']}; {plan}. Ties are broken by arrival. "
        f"Everything but seconds and MB is the same each time. {document['conditions']}"
    )
    return page(
        title or f"Simulations on {Path(graph['directory']).name}",
        [
            _HOW_TO_READ,
            *(_charts(name, results) for name in FIGURES),
            PagePart("Results", [*results.tables, _MEANINGS]),
            PagePart("The graph", [origin_note(graph["provenance"]), Facts(_facts(graph))]),
            PagePart("How to get the same", [ShellLines("\n".join(commands)), made]),
        ],
    )


def _charts(name: str, results: Results) -> ChartChoice:
    """One measure against pages, and against hours if time was simulated in all crawls."""
    traces = [trace for _, trace in results.finished]
    axes = AXES if all(trace.hours is not None for trace in traces) else AXES[:1]
    return ChartChoice({f"against {axis}": chart_of(name, traces, axis) for axis in axes}, results.figure(name))


def _facts(graph: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "directory": graph["directory"],
        "pages fetched": f"{graph['fetched']:,}, {graph['relevant']:,} of them relevant",
        "pages known": f"{graph['nodes']:,} on {graph['servers']:,} servers, {graph['links']:,} links",
        "relevant if in": ", ".join(graph["languages"]) or "–",
        "licence": graph["licence"] or "–",
        **{key: value for key, value in graph["provenance"].items() if key != "parameters"},
    }


def origin_note(provenance: Mapping[str, Any]) -> str:
    """A note on who collected or generated a graph, and what that means for results."""
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
