"""What a curator overrules: rules of the scope, which a running crawl obeys, and labels, for training and audits."""

from datetime import UTC, date, datetime
from typing import Annotated, Literal

import msgspec

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.crawl_directory.crawl_reader import CrawlDirectory
from exonym.crawl_directory.visited_pages import words_of
from exonym.dashboard.served_crawls import ServedCrawl
from exonym.errors import DirectoryError
from exonym.scope import CrawlScope, ScopeRule
from exonym.scope.scope_file import add_rules, read_scope, remove_rules
from exonym.training.labels import Label, append_label, read_labels, withdraw_label

LABELS_NAME, AUDIT_NAME = "labels.jsonl", "audit.jsonl"

ShortText = Annotated[str, msgspec.Meta(max_length=300, pattern=r"^[^\r\n]*$")]


class RuleChange(msgspec.Struct, forbid_unknown_fields=True):
    """A rule to add to scope.txt, or a target whose rules there are to be removed."""

    verb: Literal["drop", "keep", "limit", "delay", "remove"]
    target: Annotated[str, msgspec.Meta(min_length=1, max_length=2_000, pattern=r"^[^\s#]+$")]
    number: Annotated[float, msgspec.Meta(ge=0, le=1e9)] | None = None  # of pages, or of seconds
    why: ShortText = ""
    by: ShortText = ""


class LabelChange(msgspec.Struct, forbid_unknown_fields=True):
    """What a page is in truth; null takes the label back."""

    relevant: bool | None
    by: ShortText = ""


# Scope


def scope_of(crawl: ServedCrawl) -> CrawlScope:
    """The rules in force."""
    return read_scope(crawl.directory, load(crawl.directory / CONFIG_NAME).scope.rules)


def change_rule(crawl: ServedCrawl, change: RuleChange) -> list[ScopeRule]:
    """Add or remove rules; the rules concerned. Raises ConfigError for what is no rule."""
    comment = "; ".join(filter(None, (change.why.strip(), f"{change.by.strip()} {date.today().isoformat()}".strip())))
    if change.verb == "remove":
        return remove_rules(crawl.directory, change.target, comment)
    number = f"{change.number or 0:.15g} " if change.verb in ("limit", "delay") else ""
    return add_rules(crawl.directory, [f"{change.verb} {number}{change.target}"], comment)


# Labels


def labels_of(crawl: ServedCrawl) -> dict[str, bool]:
    """The labels of pages that curators gave, by URL."""
    path = crawl.directory / LABELS_NAME
    return {label.url: label.positive for label in read_labels(path)} if path.exists() else {}


def label_page(crawl: ServedCrawl, number: int, change: LabelChange) -> str:
    """Note what the page of a visit is in truth, with its words, for training and audit; returns its URL."""
    row = crawl.index().journal_row(number)
    if row is None or row.outcome != Outcome.PAGE:
        raise DirectoryError("This visit brought no page, so there is nothing to label.")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    files = [crawl.directory / LABELS_NAME]
    if (audit := crawl.directory / AUDIT_NAME).exists():  # it counts the labels of the pages in its sample
        files.append(audit)
    if change.relevant is None:
        for file in files:
            withdraw_label(file, row.url, now)
        return row.url
    page = CrawlDirectory(crawl.directory).page(row)
    fields = words_of(row.url, page.head, page.response.body if page.response else b"").fields
    label = Label(
        row.url,
        change.relevant,
        title=fields.title or row.title,
        text=fields.body,
        anchors=fields.anchors,
        language=row.language,
        labelled_by=change.by.strip(),
        when=now,
        source=str(crawl.directory),
    )
    for file in files:
        append_label(file, label)
    return row.url
