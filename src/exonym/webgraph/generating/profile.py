"""Profiles: the parameters of a generated web, as TOML files that say only how they differ from thai2006."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from exonym.config.toml_file import KnownKeys, TomlFile, WrongValueError, shown, struct_of, wrong_value
from exonym.language_names import known_language

DEFAULT = "thai2006"
_OTHER_NAMES = {"default": DEFAULT, "thai2009": DEFAULT}  # thai2009: its name in 0.1.0
_SHIPPED = Path(__file__).parent / "profiles"
_EXPLAINED = f"Every key is explained in {_SHIPPED / DEFAULT}.toml."
_EPSILON = 1e-9
_MOST_WEIGHT = 1e9


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Servers(_Part, frozen=True):
    """How pages are spread over servers and segments."""

    pages_per_server: float
    tail: float
    largest: float
    pages_per_segment: float
    relevant_share: float
    relevant_spread: float
    large_share: float
    large_spread: float
    coherence: float
    remote: float
    remote_fall: float
    farthest: int
    front_doors: float
    farm_servers: float
    farm_activity: float


class Budget(_Part, frozen=True):
    """The links of relevant or irrelevant pages: how many, to where, and which part leads to relevant pages."""

    per_page: float
    same_server: float
    same_domain: float
    to_relevant: tuple[float, float, float]

    @property
    def shares(self) -> tuple[float, float, float]:
        """Of links to the same server, to other servers of the same domain, and to other domains."""
        return self.same_server, self.same_domain, max(0.0, 1 - self.same_server - self.same_domain)


class LinkProfile(_Part, frozen=True):
    """How pages link to fetched pages."""

    activity_shape: float
    popularity: float
    strays: float
    copied: float
    block: int
    relevant: Budget
    irrelevant: Budget


class KnownPages(_Part, frozen=True):
    """Pages that are only linked to."""

    per_page: float
    links_per_page: float
    from_relevant: float
    same_server: float


class Anchors(_Part, frozen=True):
    """How often an anchor is in the profile's language, by source and target."""

    relevant_to_relevant: float
    relevant_to_irrelevant: float
    irrelevant_to_relevant: float
    irrelevant_to_irrelevant: float


class Cells(_Part, frozen=True):
    """The pages of one top-level domain, by language; only their proportions count."""

    pages: int
    relevant: int
    english: int
    other: int
    others: dict[str, float] = {}  # the languages that `other` stands for, in proportion; empty: by the domain

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Relevant, English, other, unknown."""
        return self.relevant, self.english, self.other, self.pages - self.relevant - self.english - self.other


class WebProfile(_Part, frozen=True):
    """All parameters of a generated web."""

    description: str
    language: str
    relevant_pages: float
    seeds: int
    random_seeds: bool
    servers: Servers
    links: LinkProfile
    known: KnownPages
    anchors: Anchors
    domains: dict[str, Cells]


def profile_names() -> list[str]:
    """The profiles that come with Exonym, the published one first."""
    names = sorted(path.stem for path in _SHIPPED.glob("*.toml"))
    return [DEFAULT, *(name for name in names if name != DEFAULT)]


def load_profile(name: str, others: tuple[str, ...] = ()) -> WebProfile:
    """A profile by its name or its file; if it is neither, the error names `others` besides the profiles."""
    name = _OTHER_NAMES.get(name, name)
    path = _SHIPPED / f"{name}.toml" if name in profile_names() else Path(name)
    what = f"a profile ({', '.join([*profile_names(), *others])}) or the file of one"
    published, file = (TomlFile.read(each, what) for each in (_SHIPPED / f"{DEFAULT}.toml", path))
    known = KnownKeys(_keys_of(WebProfile), _EXPLAINED)
    try:
        profile = struct_of(WebProfile, _merged(published.table, file.table), known)
        _check(profile)
    except WrongValueError as wrong:
        raise file.error(wrong, _EXPLAINED) from None
    return profile


def _keys_of(kind: type[msgspec.Struct], *above: str) -> list[str]:
    """All keys of a struct and of the structs inside it, in full; keys of [domains] are names, so not listed."""
    keys = []
    for item in msgspec.structs.fields(kind):
        inside = isinstance(item.type, type) and issubclass(item.type, msgspec.Struct)
        keys += _keys_of(item.type, *above, item.name) if inside else [".".join((*above, item.name))]
    return keys


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with `changes`; tables are merged key by key, but [domains] is replaced as a whole."""
    merged = dict(base)
    for key, value in changes.items():
        nested = isinstance(value, dict) and isinstance(base.get(key), dict) and key != "domains"
        merged[key] = _merged(base[key], value) if nested else value
    return merged


