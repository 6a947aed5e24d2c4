"""`exonym report DIR…`: the report of a crawl, or a comparison of several, as files."""

from pathlib import Path
from typing import Annotated

import typer

from exonym.cli.options import AsJson, FigureFile, output
from exonym.cli.output import emit
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.web_text import clean


def report(
    directories: Annotated[
        list[Path], typer.Argument(metavar="DIR…", help="The directory of a crawl, which may be running; or several.")
    ],
    folder: Annotated[
        Path | None, output("FOLDER", "Write the files here (DIR/report; several crawls need a folder).")
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            metavar="LABELS",
            help="Show the audit with these labels (audit.jsonl in DIR or here, if it is of this crawl).",
        ),
    ] = None,
    figure: FigureFile = None,
    as_json: AsJson = False,
) -> None:
    """Write a report of a crawl: one HTML page to read and file away, and its tables as CSV.

    The page shows what was asked, when and by whom; the harvest rate over pages and time; languages, countries,
    servers, segments, status codes by server, failures, dead seeds; sample pages with the evidence for their verdicts;
    the audit, if there is one; and the settings. Several crawls are compared: curves in one chart, totals, and pages by
    language.
    """
    from exonym.crawl_views.comparison import write_comparison
    from exonym.crawl_views.crawl_report import write_report
    from exonym.crawl_views.timeline_charts import harvest_figure
    from exonym.report.figures import check_figure_file, write_figures
    from exonym.system.extras import require

    if figure is not None:
        check_figure_file(figure)
        require("research")
    if len(directories) > 1 and folder is None:
        raise ConfigError("A comparison of several crawls needs a folder to be written to. Name one with -o.")
    if len(directories) > 1 and audit is not None:
        raise ConfigError("--audit is for the report of one crawl. Leave it out, or name one crawl.")
    place = folder or directories[0] / "report"
    with status_line("reading") as show:
        if len(directories) > 1:
            comparison = write_comparison(directories, place, show)
            document, curves, looks = comparison.document(), comparison.curves, comparison.looks
        else:
            written = write_report(directories[0], place, audit, show)
            facts = written.facts
            document, curves, looks = written.document(), {facts.name: written.curve}, {facts.name: facts.strategy}
    shown = [f"The report is in {clean(str(place / 'report.html'), 500)}", "Its tables are beside it, as CSV."]
    if figure is not None:
        write_figures(figure, {"Harvest rate": harvest_figure(curves, looks)})
        shown.append(f"The figure is in {clean(str(figure), 500)}")
    emit({"report": str(place / "report.html"), **document}, shown, as_json)
