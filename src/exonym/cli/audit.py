"""`exonym audit DIR`: a person labels a random sample, from which the true harvest rate is estimated."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import CrawlArgument, LabelledBy, LabelsFile, random_seed
from exonym.cli.output import OutputRows, emit, warn
from exonym.errors import ConfigError
from exonym.web_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exonym.crawl_directory.visited_pages import CrawlPages
    from exonym.labelling.audit import Audit
    from exonym.labelling.audit_sample import Draw

_SIZE, _OF, _SEED = 100, "both", 0


def audit(
    directory: CrawlArgument,
    size: Annotated[
        int | None, typer.Option("-n", "--sample", min=1, max=100_000, metavar="N", help="Pages to draw (100).")
    ] = None,
    of: Annotated[
        str | None,
        typer.Option(
            metavar="both|all|relevant|irrelevant",
            help="Draw half of the pages from those judged relevant and half from the others (both), from all pages, "
            "or from one kind.",
        ),
    ] = None,
    seed: Annotated[int | None, random_seed("Another number draws other pages (0).")] = None,
    output: LabelsFile = Path("audit.jsonl"),
    labels: Annotated[
        Path | None,
        typer.Option(metavar="LABELS", help="Show no page: compute the figures from the labels of an audit."),
    ] = None,
    by: LabelledBy = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON; pages are shown on stderr.")] = False,
) -> None:
    """Label a random sample of a crawl to get its true harvest rate; the same command continues an audit."""
    from exonym.crawl_directory.visited_pages import CrawlPages
    from exonym.labelling.audit import answers_in, audit_of, read_draw

    if labels is not None and (size, of, seed) != (None, None, None):
        raise ConfigError("--labels already has a sample: leave out -n, --of and --random-seed.")
    pages = CrawlPages(directory)
    path = labels or output
    if labels is None:
        _label_sample(pages, _sample_of(pages, output, (size, of, seed)), output, (by, as_json))
    draw = read_draw(path, pages)
    if draw is None:
        raise ConfigError(f"{path} holds no labels. Begin an audit with: exonym audit {pages.directory}")
    answers = answers_in(path, draw, pages, warn)
    result = audit_of(draw, answers, {row: bool(pages.relevant[row]) for row in draw.sample})
    emit(_document(result, directory, path), _shown(result, path), as_json)


def _sample_of(pages: "CrawlPages", output: Path, options: tuple[int | None, str | None, int | None]) -> "Draw":
    """The sample in the file, or a new one, which is written to disk before the first page is shown."""
    import msgspec

    from exonym.labelling.audit import read_draw
    from exonym.labelling.audit_sample import draw_from, header_of
    from exonym.training.labels import append_object
    from exonym.version import __version__

    size, of, seed = options
    existing = read_draw(output, pages)
    if existing is None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        draw = draw_from(pages, of or _OF, size or _SIZE, seed or _SEED)
        draw = msgspec.structs.replace(draw, drawn=now, exonym=__version__)
        append_object(output, header_of(draw))
        return draw
    for name, given, recorded in (
        ("-n", size, existing.size),
        ("--of", of, existing.of),
        ("--random-seed", seed, existing.seed),
    ):
        if given is not None and given != recorded:
            raise ConfigError(
                f"{output} holds a sample drawn with {name} {recorded}, not {given}. Leave out {name} to continue it, "
                "or name another file with -o."
            )
    return existing


def _label_sample(pages: "CrawlPages", draw: "Draw", output: Path, how: tuple[str, bool]) -> None:
    from exonym.cli.terminal.label_screen import LabellingTask, label_interactively
    from exonym.labelling.audit import answers_in
    from exonym.labelling.session import Session

    by, as_json = how
    answers = answers_in(output, draw, pages, warn)
    yes = sum(answers.values())
    left = [row for row in draw.sample if row not in answers]
    task = LabellingTask(
        pages=pages,
        session=Session(left, yes, len(answers) - yes),
        output=output,
        out=sys.stderr if as_json else sys.stdout,
        by=clean(by, 100),
        blind=True,
        of=len(draw.sample),
    )
    if left:
        label_interactively(task)


def _document(audit: "Audit", directory: Path, path: Path) -> dict[str, Any]:
    from exonym.labelling.audit import METHODS, meaning_of

    draw = audit.draw
    return {
        "directory": str(directory),
        "labels": str(path),
        "of": draw.of,
        "seed": draw.seed,
        "sample": len(draw.sample),
        "labelled": audit.labelled,
        "yes": audit.yes,
        "pages": draw.pages,
        "relevant": draw.relevant,
        "failures": draw.failures,
        "counted_harvest_rate": draw.counted_harvest_rate,
        **{name: measure._asdict() if (measure := getattr(audit, name)) else None for name in _MEASURES},
        "confidence": 0.95,
        "method": METHODS[draw.of],
        "meaning": meaning_of(audit),
    }


_MEASURES = {
    "harvest_rate": "true harvest rate",
    "precision": "precision of the judge",
    "recall": "recall of the judge",
    "missed": "relevant among the rest",
    "agreement": "judge and labels agree",
}


def _shown(audit: "Audit", path: Path) -> "Iterator[str | OutputRows]":
    from exonym.labelling.audit import METHODS, meaning_of

    draw, no = audit.draw, audit.labelled - audit.yes
    rows = [
        ("pages fetched", f"{draw.pages:,}, of which {draw.failures:,} failed"),
        ("sample", f"{len(draw.sample):,} pages ({draw.of}), seed {draw.seed}, kept in {clean(str(path))}"),
        ("labelled", f"{audit.labelled:,}: {audit.yes:,} yes, {no:,} no"),
        ("harvest rate as counted", f"{draw.counted_harvest_rate:.1%}"),
    ]
    for name, words in _MEASURES.items():
        measure = getattr(audit, name)
        rows.append((words, f"{measure.share:.1%}  ({measure.low:.1%} to {measure.high:.1%})" if measure else "–"))
    rows.append(("intervals", f"95 %: {METHODS[draw.of]}"))
    yield rows
    if 0 < audit.labelled < len(draw.sample):
        left = len(draw.sample) - audit.labelled
        yield f"{left:,} pages of the sample have no label: the figures hold if these are like the labelled ones."
    yield meaning_of(audit)
