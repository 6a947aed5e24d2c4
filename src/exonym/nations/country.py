"""The country of a server: where its address is registered, else that of its top-level domain, else unknown.

Addresses are looked up in the tables of the five Internet registries that the package iptocc (MIT or Apache-2.0)
contains: they state to whom an address was assigned, which is not always where the machine is. A database in MaxMind's
format may replace these tables. Domains are weaker evidence still: anybody may register a .tv or an .io.
"""

import ipaddress
import re
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

from exonym.errors import ConfigError
from exonym.system.files import reading
from exonym.urls import top_level_domain_of

CountrySource = Literal["registry", "mmdb", "domain", ""]

_NO_COUNTRIES = frozenset(["EU", "AP", "ZZ", "XX"])  # codes that registries and databases use for regions or "unknown"
_CODE = re.compile(r"[A-Z]{2}")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_CACHED_ANSWERS = 65_536  # crawls look up the same servers again and again

# Domains that are no ISO code. .eu and .su belong to no country of today.
_OTHER_DOMAINS = {"uk": "GB", "ac": "SH", "eu": "", "su": ""}
# As the Public Suffix List has them: lines like `th` or `ac.za`, and `// xn--o3cw4h ("Thai", Thai) : TH`.
_TWO_LETTERS = re.compile(r"^(?:[^\s/]*\.)?([a-z]{2})$", re.MULTILINE)
_IN_OTHER_SCRIPT = re.compile(r"^// (xn--[a-z0-9-]+) .*: ?([A-Z]{2})\s*$", re.MULTILINE)


class Country(NamedTuple):
    """An ISO 3166 code, "" if unknown, and the source of that answer."""

    code: str = ""
    source: CountrySource = ""


UNKNOWN = Country()


class Countries:
    """Looks up the country of servers; the database `mmdb`, if given, replaces the registries' tables."""

    def __init__(self, mmdb: Path | None = None) -> None:
        self._database = _open_database(mmdb) if mmdb else None
        self._by_address = lru_cache(_CACHED_ANSWERS)(self._look_up)

    def country_of(self, address: str, server: str = "") -> Country:
        """The country of a server (`example.org:8080`, or "") at an IP address ("" if that is not known)."""
        country = self._by_address(address) if address else UNKNOWN
        if country.code or not server:
            return country
        code = country_of_domain(top_level_domain_of(server.lower()))
        return Country(code, "domain") if code else UNKNOWN

    def _look_up(self, address: str) -> Country:
        from iptocc import country_code

        if self._database is not None:
            code = _country_in(self._database, _normal_address(address))
        else:
            # Nearly all addresses are in normal form already, and normalising takes ten times as long as a look-up.
            code = country_code(address) or country_code(_normal_address(address)) or ""
        if not _CODE.fullmatch(code) or code in _NO_COUNTRIES:
            return UNKNOWN
        return Country(code, "registry" if self._database is None else "mmdb")


def country_of_domain(domain: str) -> str:
    """The country that a top-level domain belongs to, "" for generic ones.

    >>> country_of_domain("th"), country_of_domain("uk"), country_of_domain("com")
    ('TH', 'GB', '')
    """
    return _country_by_domain().get(domain, "")


def internationalised_domains(country: str) -> tuple[str, ...]:
    """The top-level domains of a country in scripts other than Latin, as xn--…

    >>> internationalised_domains("TH"), internationalised_domains("PT")
    (('xn--o3cw4h',), ())
    """
    return tuple(domain for domain, code in _country_by_domain().items() if code == country and domain[:4] == "xn--")


@lru_cache(maxsize=1)
def _country_by_domain() -> dict[str, str]:
    from publicsuffixlist import PSLFILE  # type: ignore[import-untyped,unused-ignore]

    text = Path(PSLFILE).read_text(encoding="utf-8")
    known = {domain: domain.upper() for domain in _TWO_LETTERS.findall(text)} | _OTHER_DOMAINS
    # The list names the countries of internationalised domains in its comments only.
    return known | {domain: code for domain, code in _IN_OTHER_SCRIPT.findall(text) if code not in _NO_COUNTRIES}


def _normal_address(address: str) -> str:
    """An IP address in normal form, "" for any other text; of an IPv6 address that contains an IPv4 one, the latter."""
    try:
        parsed = ipaddress.ip_address(address.strip().strip("[]").partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    inside = parsed.ipv4_mapped or parsed.sixtofour
    if inside is None and parsed in _NAT64:
        inside = ipaddress.IPv4Address(int(parsed) & 0xFFFF_FFFF)
    return str(inside or parsed)


def _open_database(path: Path) -> Any:
    try:
        maxminddb = import_module("maxminddb")
    except ImportError:
        raise ConfigError(f"{path} can be read only with maxminddb. Install it: pip install maxminddb") from None
    try:
        with reading(path, "an MMDB file"):
            return maxminddb.open_database(path)
    except (ValueError, maxminddb.InvalidDatabaseError):
        raise ConfigError(f"{path} is no MMDB database. Name one, as GeoLite2-Country.mmdb.") from None


def _country_in(database: Any, address: str) -> str:
    """The country that a database has for an address, "" if unknown; databases use different keys."""
    try:
        record = database.get(address)
    except Exception:  # a damaged database may raise anything; it then knows nothing of this address
        return ""
    if not isinstance(record, dict):
        return ""
    for key in ("country", "registered_country", "country_code"):
        value = record.get(key)
        code = value.get("iso_code") if isinstance(value, dict) else value
        if isinstance(code, str) and _CODE.fullmatch(code):
            return code
    return ""
