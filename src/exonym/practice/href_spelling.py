"""Spells the hrefs of links: absolute, from the root or relative; with fragments, upper case, session ids."""

from exonym.practice.chance import mix_of
from exonym.practice.kinds import has_base
from exonym.practice.server_profiles import Server
from exonym.practice.tree import PagePlace

_ABSOLUTE = 25  # of a hundred links within a server
_FROM_ROOT = 65
_ALIKE_ABSOLUTE, _ALIKE_FROM_ROOT = 59, 89  # of a hundred servers with templates
_JAVA_SESSION = 4  # one in four servers with sessions writes session ids into the path


def spelled(place: PagePlace, target: str, draw: int) -> str:
    """An href on the page at `place` that means `target` (a URL in normal form)."""
    server = place.server
    if not target.startswith(server.origin + "/"):
        return _foreign_spelling(target, draw)
    path = target[len(server.origin) :]
    base = base_path(place)
    if server.has_sessions:
        path = _with_session(server, path, draw)
    chance = draw % 100
    if chance < _ABSOLUTE:
        return server.origin + path
    return path if chance < _FROM_ROOT else relative(base, path)


def spelled_alike(place: PagePlace, target: str) -> str:
    """An href as sites with templates write it: all links of a server absolute, or all from the root, or relative."""
    server = place.server
    chance = server.draw % 100
    if chance < _ALIKE_ABSOLUTE or not target.startswith(server.origin + "/"):
        return target
    path = target[len(server.origin) :]
    return path if chance < _ALIKE_FROM_ROOT else relative(base_path(place), path)


def base_path(place: PagePlace) -> str:
    """The directory that relative links of a page start from: its own, or the root if the page has a `<base>`."""
    return "/" if has_base(place.draw) else place.directory.path


def relative(base: str, path: str) -> str:
    """A relative reference from the directory `base` to `path`."""
    ups = ""
    while not path.startswith(base):
        base = base[: base.rindex("/", 0, -1) + 1]
        ups += "../"
    rest = ups + path[len(base) :]
    # A reference that starts with a query would mean the page itself, not its directory.
    return rest if rest and not rest.startswith("?") else "./" + rest


def _foreign_spelling(target: str, draw: int) -> str:
    chance = draw % 40
    if chance == 0:
        return target + "#top"
    if chance == 1:
        scheme, _, rest = target.partition("://")
        host, _, path = rest.partition("/")
        return f"{scheme}://{host.upper()}/{path}"
    return target.partition(":")[2] if chance == 2 else target


def _with_session(server: Server, path: str, draw: int) -> str:
    session = f"{mix_of(draw, 0x5E55):016x}"
    if server.draw % _JAVA_SESSION == 0:
        plain, mark, query = path.partition("?")
        return f"{plain};jsessionid={session}{mark}{query}"
    return f"{path}{'&' if '?' in path else '?'}PHPSESSID={session}"
