"""The file `scope.txt` of a crawl directory: one rule a line, comments after `#`; and lists of others made into rules.

A change replaces the file as a whole, so that a crawl that reads it meanwhile sees all of the change or nothing.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from exonym.config.other_crawls import other_crawl
from exonym.errors import ConfigError, DirectoryError
from exonym.scope.crawl_scope import CrawlScope
from exonym.scope.scope_rule import ScopeRule, Verb, rule_of, target_of
from exonym.system.files import FileStamp, disk_errors, read_text, replacing, stamp_of
from exonym.web_text import clean

SCOPE_NAME = "scope.txt"

_LONGEST_COMMENT = 500
_HEAD = """\
# What this crawl leaves out, and how it treats single servers. A running crawl obeys changes within seconds.
# One rule a line, later lines win: drop, keep, limit N or delay S, then a host (example.org), a domain
# (*.example.org), a URL prefix (example.org/news/), a SURT (http://(org,example,)/news) or a path (/calendar/).
"""


class ReadableScope(NamedTuple):
    """The rules that can be read, and what is wrong with the first one that cannot; "" if nothing is."""

    scope: CrawlScope
    problem: str


def read_scope(directory: Path, settings_rules: Sequence[str] = ()) -> CrawlScope:
    """The rules of the crawl in `directory`: first those of crawl.toml, then those of scope.txt, if it exists."""
    rules = _rules_in(settings_rules, "crawl.toml, [scope]", numbered=False)
    return CrawlScope([*rules, *file_rules(directory)])


def readable_scope(directory: Path, settings_rules: Sequence[str] = ()) -> ReadableScope:
    """The rules as `read_scope` has them, for those who only look: lines with mistakes are left out."""
    return _readable_scope(directory, tuple(settings_rules), stamp_of(directory / SCOPE_NAME))


@lru_cache(maxsize=8)  # a list of a library may have 100,000 rules
def _readable_scope(directory: Path, settings_rules: tuple[str, ...], stamp: FileStamp | None) -> ReadableScope:
    """`stamp` changes when the file does."""
    problems: list[str] = []
    rules = _rules_in(settings_rules, "crawl.toml, [scope]", numbered=False, problems=problems)
    try:
        rules += _rules_in(_lines_of(directory), str(directory / SCOPE_NAME), problems=problems)
    except (ConfigError, DirectoryError) as error:
        problems.append(str(error))
    return ReadableScope(CrawlScope(rules), problems[0] if problems else "")


def file_rules(directory: Path) -> list[ScopeRule]:
    """The rules in scope.txt, in order; none if there is no such file."""
    return _rules_in(_lines_of(directory), str(directory / SCOPE_NAME))


def _lines_of(directory: Path) -> list[str]:
    path = directory / SCOPE_NAME
    with disk_errors(path):
        if not path.exists():
            return []
    return read_text(path, "a file of rules").splitlines()


def _rules_in(
    lines: Sequence[str], file: str, numbered: bool = True, problems: list[str] | None = None
) -> list[ScopeRule]:
    """The rules on some lines. What is wrong with a line is added to `problems`; without these, it is raised."""
    rules = []
    for number, line in enumerate(lines, 1):
        try:
            rule = rule_of(line, number, Path(file).name if numbered else file)
        except ConfigError as error:
            problem = f"{file}{f':{number}' if numbered else ''}: {error}"
            if problems is None:
                raise ConfigError(problem) from None
            problems.append(problem)
            continue
        if rule is not None:
            rules.append(rule)
    return rules


def add_rules(directory: Path, rules: Sequence[str], comment: str = "") -> list[ScopeRule]:
    """Append rules to scope.txt, each with a comment; the rules as they are read back."""
    comment = clean(comment, _LONGEST_COMMENT).strip()
    texts = [rule.text for rule in map(rule_of, rules) if rule is not None]
    lines = [f"{text}  # {comment}" if comment else text for text in texts]
    with _changing(directory) as text:
        first = len(text[0].splitlines()) + 1
        text.append("".join(f"{line}\n" for line in lines))
    parsed = (rule_of(line, number, SCOPE_NAME) for number, line in enumerate(lines, first))
    return [rule for rule in parsed if rule is not None]


def remove_rules(directory: Path, target: str, comment: str = "") -> list[ScopeRule]:
    """Turn the rules of scope.txt about exactly this target into comments; the rules that were in force."""
    wanted, removed = target_of(target), []
    with _changing(directory) as text:
        lines = text.pop().splitlines()
        for place, line in enumerate(lines):
            rule = rule_of(line)
            if rule is not None and rule.target == wanted:
                removed.append(rule)
                lines[place] = f"# removed{f' ({clean(comment, _LONGEST_COMMENT)})' if comment else ''}: {line}"
        text.append("".join(f"{line}\n" for line in lines))
    return removed


@contextmanager
def _changing(directory: Path) -> Iterator[list[str]]:
    """The text of scope.txt in pieces, to be changed in place; nobody else changes the file meanwhile.

    Raises if the file has a mistake: a crawl would not obey what is added to it.
    """
    path = directory / SCOPE_NAME
    if not directory.is_dir():
        raise DirectoryError(f"{directory} is no directory. {other_crawl(directory)}")
    with disk_errors(path):
        handle = os.open(directory, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            text = read_text(path, "a file of rules") if path.exists() else _HEAD
            _rules_in(text.splitlines(), str(path))
            pieces = [text if not text or text.endswith("\n") else f"{text}\n"]
            yield pieces
            with replacing(path) as draft:
                draft.write_text("".join(pieces), encoding="utf-8")
        finally:
            os.close(handle)


def rules_of_list(text: str, verb: Verb, file: str) -> list[str]:
    """A list of others as rules: hosts, URLs or SURT prefixes, one a line.

    A line that begins with `+` is kept and one that begins with `-` dropped, as in Heritrix's lists; all others get
    the verb.

    >>> rules_of_list("+http://(pt,example,\\n# mine\\nother.org", Verb.DROP, "list")
    ['keep http://(pt,example,', 'drop other.org']
    """
    rules = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        word = words[0]
        own = {"+": Verb.KEEP, "-": Verb.DROP}.get(word[0])
        target = word[1:] if own else word
        try:
            if len(words) > 1:
                raise ConfigError("more than one word. A list has one host, URL or SURT a line.")
            target_of(target)
        except ConfigError as error:
            raise ConfigError(f"{file}:{number}: {error} Nothing was imported.") from None
        rules.append(f"{(own or verb).value} {target}")
    return rules