def _check(profile: WebProfile) -> None:
    """Raise WrongValueError for a value of the right type that cannot make a web."""
    for key, value, low, high in _ranges(profile):
        if not low <= value <= high:
            keys = key.partition(" ")[0].split(".")
            raise WrongValueError(f"{key} must be from {low:g} to {high:g}, got {value:g}.", *keys)
    if not profile.language or known_language(profile.language) != profile.language:
        raise wrong_value("language", "a language's code, as in th", profile.language)
    for name, cells in profile.domains.items():
        keys = ["domains", name]
        if not (name.isalnum() and name.isascii() and name.islower()):
            raise WrongValueError(f"domains.{name[:60]!r} must be small letters, as in th.", *keys)
        if min(cells.counts) < 0:
            raise WrongValueError(f"domains.{name} must have at least as many pages as its languages together.", *keys)
        for code, weight in cells.others.items():
            if not code or known_language(code) != code or code == profile.language:
                rule = f"must be codes of languages other than {profile.language}, got {shown(code)}."
                raise WrongValueError(f"domains.{name}.others {rule}", *keys, "others")
            if not 0 < weight < _MOST_WEIGHT:
                rule = f"must be above 0 and below {_MOST_WEIGHT:g}, got {weight:g}."
                raise WrongValueError(f"domains.{name}.others.{code} {rule}", *keys, "others", code)
    if not sum(cells.relevant for cells in profile.domains.values()):
        raise WrongValueError("domains must have relevant pages in one of them.", "domains")
    if not sum(cells.pages - cells.relevant for cells in profile.domains.values()):
        raise WrongValueError("domains must have pages that are not relevant in one of them.", "domains")


def _ranges(profile: WebProfile) -> list[tuple[str, float, float, float]]:
    servers, links, known = profile.servers, profile.links, profile.known
    rows = [
        ("relevant_pages", profile.relevant_pages, 0.001, 1),
        ("seeds", profile.seeds, 1, 1_000_000),
        ("servers.pages_per_server", servers.pages_per_server, 1, 1e6),
        ("servers.tail", servers.tail, 0.2, 10),
        ("servers.largest", servers.largest, 0.0001, 1),
        ("servers.pages_per_segment", servers.pages_per_segment, 1, 1e6),
        ("servers.relevant_share", servers.relevant_share, 0.01, 1),
        ("servers.relevant_spread", servers.relevant_spread, 0.01, 1e6),
        ("servers.large_share", servers.large_share, 0.01, 1),
        ("servers.large_spread", servers.large_spread, 0.01, 1e6),
        ("servers.coherence", servers.coherence, 0, 10),
        ("servers.remote", servers.remote, 0, 1),
        ("servers.remote_fall", servers.remote_fall, 0.01, 0.99),
        ("servers.farthest", servers.farthest, 2, 100),
        ("servers.front_doors", servers.front_doors, 0, 1),
        ("servers.farm_servers", servers.farm_servers, 0, 1),
        ("servers.farm_activity", servers.farm_activity, 0, 1e6),
        ("links.activity_shape", links.activity_shape, 0.1, 1e3),
        ("links.popularity", links.popularity, 1, 20),
        ("links.strays", links.strays, 0, 1),
        ("links.copied", links.copied, 0, 1),
        ("links.block", links.block, 1, 1_000),
        ("known.per_page", known.per_page, 0, 10),
        ("known.links_per_page", known.links_per_page, known.per_page, 50),
        ("known.from_relevant", known.from_relevant, 0, 1),
        ("known.same_server", known.same_server, 0, 1),
    ]
    rows += [(f"anchors.{key}", getattr(profile.anchors, key), 0, 1) for key in profile.anchors.__struct_fields__]
    for kind, budget in (("relevant", links.relevant), ("irrelevant", links.irrelevant)):
        both = budget.same_server + budget.same_domain
        rows.append((f"links.{kind}.per_page", budget.per_page, 1, 200))
        rows.append((f"links.{kind}.same_server", budget.same_server, 0, 1))
        rows.append((f"links.{kind}.same_domain", budget.same_domain, 0, 1))
        rows.append((f"links.{kind}.same_server + same_domain", both, 0, 1 + _EPSILON))
        rows += [(f"links.{kind}.to_relevant", share, 0, 1) for share in budget.to_relevant]
    return rows
