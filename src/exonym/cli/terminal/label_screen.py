"""Pages put before a person, one after the other: each answer is on the disk before the next page is shown."""

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
    from exonym.crawl_directory.pages import CrawlPages, PageFacts, PageWords
    from exonym.labelling.order_by_model import Scorer
    from exonym.labelling.session import Session, Step

_CLEAR = "\x1b[H\x1b[2J"
_NOTHING_LEFT = "No page is left. u takes the last answer back, any other key ends."
_MOST_TERMS = 6
KEY_LINE = "[y]es  [n]o  [s]kip  [u]ndo  [m]ore  [q]uit"
_LEAST_LINES = 3  # of text, however small the terminal
_NARROWEST = 20


class Size(NamedTuple):
    """Of a terminal, in cells."""

    columns: int
    lines: int


@dataclass(frozen=True, slots=True)
class PageView:
    """What is shown of a page; all of it comes from the web or may."""

    progress: str
    title: str
    url: str
    language: str
    evidence: Sequence[str]
    text: str


def screen_of(view: PageView, size: Size, start: int = 0) -> tuple[list[str], int]:
    """The lines of a screen whose text begins at its line `start`, and where the next screen begins (0: anew)."""
    width = max(size.columns - 1, _NARROWEST)  # a terminal may break a full line twice
    top = [_rule(clean(view.progress, width), width)]
    top += _cut([view.title or "(no title)", view.url, view.language], width)
    for evidence in view.evidence:
        top += _wrapped(evidence, width)[:2]
    text = [line for block in view.text.split("\n") for line in _wrapped(block, width)]
    keys = textwrap.wrap(KEY_LINE, width)
    room = max(size.lines - len(top) - len(keys) - 3, _LEAST_LINES)
    shown, left = text[start : start + room], max(len(text) - start - room, 0)
    following = f"… {left:,} more lines: m" if left else ("(the end; m: from the beginning)" if start else "")
    return [*top, "", *shown, clean(following, width), *keys], start + room if left else 0


def _rule(text: str, width: int) -> str:
    return f"── {text} ".ljust(width, "─")


def _cut(lines: Sequence[str], width: int) -> list[str]:
    return [_wrapped(line, width)[0] if clean(line) else "" for line in lines]


def _wrapped(text: str, width: int) -> list[str]:
    """A harmless block in lines that fit; letters of East Asia take two cells, marks of Thai vowels none."""
    from rich.cells import cell_len, chop_cells

    lines = []
    for start in range(0, len(text), 1_000):
        piece = clean(text[start : start + 1_000])
        lines += textwrap.wrap(piece, width) if cell_len(piece) == len(piece) else chop_cells(piece, width)
    return lines


@dataclass(frozen=True, slots=True)
class Desk:
    """Where a person labels: the pages, the file, and what is shown."""

    pages: "CrawlPages"
    session: "Session"
    output: Path
    out: TextIO
    by: str = ""
    model: "Scorer | None" = None
    blind: bool = False  # an audit: nothing that the crawl thought of a page is shown, and no page is passed over
    of: int = 0  # pages to label; 0: as many as one likes

    def tell_kept(self) -> None:
        """Say what there is now."""
        kept = f" Kept in {clean(str(self.output))}." if self.session.labelled else ""
        print(f"\n{self.progress()}.{kept}", file=self.out, flush=True)

    def progress(self) -> str:
        """How far the labels are."""
        session = self.session
        of = f" of {self.of:,}" if self.of else ""
        return f"{session.labelled:,}{of} labelled: {session.yes:,} yes, {session.no:,} no"


def ask_pages(desk: Desk, ask: Ask) -> None:
    """Show pages and take answers until there are no more of either."""
    from exonym.labelling.session import Did

    while True:
        if desk.session.is_over:
            step = _ask_at_the_end(desk, ask)
        else:
            words = desk.pages.words(desk.session.row)
            if words.problem and not desk.blind:
                desk.session.pass_over()
                continue
            step = _ask_page(desk, ask, words)
        if step is None or step.did is Did.QUIT:
            return


def _ask_at_the_end(desk: Desk, ask: Ask) -> "Step | None":
    """The last answer can be taken back too."""
    from exonym.labelling.session import Did

    if not desk.session.has_past:
        print("No page with text is left to label.", file=desk.out, flush=True)
        return None
    print(_NOTHING_LEFT, file=desk.out, flush=True)
    step = desk.session.press(ask() or "q")
    if step.did not in (Did.UNDONE, Did.UNSKIPPED):
        return None
    _keep(desk, step, None)
    return step


def _ask_page(desk: Desk, ask: Ask, words: "PageWords") -> "Step":
    from exonym.labelling.session import Did

    facts = desk.pages.facts(desk.session.row)
    view = _view(desk, facts, words)
    start = 0
    while True:
        lines, following = screen_of(view, Size(*shutil.get_terminal_size()), start)
        _show(lines, desk.out)
        step = desk.session.press(ask() or "q")
        while step.did in (Did.UNKNOWN, Did.NOTHING):
            hint = "Nothing to undo." if step.did is Did.NOTHING else "Press y, n, s, u, m or q."
            print(hint, file=desk.out, flush=True)
            step = desk.session.press(ask() or "q")
        if step.did is not Did.MORE:
            _keep(desk, step, words)
            return step
        start = following


def _show(lines: list[str], out: TextIO) -> None:
    clear = _CLEAR if out.isatty() else "\n"
    print(clear + "\n".join(lines), file=out, flush=True)


def _view(desk: Desk, facts: "PageFacts", words: "PageWords") -> PageView:
    from exonym.language_names import name_of

    evidence = []
    if not desk.blind:
        verdict = "relevant" if facts.relevant else "not relevant"
        evidence.append(f"The crawl: {verdict} ({facts.relevance:.2f}). {facts.why}")
        if desk.model is not None:
            evidence.append(_told_by(desk.model, words))
    text = words.fields.body or f"({words.problem or 'no text'})"
    language = f"{name_of(facts.language)} ({facts.language})" if facts.language else "language unknown"
    return PageView(desk.progress(), words.fields.title or facts.title, facts.url, language, evidence, text)


def _told_by(model: "Scorer", words: "PageWords") -> str:
    terms = ", ".join(f"{term} {weight:+.1f}" for term, weight in model.telling(words.fields, _MOST_TERMS))
    return f"The model: {model.probability(words.fields):.0%} likely. {terms}"


def _keep(desk: Desk, step: "Step", words: "PageWords | None") -> None:
    from exonym.labelling.session import Did
    from exonym.training.labels import Label, append_label, withdraw_label

    when = datetime.now(UTC).isoformat(timespec="seconds")
    if step.did is Did.UNDONE:
        withdraw_label(desk.output, desk.pages.facts(step.row).url, when)
    elif step.did is Did.ANSWERED and words is not None:
        facts, fields = desk.pages.facts(step.row), words.fields
        label = Label(
            url=facts.url,
            positive=step.positive,
            title=fields.title or facts.title,
            text=fields.body,
            anchors=fields.anchors,
            language=facts.language,
            labelled_by=desk.by,
            when=when,
            source=str(desk.pages.directory),
        )
        append_label(desk.output, label)


def asking(desk: Desk) -> None:
    """Ask until the end and, however it ends, say what was kept."""
    try:
        with asking_keys() as ask:
            ask_pages(desk, ask)
    finally:
        with suppress(OSError):  # the terminal may be gone
            desk.tell_kept()
