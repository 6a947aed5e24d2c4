"""The HTML page of a report: curves to explore, tables, and the commands that reproduce them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exonym.report.figures import COLOURS
from exonym.report.html_page import Curves, Facts, PagePart, ShellLines, page
from exonym.simulation.results import Results
from exonym.simulation.traces import FIGURES, label_of

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
            Curves(_curves(results, graph["relevant"]), FIGURES, results.figures),
            PagePart("Results", [*results.tables, _MEANINGS]),
            PagePart("The graph", [origin_note(graph["provenance"]), Facts(_facts(graph))]),
            PagePart("How to get the same", [ShellLines("\n".join(commands)), made]),
        ],
    )


def _curves(results: Results, relevant_pages: int) -> dict[str, Any]:
    curves = [
        {
            "name": trace.strategy,
            "label": label_of(trace.strategy, trace.is_oracle),
            "is_oracle": trace.is_oracle,
            "colour": COLOURS[number % len(COLOURS)],
            "pages": trace.pages.tolist(),
            "relevant": trace.relevant.tolist(),
            "hours": [round(hour, 4) for hour in trace.hours.tolist()] if trace.hours is not None else None,
        }
        for number, (_, trace) in enumerate(results.finished)
    ]
    return {"relevant_pages": relevant_pages, "curves": curves}


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
