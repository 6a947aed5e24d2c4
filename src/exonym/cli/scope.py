"""`exonym scope DIR …`: shows, writes and tests the rules that say what a crawl leaves out."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import OutputRows, emit
from exonym.errors import ConfigError, DirectoryError
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.config import Settings
    from exonym.scope import ScopeDecision, ScopeRule

_USAGE = {
    "drop": "drop TARGET…",
    "keep": "keep TARGET…",
    "limit": "limit N TARGET…",
    "delay": "delay SECONDS TARGET…",
    "remove": "remove TARGET…",
    "test": "test URL…",
    "import": "import FILE…",
    "list": "list",
}


def scope(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl; it may be running.")],
    action: Annotated[
        str, typer.Argument(metavar="[drop|keep|limit|delay|remove|test|import|list]", help="What to do; list if none.")
    ] = "list",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORD…]", help="A target, a number and a target, an address, or a file: see above."),
    ] = None,
    why: Annotated[str, typer.Option(metavar="REASON", help="Why, kept as a comment beside the rule.")] = "",
    by: Annotated[str, typer.Option(metavar="NAME", help="Who decided, kept as a comment beside the rule.")] = "",
    verb: Annotated[
        str, typer.Option("--as", metavar="drop|keep", help="With import: the rule for lines without + or -.")
    ] = "drop",
    as_json: AsJson = False,
) -> None:
    """Show, write and test rules for what a crawl leaves out, and how it treats single servers.

    `drop example.org`, `keep www.example.org`, `limit 50 blog.example.org`, `delay 10 example.org` add a rule to
    DIR/scope.txt, which a running crawl obeys within seconds; later rules win. A target is a host, a domain
    (*.example.org), a URL prefix (example.org/news/), a SURT (http://(org,example,)/news) or a path (/calendar/).
    `remove example.org` takes its rules back, and the links that they left out. `test URL` says what would happen to an
    address, and by which rule. `import FILE` adds a list of hosts, addresses or SURTs, one a line.
    """
    from exonym.config import CONFIG_NAME, load

    settings = load(directory / CONFIG_NAME)
    given = words or []
    if action not in _USAGE:
        raise ConfigError(f"{action[:40]!r} is nothing that scope does. Choose from {', '.join(_USAGE)}.")
    needed = {"list": 0, "limit": 2, "delay": 2}.get(action, 1)
    if len(given) < needed or (given and not needed):
        raise ConfigError(f"Write it as in: exonym scope {directory} {_USAGE[action]}")
    if action == "list":
        _list(directory, settings, as_json)
    elif action == "test":
        _test(directory, settings, given, as_json)
    else:
        _change(directory, settings, action, given, ChangeOptions(_comment(why, by), verb, as_json))


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """How rules are written, and how that is told."""

    comment: str
    verb: str  # of imported lines without + or -
    as_json: bool


def _comment(why: str, by: str) -> str:
    today = date.today().isoformat()
    return "; ".join(part for part in (why.strip(), ", ".join(filter(None, (by.strip(), today)))) if part)


def _change(directory: Path, settings: "Settings", action: str, words: list[str], options: ChangeOptions) -> None:
    from exonym.scope.scope_file import SCOPE_NAME, add_rules, read_scope

    read_scope(directory, settings.scope.rules)  # a crawl would not obey a new rule beside a mistake
    comment, as_json = options.comment, options.as_json
    if action == "remove":
        rules = _removed(directory, settings, words, comment)
    elif action == "import":
        rules = add_rules(directory, _imported(words, options.verb), comment)
    else:
        head = f"{action} {words[0]}" if action in ("limit", "delay") else action
        rules = add_rules(directory, [f"{head} {word}" for word in words[head.count(" ") :]], comment)
    done = "Removed" if action == "remove" else "Added"
    shown = [f"{done}: {clean(rule.text)}" for rule in rules[:20]]
    more = [f"… and {len(rules) - 20:,} more"] if len(rules) > 20 else []
    end = f"Rules are in {directory / SCOPE_NAME}; a running crawl obeys them within seconds."
    emit({"rules": [rule.text for rule in rules], "removed": action == "remove"}, [*shown, *more, end], as_json)


def _removed(directory: Path, settings: "Settings", targets: list[str], comment: str) -> "list[ScopeRule]":
    """The rules for these targets, which are in force no longer; raises if one of the targets has none."""
    from exonym.scope.scope_file import SCOPE_NAME, file_rules, read_scope, remove_rules
    from exonym.scope.scope_rule import target_of

    known = {rule.target for rule in file_rules(directory)}
    for word in targets:
        wanted = target_of(word)
        if wanted in known:
            continue
        of_settings = [rule for rule in read_scope(directory, settings.scope.rules).rules if rule.target == wanted]
        if of_settings:
            raise ConfigError(
                f"{clean(of_settings[0].text)!r} is in {directory / 'crawl.toml'}, [scope]: take it out there."
            )
        near = [rule.text for rule in file_rules(directory) if wanted.domain and rule.target.domain == wanted.domain]
        advice = f"It has: {clean(near[0])}" if near else f"See: exonym scope {directory} list"
        raise ConfigError(f"{directory / SCOPE_NAME} has no rule for {clean(word, 80)}. {advice}")
    return [rule for word in targets for rule in remove_rules(directory, word, comment)]


def _imported(files: list[str], verb: str) -> list[str]:
    from exonym.scope.scope_file import rules_of_list
    from exonym.scope.scope_rule import Verb
    from exonym.system.files import read_text

    if verb not in ("drop", "keep"):
        raise ConfigError(f"--as must be drop or keep, got {verb[:40]!r}.")
    rules = [
        rule
        for file in files
        for rule in rules_of_list(read_text(Path(file), "a list of hosts, addresses or SURTs"), Verb(verb), file)
    ]
    if not rules:
        raise ConfigError(f"{files[0]} has no lines to import. A list has one host, address or SURT a line.")
    return rules


# What is in force


def _list(directory: Path, settings: "Settings", as_json: bool) -> None:
    from exonym.crawl_directory.crawl_reader import CrawlDirectory
    from exonym.scope.scope_file import SCOPE_NAME, read_scope

    rules = read_scope(directory, settings.scope.rules).rules
    try:
        aside: int | None = CrawlDirectory(directory).status.totals.aside
    except DirectoryError:  # the crawl has not begun
        aside = None
    document = {"rules": [rule.document() for rule in rules], "aside": aside}
    shown: list[str | OutputRows] = [
        [(clean(rule.text), "  ".join(filter(None, (rule.place, clean(rule.comment))))) for rule in rules]
        if rules
        else f"No rules: everything is in scope. Rules go into {directory / SCOPE_NAME}."
    ]
    if aside is not None:
        shown.append(f"{aside:,} links are left out so far; they come back when their rule goes.")
    emit(document, shown, as_json)


def _test(directory: Path, settings: "Settings", urls: list[str], as_json: bool) -> None:
    from exonym.scope.scope_file import read_scope
    from exonym.urls import url_from

    scope = read_scope(directory, settings.scope.rules)
    decisions = [(url, scope.decide(url)) for url in map(url_from, urls)]
    document = {"tests": [{"url": url, **decision.document()} for url, decision in decisions]}
    emit(document, _shown_tests(decisions, settings), as_json)


def _shown_tests(decisions: "list[tuple[str, ScopeDecision]]", settings: "Settings") -> "Iterator[str | OutputRows]":
    for url, decision in decisions:
        yield clean(url, 300)
        if decision.drop is not None:
            yield [("left out", _by(decision.drop))]
            continue
        yield [("in scope", _why_in_scope(decision)), *_bounds(decision, settings)]


def _why_in_scope(decision: "ScopeDecision") -> str:
    if decision.keep is None:
        return "yes: no rule leaves it out; the strategy decides whether it is followed"
    return f"yes, {'whatever the strategy says' if decision.overrules else 'if the strategy follows it'}: " + _by(
        decision.keep
    )


def _bounds(decision: "ScopeDecision", settings: "Settings") -> "Iterator[tuple[str, str]]":
    pages, delay = settings.limits.pages_per_server, settings.politeness.delay_seconds
    if rule := decision.limit:
        of = "of this part of its server" if rule.target.path else "of its server"
        yield "limit", f"{rule.number:,.0f} page{'s' * (rule.number != 1)} {of}: {_by(rule)}"
    else:
        yield "limit", f"{pages:,} pages of its server (limits.pages_per_server)" if pages else "none"
    if rule := decision.delay:
        yield "delay", f"{rule.number:g} s, or more if its robots.txt asks for it: {_by(rule)}"
    else:
        yield "delay", f"{delay:g} s, or more if its robots.txt asks for it (politeness.delay_seconds)"


def _by(rule: "ScopeRule") -> str:
    place = ", ".join(filter(None, (rule.place, clean(rule.comment))))
    return clean(rule.text) + (f" ({place})" if place else "")
