"""`exonym identify country ADDRESS | HOST | URL…`: shows the country of servers, and the evidence for it."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from exonym.cli.options import AsJson
from exonym.cli.output import emit
from exonym.errors import ConfigError, UrlError
from exonym.web_text import clean

_HOW = {
    "registry": "by address (registry)",
    "mmdb": "by address (your database)",
    "domain": "by domain",
    "": "unknown",
}


class _Server(NamedTuple):
    name: str  # "" for a bare address
    address: str  # "" if it is not known


def country(
    servers: Annotated[
        list[str], typer.Argument(metavar="ADDRESS | HOST | URL…", help="IP addresses, host names, web addresses.")
    ],
    mmdb: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A database in MaxMind's format to use instead of the registries' tables."),
    ] = None,
    resolve: Annotated[
        bool, typer.Option("--resolve", help="Look up the addresses of host names with your name server.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the country of servers: where an address is registered, else by top-level domain, else unknown.

    Addresses are looked up in the tables of the Internet registries in the package iptocc (MIT or Apache-2.0). The
    tables say to whom an address was assigned, which is not always where the machine is.
    """
    from exonym.nations.country import Countries

    countries, rows = Countries(mmdb), []
    for given in servers:
        server = _server(given, resolve)
        rows.append((given, server, countries.country_of(server.address, server.name)))
    shown = [
        (
            clean(given, 60),
            f"{place.code or '-':<2}  {_HOW[place.source]:<21}  {server.address if resolve and server.name else ''}",
        )
        for given, server, place in rows
    ]
    documents = [
        {
            "given": given,
            "address": server.address or None,
            "country": place.code or None,
            "how": _HOW[place.source],
            "source": place.source or None,
        }
        for given, server, place in rows
    ]
    emit({"servers": documents}, [shown], as_json)


def _server(given: str, resolve: bool) -> _Server:
    from exonym.fetch.addresses import literal_address
    from exonym.urls import normal_form, server_of

    text = given.strip()
    bare = literal_address(text)
    if bare is not None:
        return _Server("", bare)
    try:
        name = server_of(normal_form(text if "://" in text else f"http://{text}/"))
    except UrlError:
        raise ConfigError(f"{given[:60]!r} is not a server. Name an address (161.200.0.1), a host or a URL.") from None
    host = name.rpartition(":")[0] if name.rpartition(":")[2].isdigit() else name
    address = literal_address(host)
    return _Server(name, address if address is not None else _resolve(host) if resolve else "")


def _resolve(host: str) -> str:
    """The first address that a name server gives for `host`; "" for none."""
    from exonym.fetch.addresses import system_lookup

    try:
        return next(iter(system_lookup(host)), "")
    except (OSError, UnicodeError):
        return ""
