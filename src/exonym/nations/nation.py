"""A nation as Exonym knows it: data that the whole system reads, never code.

Every fact has a source: `facts` names it for each field, every name has its own, and `sources` describes each source
with the licence of its data.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from exonym.nations.matching.matcher import FoundNames, Matcher

NAME, ALTERNATE, SHORT = "name", "alternate", "short"  # the forms of a name
BETWEEN_FORMS, BEFORE_SHORT = "|", "~"


class Name(NamedTuple):
    """One spelling of something in the nation that a text may speak of."""

    text: str
    kind: str  # province, district, city, island, landmark, institution, dish …
    source: str
    form: str = NAME  # or alternate, or short
    of: str = ""  # for alternates and short forms: the name that they stand for


class Language(NamedTuple):
    """A language of the nation and the share of its people who speak it, as a first or a further language."""

    code: str
    script: str  # four letters, as in Thai or Latn; "" where unknown
    share: float  # of the people, 0..1; shares may add up to more than 1


@dataclass(frozen=True)
class Nation:
    """A country: its languages, domains, charsets, names and seeds.

    >>> from exonym import load_nation
    >>> [match.name for match in load_nation("TH").find("Trains from Nakorn Pathom to Phuket").names]
    ['Nakhon Pathom', 'Phuket']
    """

    code: str  # two letters, as in TH
    name: str  # in English
    languages: tuple[Language, ...] = ()
    charsets: tuple[str, ...] = ()  # that are used for no other nation's languages, or hardly
    domains: tuple[str, ...] = ()  # top-level; internationalised ones as xn--…
    country_codes: tuple[str, ...] = ()  # two letters, three letters, three digits
    calling_code: str = ""
    currency: str = ""
    demonyms: tuple[str, ...] = ()
    names: tuple[Name, ...] = ()
    stop_words: tuple[str, ...] = ()  # names that are ordinary words too, and no evidence alone
    prefixes: Mapping[str, str] = field(default_factory=dict)  # words before names, and what they mean
    suffixes: Mapping[str, str] = field(default_factory=dict)  # words behind names; -shi: behind a hyphen
    seeds: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)  # field → key in `sources`
    sources: Mapping[str, str] = field(default_factory=dict)  # key → what it is, and its licence

    def find(self, text: str) -> "FoundNames":
        """The nation's names in a text, exactly spelt or by sound, and the share of its words that they make up."""
        return self._matcher.find(text)

    @cached_property
    def _matcher(self) -> "Matcher":
        from exonym.nations.matching.matcher import matcher_of

        return matcher_of(self)


def names_in(line: str, kind: str, source: str) -> list[Name]:
    """A name and its other forms as files write them, `Koh Samui|Ko Samui|~Samui`; [] where there is no text.

    >>> [(name.text, name.form, name.of) for name in names_in("Koh Samui|~Samui", "island", "hand")]
    [('Koh Samui', 'name', ''), ('Samui', 'short', 'Koh Samui')]
    """
    first, *others = (" ".join(text.split()) for text in line.split(BETWEEN_FORMS))
    if not first.removeprefix(BEFORE_SHORT).strip():
        return []
    names = [Name(first, kind, source)]
    for text in others:
        short = text.startswith(BEFORE_SHORT)
        text = text.removeprefix(BEFORE_SHORT).strip()
        if text:
            names.append(Name(text, kind, source, SHORT if short else ALTERNATE, first))
    return names


def distinct(names: Iterable[Name]) -> tuple[Name, ...]:
    """Names without repetition; of equal ones the first stays."""
    seen: dict[tuple[str, str], Name] = {}
    for name in names:
        seen.setdefault((name.text, name.kind), name)
    return tuple(seen.values())


def grouped(names: Iterable[Name]) -> list[str]:
    """Names as files write them, a name and its other forms on each line: what `names_in` reads."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for name in names:
        forms = lines.setdefault((name.kind, name.source, name.of or name.text), [name.of or name.text])
        if name.form != NAME:
            forms.append((BEFORE_SHORT if name.form == SHORT else "") + name.text)
    return [f"{kind}\t{source}\t{BETWEEN_FORMS.join(forms)}" for (kind, source, _), forms in lines.items()]


# Which of a nation's languages a crawl for that nation looks for.

_EVERYWHERE = "en"  # no evidence of a nation, unless it is the nation's first language


def own_languages(nation: Nation, known: Container[str]) -> list[str]:
    """The official languages of the nation, or else its most spoken one, as far as they are in `known`."""
    from babel.languages import get_official_languages

    # By Unicode's tables, because shares of speakers mislead: most people in the Netherlands know German.
    official = {tag.replace("_", "-") for tag in get_official_languages(nation.code, de_facto=True)}
    spoken = [language.code for language in sorted(nation.languages, key=lambda language: -language.share)]
    codes = [code for code in spoken if code in official] or spoken[:1]
    identifiable = [code for code in codes if code.partition("-")[0] in known]
    return [code for place, code in enumerate(identifiable) if code != _EVERYWHERE or place == 0]
