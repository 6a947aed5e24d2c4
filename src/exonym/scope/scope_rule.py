"""One rule of a crawl's scope: what to do (drop, keep, limit, delay), and with which addresses.

A rule is one line: `drop example.org  # asked by mail on 3 May`. Its target is one of

    example.org                     a host, with and without `www.`, on every port; `example.org:8080` on one port
                                    (80 and 443 also mean addresses without a port)
    *.example.pt                    a domain: the host and all hosts below it
    example.org/news/               a URL prefix, with or without http:// or https://, which mean the same
    http://(pt,example,www,)/news   the same as a SURT, as other crawlers write it
    /calendar/                      a pattern for the path and query, on every server, as in robots.txt
    *.example.pt/*?print=           such a pattern for a host or domain
    *                               everything
"""

import re
from dataclasses import dataclass
from enum import Enum

from exonym.errors import ConfigError, UrlError
from exonym.politeness.path_pattern import PathPattern
from exonym.urls import host_of, normal_form, server_of

MOST_SECONDS = 1e6
MOST_PAGES = 1e12

_COMMENT = re.compile(r"(?:^|\s)#(.*)", re.DOTALL)
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_SURT = re.compile(r"\(?((?:[^,()/:]+,)+[^,()/:]*):?(\d*)(\))?(/.*)?", re.DOTALL)
_ADDRESS_SURT = re.compile(r"\((\[[0-9a-fA-F:.]+\](?::\d+)?|[0-9.]+(?::\d+)?)\)(/.*)?", re.DOTALL)  # written forwards
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^/:?*#]+)(?::(\d+))?")
_HOST_IN_URLS = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_SPELLING = (
    "Write it as in example.org, *.example.org, example.org/news/, http://(org,example,)/news, or /calendar/ for a path"
)


class Verb(Enum):
    """What a rule does with the addresses of its target."""

    DROP = "drop"  # leave them out
    KEEP = "keep"  # take back an earlier drop; of a single host or prefix: follow even what the strategy would leave
    LIMIT = "limit"  # fetch at most so many pages of each server
    DELAY = "delay"  # wait so many seconds between two requests to a server


@dataclass(frozen=True, slots=True)
class ScopeTarget:
    """The addresses that a rule is about."""

    domain: str = ""  # the host, or the domain above the hosts; "": every host
    is_domain: bool = False  # the hosts below it too
    labels: str = ""  # in place of a domain: how the host begins when its labels are written backwards, `pt,exam`
    port: str = ""  # "": every port
    path: PathPattern | None = None  # None: every path

    @property
    def is_single(self) -> bool:
        """Whether the target is one host, or a part of one."""
        return bool(self.domain) and not self.is_domain


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """A verb, its number, and the target; `text` is the rule as it was written, `comment` says who wrote it and why."""

    verb: Verb
    target: ScopeTarget
    number: float
    text: str
    comment: str = ""
    line: int = 0  # in its file
    file: str = ""

    @property
    def overrules(self) -> bool:
        """Whether the rule also overrules the strategy: only where a person named a single host or a part of one."""
        return self.verb is Verb.KEEP and self.target.is_single

    @property
    def place(self) -> str:
        """Where the rule is written."""
        return f"{self.file} line {self.line}" if self.file else ""

    def document(self) -> dict[str, str | int]:
        """The rule for JSON. Scripts rely on these names: more may be added, none may be removed."""
        return {"rule": self.text, "comment": self.comment, "file": self.file, "line": self.line}


