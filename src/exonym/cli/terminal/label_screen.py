"""Shows pages one by one for a person to label: each answer is written to disk before the next page is shown."""

import shutil
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from exonym.cli.terminal.keys import Ask, asking_keys
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.crawl_directory.visited_pages import PageFacts, PageWords
    from exonym.labelling.order import PagesToLabel
    from exonym.labelling.order_by_model import Scorer
    from exonym.labelling.session import Session, Step

_CLEAR = "\x1b[H\x1b[2J"
_NOTHING_LEFT = "No page is left. Press u to undo the last answer, any other key to quit."
_MOST_TERMS = 6
KEY_LINE = "[y]es  [n]o  [s]kip  [u]ndo  [m]ore  [q]uit"
_LEAST_LINES = 3  # of text, however small the terminal
_NARROWEST = 20


class Size(NamedTuple):
    """The size of a terminal, in cells."""

    columns: int
    lines: int


@dataclass(frozen=True, slots=True)
class PageView:
    """What the screen shows of a page; any of it may come from the web."""

    progress: str
    title: str
    url: str
    language: str
    evidence: Sequence[str]
    text: str


def screen_of(view: PageView, size: Size, start: int = 0) -> tuple[list[str], int]:
    """The lines of a screen that shows the text from its line `start`, and the first line of the next screen."""
    width = max(size.columns - 1, _NARROWEST)  # a terminal may break a full line twice
    top = [f"── {clean(view.progress, width)} ".ljust(width, "─")]
    for line in (view.title or "(no title)", view.url, view.language):
        top.append(_wrapped(line, width)[0] if clean(line) else "")
    for evidence in view.evidence:
        top += _wrapped(evidence, width)[:2]
    text = [line for block in view.text.split("\n") for line in _wrapped(block, width)]
    keys = textwrap.wrap(KEY_LINE, width)
    room = max(size.lines - len(top) - len(keys) - 3, _LEAST_LINES)
    shown, left = text[start : start + room], max(len(text) - start - room, 0)
    following = f"… {left:,} more lines: m" if left else ("(end of text; m: back to the start)" if start else "")
    return [*top, "", *shown, clean(following, width), *keys], start + room if left else 0


def _wrapped(text: str, width: int) -> list[str]:
    """A block of text, cleaned, in lines that fit: East Asian letters take two cells, Thai vowel marks none."""
    from rich.cells import cell_len, chop_cells

    lines = []
    for start in range(0, len(text), 1_000):
        piece = clean(text[start : start + 1_000])
        lines += textwrap.wrap(piece, width) if cell_len(piece) == len(piece) else chop_cells(piece, width)
    return lines


@dataclass(frozen=True, slots=True)
class LabellingTask:
    """The pages to label, the file that keeps the labels, and what the screen shows of a page."""

    pages: "PagesToLabel"
    session: "Session"
    output: Path
    out: TextIO
    by: str = ""
    model: "Scorer | None" = None
    blind: bool = False  # for an audit: the screen hides the verdict of the crawl, and no page is passed over
    of: int = 0  # pages to label; 0: no limit

    def print_progress(self) -> None:
        """Print how many labels there are, and the file that keeps them."""
        kept = f" Kept in {clean(str(self.output))}." if self.session.labelled else ""
        print(f"\n{self.progress()}.{kept}", file=self.out, flush=True)

    def progress(self) -> str:
        """How many pages are labelled, and as what."""
        session = self.session
        of = f" of {self.of:,}" if self.of else ""
        return f"{session.labelled:,}{of} labelled: {session.yes:,} yes, {session.no:,} no"


def _label_pages(task: LabellingTask, ask: Ask) -> None:
    """Show pages and take answers until no page is left, or the person quits."""
    from exonym.labelling.session import Did

    while True:
        if task.session.is_over:
            step = _ask_at_the_end(task, ask)
        else:
            words = task.pages.words(task.session.row)
            if words.problem and not task.blind:
                task.session.pass_over()
                continue
            step = _ask_page(task, ask, words)
        if step is None or step.did is Did.QUIT:
            return


def _ask_at_the_end(task: LabellingTask, ask: Ask) -> "Step | None":
    """Report that no page is left; the last answer can still be undone."""
    from exonym.labelling.session import Did

    if not task.session.has_past:
        print("No page with text is left to label.", file=task.out, flush=True)
        return None
    print(_NOTHING_LEFT, file=task.out, flush=True)
    step = task.session.press(ask() or "q")
    if step.did not in (Did.UNDONE, Did.UNSKIPPED):
        return None
    _keep(task, step, None)
    return step


def _ask_page(task: LabellingTask, ask: Ask, words: "PageWords") -> "Step":
    from exonym.labelling.session import Did

    facts = task.pages.facts(task.session.row)
    view = _view(task, facts, words)
    start = 0
    while True:
        lines, following = screen_of(view, Size(*shutil.get_terminal_size()), start)
        print((_CLEAR if task.out.isatty() else "\n") + "\n".join(lines), file=task.out, flush=True)
        step = task.session.press(ask() or "q")
        while step.did in (Did.UNKNOWN, Did.NOTHING):
            hint = "Nothing to undo." if step.did is Did.NOTHING else "Press y, n, s, u, m or q."
            print(hint, file=task.out, flush=True)
            step = task.session.press(ask() or "q")
        if step.did is not Did.MORE:
            _keep(task, step, words)
            return step
        start = following


def _view(task: LabellingTask, facts: "PageFacts", words: "PageWords") -> PageView:
    from exonym.language_names import name_of

    evidence = []
    if not task.blind:
        if task.pages.has_verdicts:
            verdict = "relevant" if facts.relevant else "not relevant"
            evidence.append(f"The crawl: {verdict} ({facts.relevance:.2f}). {facts.why}")
        if task.model is not None:
            terms = ", ".join(f"{term} {weight:+.1f}" for term, weight in task.model.telling(words.fields, _MOST_TERMS))
            evidence.append(f"The model: {task.model.probability(words.fields):.0%} likely. {terms}")
    text = words.fields.body or f"({words.problem or 'no text'})"
    language = f"{name_of(facts.language)} ({facts.language})" if facts.language else "language unknown"
    return PageView(task.progress(), words.fields.title or facts.title, facts.url, language, evidence, text)


def _keep(task: LabellingTask, step: "Step", words: "PageWords | None") -> None:
    from exonym.labelling.session import Did
    from exonym.training.labels import Label, append_label, withdraw_label

    when = datetime.now(UTC).isoformat(timespec="seconds")
    if step.did is Did.UNDONE:
        withdraw_label(task.output, task.pages.facts(step.row).url, when)
    elif step.did is Did.ANSWERED and words is not None:
        facts, fields = task.pages.facts(step.row), words.fields
        label = Label(
            url=facts.url,
            positive=step.positive,
            title=fields.title or facts.title,
            text=fields.body,
            anchors=fields.anchors,
            language=facts.language,
            labelled_by=task.by,
            when=when,
            source=str(task.pages.directory),
        )
        append_label(task.output, label)


def label_interactively(task: LabellingTask) -> None:
    """Let a person label pages and, however that ends, print how many labels there are."""
    try:
        with asking_keys() as ask:
            _label_pages(task, ask)
    finally:
        with suppress(OSError):  # the terminal may be gone
            task.print_progress()
