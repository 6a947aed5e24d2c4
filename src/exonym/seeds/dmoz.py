"""The entries of an Open Directory (DMOZ) dump, content.rdf.u8, that are in the wanted categories.

The dump has gigabytes, and is not well-formed: bad UTF-8, control characters, now and then an unclosed tag.
So entries are cut out of the stream by their opening tag and read one at a time; nothing else is kept.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from exonym.errors import ConfigError
from exonym.fetch.xml_text import unescaped
from exonym.seeds.opening import DAMAGE, DAMAGED, open_input
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed, TellLine, seed_from
from exonym.web_text import one_line

LONGEST_ENTRY = 65_536

_OPENING = b"<ExternalPage"
_BLOCK = 1 << 18
_MOST_BESIDE = 10_000  # categories
_ADDRESS = re.compile(rb"""^[^<>]*?\babout\s*=\s*("[^"<>]*"|'[^'<>]*')""")
_TITLE = re.compile(rb"<d:Title>([^<]*)")
_TOPIC = re.compile(rb"<topic>([^<]*)")
_END = re.compile(rb"</ExternalPage|<Topic\b")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")

# Where the directory has a language neither under its English name nor under its own of today.
_MORE_NAMES = {
    "zh": "Chinese_Simplified Chinese_Simplified_CN Chinese_Traditional",
    "zh-Hans": "Chinese_Simplified Chinese_Simplified_CN",
    "zh-Hant": "Chinese_Traditional",
    "cs": "Česky",
    "fa": "Farsi",
    "id": "Bahasa_Indonesia",
    "lv": "Latviski",
    "ms": "Bahasa_Melayu",
    "no": "Norsk",
    "ro": "Română",
    "sk": "Slovensky",
    "sl": "Slovensko",
}


@dataclass(frozen=True, slots=True)
class Categories:
    """Parts of the directory, each with all that is below it."""

    folded: tuple[str, ...]
    names: tuple[str, ...] = ()  # those of the command line, as written there

    def has(self, topic: str) -> bool:
        """Whether a category is one of them or below one."""
        return folded(topic).startswith(self.folded)


def categories_of(names: list[str], languages: Sequence[str] = ()) -> Categories:
    """The categories of these names, and those that the directory keeps for languages; all of it if neither is given.

    >>> categories_of(["Regional/Asia/Thailand"]).has("Top/Regional/Asia/Thailand/Travel")
    True
    """
    wanted = [folded(name).removeprefix("/") for name in names]
    if any(not name.strip("/_ ") for name in names):
        raise ConfigError("--category is empty. Write it as in Regional/Asia/Thailand.")
    others = [language for language in languages if language != "en"]
    wanted += [folded(name) for language in others for name in language_categories(language)]
    if languages and not wanted:
        raise ConfigError("English is the language of most of the directory. Name a --category, as in Regional/Asia.")
    return Categories(tuple(wanted) or ("",), tuple(names))


def language_categories(language: str) -> list[str]:
    """Where the directory keeps pages in a language: all but English have their own part of it."""
    import langcodes

    from exonym.language_names import name_of

    names = [name_of(language), langcodes.Language.get(language).autonym(), *_MORE_NAMES.get(language, "").split()]
    return [f"{place}/{name}" for name in dict.fromkeys(names) for place in ("World", "Kids_and_Teens/International")]


def folded(category: str) -> str:
    """A category in the spelling that is compared: `Top/` is dropped, a `/` ends it."""
    text = unicodedata.normalize("NFC", category).casefold().replace(" ", "_").strip("/_")
    return ("" if text == "top" else text.removeprefix("top/")) + "/"


def read_dmoz(path: Path, wanted: Categories, tell: TellLine) -> Iterator[FoundSeed]:
    """The seeds of all entries in these categories, in the order of the file."""
    near = _Neighbours(wanted)
    last, is_wanted = b"", False
    try:
        with open_input(path, tell) as stream:
            for entry in entries_in(stream):
                near.entries += 1
                topic = _TOPIC.search(entry)
                if not topic:
                    yield SkippedSeed("entry without a category")
                    continue
                # The entries of a category are adjacent: few categories are compared twice.
                if topic[1] != last:
                    last = topic[1]
                    is_wanted = wanted.has(_decode(last))
                    near.meet(_decode(last), is_wanted)
                if is_wanted:
                    yield _seed(entry, _decode(last), path.name)
    except DAMAGE:
        yield DAMAGED
    if not near.entries:
        raise ConfigError(
            f"{path} has no <ExternalPage> in it. Name the directory's content.rdf.u8, not the structure."
        )
    if not near.is_met and wanted.names:
        raise ConfigError(f"{path} has no entry under {', '.join(wanted.names)[:200]}. {near.advice()}")


class _Neighbours:
    """Remembers categories with the same parent as a wanted one, to suggest them if none is found."""

    def __init__(self, wanted: Categories) -> None:
        self.entries = 0
        self.is_met = False
        self._wanted = wanted
        self._parents = tuple(folded(name).rstrip("/").rpartition("/")[0] + "/" for name in wanted.names)
        self._beside: dict[str, str] = {}  # as the directory writes them, by their folded spelling

    def meet(self, topic: str, is_wanted: bool) -> None:
        """Note a category of the file."""
        self.is_met = self.is_met or is_wanted
        plain = folded(topic)
        if self.is_met or len(self._beside) >= _MOST_BESIDE:
            return
        for parent in self._parents:
            if plain.startswith(parent.lstrip("/")):
                depth = parent.count("/") + (parent != "/")
                named = topic.strip("/").removeprefix("Top/").split("/")[:depth]
                self._beside.setdefault(folded("/".join(named)), "/".join(named))

    def advice(self) -> str:
        """A suggestion: the category that was probably meant."""
        for name in self._wanted.names:
            close = difflib.get_close_matches(folded(name), self._beside, n=1, cutoff=0.7)
            if close:
                return f"Did you mean {one_line(self._beside[close[0]])[:200]}?"
        return "Write a category as the directory does, as in Regional/Asia/Thailand."


def entries_in(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes of each entry, from behind its opening tag to its end."""
    kept = b""
    while block := stream.read(_BLOCK):
        first, *rest = (kept + block).split(_OPENING)
        # The part before the first opening tag is done with, but it may end in half a tag.
        if not rest:
            kept = first[-len(_OPENING) :]
            continue
        yield from map(_up_to_end, rest[:-1])
        kept = _OPENING + rest[-1]
        if len(kept) > LONGEST_ENTRY or _END.search(kept):
            yield _up_to_end(rest[-1])
            kept = kept[-len(_OPENING) :]
    if kept.startswith(_OPENING):
        yield _up_to_end(kept.removeprefix(_OPENING))


def _up_to_end(text: bytes) -> bytes:
    end = _END.search(text, 0, LONGEST_ENTRY)
    return text[: end.start() if end else LONGEST_ENTRY]


def _seed(entry: bytes, category: str, source: str) -> Seed | SkippedSeed:
    address, title = _ADDRESS.search(entry), _TITLE.search(entry)
    if not address:
        return SkippedSeed("entry without an address")
    spelt = address[1][1:-1]
    try:
        url = spelt.decode()
    except UnicodeDecodeError:  # bytes in another charset become the percent escapes that a browser would send
        url = _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], spelt).decode("ascii")
    return seed_from(unescaped(url), source, category, _decode(title[1]) if title else "")


def _decode(spelt: bytes) -> str:
    return unescaped(spelt.decode("utf-8", "replace"))