def rule_of(line: str, number: int = 0, file: str = "") -> ScopeRule | None:
    """The rule on a line; None if the line is blank or a comment. Raises ConfigError for anything else.

    >>> rule_of("limit 50 *.example.pt  # a blog host").number
    50.0
    """
    found = _COMMENT.search(line)
    comment = found[1].strip() if found else ""
    words = _COMMENT.sub("", line).split()
    if not words:
        return None
    verb = next((verb for verb in Verb if verb.value == words[0].lower()), None)
    if verb is None:
        raise ConfigError(f"{words[0][:40]!r} is no rule. A rule begins with drop, keep, limit N or delay S.")
    values = words[1:2] if verb in (Verb.LIMIT, Verb.DELAY) else []
    rest = words[1 + len(values) :]
    if len(rest) != 1:
        usage = f"{verb.value} {'N ' if verb is Verb.LIMIT else 'S ' if verb is Verb.DELAY else ''}TARGET"
        raise ConfigError(f"{' '.join(words)[:80]!r} is no rule. Write it as in: {usage}.")
    value = _number(verb, values[0]) if values else 0.0
    return ScopeRule(verb, target_of(rest[0]), value, " ".join(words), comment, number, file)


def _number(verb: Verb, text: str) -> float:
    try:
        value = float(text.replace("_", ""))
    except ValueError:
        value = -1.0
    if verb is Verb.LIMIT and not (1 <= value <= MOST_PAGES and value.is_integer()):
        raise ConfigError(f"limit must be a whole number, 1 or more, got {text[:40]!r}. To fetch nothing, use drop.")
    if verb is Verb.DELAY and not 0 <= value <= MOST_SECONDS:
        raise ConfigError(f"delay must be a number of seconds, as in 10 or 0.5, got {text[:40]!r}.")
    return value


def target_of(text: str) -> ScopeTarget:
    """The target that is written like this; raises ConfigError if it is none.

    >>> target_of("http://(pt,example,)/a").domain, target_of("pt,example,").is_domain
    ('example.pt', True)
    """
    bare = _SCHEME.sub("", text, count=1)
    if bare.startswith("/"):
        return ScopeTarget(path=_path_of(bare, text))
    if surt := _SURT.fullmatch(bare):
        return _surt_target(surt, text)
    if address := _ADDRESS_SURT.fullmatch(bare):
        bare = address[1] + (address[2] or "")
    if bare == "*" or bare.startswith("*/"):
        return ScopeTarget(path=_path_of(bare[1:], text))
    is_domain = bare.startswith("*.")
    found = _HOST.match(bare.removeprefix("*."))
    rest = bare.removeprefix("*.")[found.end() :] if found else ""
    if found is None or rest[:1] not in ("", "/", "?"):
        raise _wrong(text)
    host = _host(found[1], text, is_domain)
    return ScopeTarget(host, is_domain, port=found[2] or "", path=_path_of(rest, text))


def _surt_target(surt: re.Match[str], text: str) -> ScopeTarget:
    written, port, is_closed, path = surt[1].lower(), surt[2], bool(surt[3]), surt[4] or ""
    labels = written.removesuffix(",").split(",")
    if not all(labels) or (path and not is_closed):
        raise _wrong(text)
    if is_closed or written.endswith(","):
        host = _host(".".join(reversed(labels)), text, is_domain=not is_closed)
        return ScopeTarget(host, is_domain=not is_closed, port=port, path=_path_of(path, text))
    return ScopeTarget(labels=written, port=port)


def _host(text: str, whole: str, is_domain: bool) -> str:
    """The host in the spelling of URLs; without `www.`, unless the hosts below it are meant too."""
    if "@" in text or "\\" in text:  # in URLs they would end the user's name, and the host
        raise _wrong(whole)
    try:
        host = host_of(server_of(normal_form(f"http://{text}/")))
    except UrlError:
        raise _wrong(whole) from None
    if not _HOST_IN_URLS.fullmatch(host):
        raise _wrong(whole)
    return host if is_domain else host.removeprefix("www.")


def _path_of(text: str, whole: str) -> PathPattern | None:
    path = text.partition("#")[0]
    path = f"/{path}" if path.startswith("?") else path
    if path in ("", "/", "/*"):
        return None
    pattern = PathPattern.parse(path.encode("utf-8", "replace"))
    if not pattern.is_path:
        raise _wrong(whole)
    return pattern


def _wrong(text: str) -> ConfigError:
    return ConfigError(f"{text[:80]!r} is no host, domain, URL prefix, SURT or path pattern. {_SPELLING}.")
