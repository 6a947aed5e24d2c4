"""From list pages to proposals: each name once, how often it was seen, its short forms, and a first opinion on it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from exonym.nations.dictionary.list_pages import ListedName
from exonym.nations.dictionary.sheet import KNOWN, NO, YES, SheetRow
from exonym.nations.matching.tokens import plain_text, plain_words
from exonym.nations.nation import SHORT, Nation
from exonym.nations.short_forms import ORDINARY, is_affix, is_doubtful, kind_by_form, short_forms

_ANY_KIND = "other"


class ProposalSource(NamedTuple):
    """A list page: its description, licence and names."""

    about: str  # its title, address and date
    licence: str
    names: Sequence[ListedName]


def proposals(nation: Nation, sources: Iterable[ProposalSource], kind: str = "") -> list[SheetRow]:
    """The rows of a review sheet in the order of the pages, short forms behind their names, known names last.

    `kind` is the kind of names that do not show it themselves, as Wat Arun does.
    """
    opinions = _Opinions(nation)
    gathered = list(_gather_rows(sources, opinions))
    rows = [row._replace(kind=kind_by_form(nation, row.name) or kind or _ANY_KIND) for row in gathered]
    taken = {plain_text(row.name) for row in rows}
    proposed_rows: list[SheetRow] = []
    for row in rows:
        proposed, why = opinions.of_name(row.name)
        proposed_rows.append(row._replace(proposed=proposed, why=why))
        for text in short_forms(nation, row.name):
            if plain_text(text) not in taken and not opinions.is_known(text):
                taken.add(plain_text(text))
                proposed, why = opinions.of_name(text)
                proposed_rows.append(row._replace(name=text, form=SHORT, of=row.name, proposed=proposed, why=why))
    return sorted(proposed_rows, key=lambda row: row.proposed == KNOWN)


def _gather_rows(sources: Iterable[ProposalSource], opinions: "_Opinions") -> Iterator[SheetRow]:
    """Each name once, spelt as it was first, with all pages that have it."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    pages: dict[str, dict[ProposalSource, None]] = {}
    for source in sources:
        page = source._replace(names=())  # so that sources are compared without their names
        for listed in source.names:
            text = opinions.without_place(listed.text)
            key = plain_text(text)
            if key and not opinions.is_refuse(text):
                counts[key] += 1
                first.setdefault(key, text)
                pages.setdefault(key, {})[page] = None
    for key, text in first.items():
        about = "; ".join(page.about for page in pages[key])
        licence = "; ".join(dict.fromkeys(page.licence for page in pages[key]))
        yield SheetRow(text, seen=counts[key], source=about, licence=licence)


class _Opinions:
    """First opinions on names: by the names that the nation has, by ordinary words, by other countries."""

    def __init__(self, nation: Nation) -> None:
        from babel import Locale

        self._nation = nation
        own = [*(name.text for name in nation.names), *nation.demonyms, nation.name]
        self._known = {plain_text(text) for text in own}
        countries = [name for code, name in Locale("en").territories.items() if code.isalpha()]
        # Myanmar (Burma) is two names.
        self._others = {plain_text(part) for name in countries for part in name.split("(")} - self._known

    def is_known(self, text: str) -> bool:
        """Whether the nation has the name."""
        return plain_text(text) in self._known

    def is_refuse(self, text: str) -> bool:
        """Whether a text is no proposal: a single ordinary word, or nothing but words before and behind names."""
        is_word = text[0].islower() or len(plain_words(text)) == 1
        return is_affix(self._nation, text) or (is_word and is_doubtful(self._nation, text) == ORDINARY)

    def without_place(self, text: str) -> str:
        """`Bang Rak, Bangkok` is Bang Rak, if Bangkok is known."""
        first, comma, place = text.rpartition(", ")
        return first if comma and plain_text(place) in self._known else text

    def of_name(self, text: str) -> tuple[str, str]:
        """Whether to accept the name: yes, no or known; and why not."""
        if self.is_known(text):
            return KNOWN, ""
        if plain_text(text) in self._others:
            return NO, "another country"
        if text[0].islower():
            return NO, "begins with a small letter"
        why = is_doubtful(self._nation, text)
        return (NO, why) if why else (YES, "")
