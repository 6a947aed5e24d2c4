"""Pages about a nation: how many are found, and how many others are taken for one, by each way of counting names.

    python benchmarks/about_pages.py [--pages FOLDER] [--nations TH JP] [--size 300] [--json]

The folder has a folder for each kind of page (`news`, `recipes`, whatever it is called), with HTML or text files. Pages
below a folder `about-TH` are about Thailand, wherever it is (`news/about-TH`, or just `about-TH`); pages below
`perhaps-CN` are not counted for China; all others are about none of the nations asked for. A page about one of the
nations is unrelated to all others. Only English pages count. Kinds that rules were chosen on and kinds that were kept
apart belong into two folders, for two runs.

Without a folder, pages of our own making are judged, reproducibly (seed 11): pages of a practice web, whose Thai names
are exchanged for names of the nation; the same with menus of languages and lists of countries; and documentation that
comes with Python and with packages. They show that the program works. How well it works, real pages show.

Ways: `default` is what judges do, with the default thresholds. The others count every match, as judges once did (1 % of
words, two different names): of the default matcher (`sound`), the `exact` one, and the thesis' (`classic`).
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from exonym.extract.document import Document
from exonym.judges.about import AboutRule
from exonym.language.detector import DefaultIdentifier
from exonym.nations import load_nation
from exonym.nations.matching.matcher import Matcher, MatcherKind, matcher_of, telling_names
from exonym.nations.matching.matcher_evaluation import installed_english
from exonym.nations.matching.page_names import PageNames
from exonym.nations.nation import Nation
from exonym.nations.shipped import shipped_codes
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.labelling import labels_of
from exonym.practice.topical.countries import COUNTRIES, THAILAND
from exonym.readers.parsing import document_in_file

SEED = 11
ABOUT, PERHAPS = "about-", "perhaps-"
WAYS: dict[str, MatcherKind | None] = {"default": None, "sound": "default", "exact": "exact", "classic": "classic"}
OLD_SHARE, OLD_VARIETY, OLD_TITLE_WEIGHT = 0.01, 2, 3
LANGUAGES = [
    "English",
    "Deutsch",
    "Français",
    "日本語",
    "한국어",
    "ไทย",
    "Tiếng Việt",
    "中文",
    "ລາວ",
    "ខ្មែរ",
    "Íslenska",
]
Judge = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page, the kind it is of, and the code of the nation that it is about ("" none)."""

    kind: str
    title: str
    text: str
    about: str = ""
    perhaps: str = ""  # the code of a nation that the page may be about, or not


@dataclass(slots=True)
class Tally:
    """Pages of a kind about the nation and others, those of them that were taken, and the CPU time that it took."""

    about: int = 0
    found: int = 0
    others: int = 0
    wrong: int = 0
    nanoseconds: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        """The sum of all counts."""
        return Tally(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    @property
    def false_alarms(self) -> float | None:
        """The share of other pages that was taken; None without pages to count, as the other rates."""
        return self.wrong / self.others if self.others else None

    @property
    def recall(self) -> float | None:
        """The share of pages about the nation that was taken."""
        return self.found / self.about if self.about else None

    @property
    def precision(self) -> float | None:
        """The share of the pages taken that are about the nation."""
        return self.found / (self.found + self.wrong) if self.found + self.wrong else None


Tallies = dict[str, Tally]  # by kind


def main() -> None:
    """Print what was measured."""
    options = _options()
    nations = [load_nation(code) for code in options.nations]
    pages = list(pages_in(options.pages) if options.pages else made_pages(nations, options.size))
    results = {nation.code: {way: tallies(nation, way, pages) for way in options.ways} for nation in nations}
    if options.json:
        print(
            json.dumps(
                {code: {way: document_of(kinds) for way, kinds in ways.items()} for code, ways in results.items()}
            )
        )
        return
    made = options.pages or f"of our own making, seed {SEED}"
    print(f"{len(pages):,} English pages {made}; false alarms are shares of the pages that are not about the nation\n")
    for code, ways in results.items():
        print(f"{code:10}{_HEADS}   false alarms by kind")
        for way, kinds in ways.items():
            wrong = (f"{kind} {tally.false_alarms:.1%}" for kind, tally in kinds.items() if tally.wrong)
            print(f"  {way:8}{_rates(_sum(kinds.values()))}   {', '.join(wrong) or 'none'}")
    first = options.ways[0]
    print(f"\nall nations, {first:19}{_HEADS}")
    for kind in sorted({page.kind for page in pages}):
        of_kind = _sum(ways[first].get(kind, Tally()) for ways in results.values())
        print(f"  {kind:30}{_rates(of_kind)}")


_HEADS = f"{'false alarms':>14}{'recall':>9}{'precision':>11}{'µs a page':>11}"


def _rates(tally: Tally) -> str:
    microseconds = tally.nanoseconds / 1_000 / max(tally.about + tally.others, 1)
    rates = (tally.false_alarms, 14), (tally.recall, 9), (tally.precision, 11)
    shown = (f"{'–' if rate is None else f'{rate:.2%}':>{width}}" for rate, width in rates)
    return f"{''.join(shown)}{microseconds:11.0f}"


def _sum(kinds: Iterable[Tally]) -> Tally:
    return sum(kinds, start=Tally())


def document_of(kinds: Tallies) -> dict[str, Any]:
    """The rates of all pages together, and of each kind."""

    def rates(tally: Tally) -> dict[str, float | None]:
        return {"false_alarms": tally.false_alarms, "recall": tally.recall, "precision": tally.precision}

    every = _sum(kinds.values())
    microseconds = every.nanoseconds / 1_000 / max(every.about + every.others, 1)
    by_kind = {kind: {"about": tally.about, "others": tally.others, **rates(tally)} for kind, tally in kinds.items()}
    return {**rates(every), "microseconds": microseconds, "by_kind": by_kind}


def tallies(nation: Nation, way: str, pages: list[LabelledPage]) -> Tallies:
    """What one way of counting makes of all pages, by kind."""
    judge = judge_of(nation, way)
    counted: Tallies = {}
    for page in pages:
        if page.perhaps == nation.code:
            continue
        start = time.process_time_ns()
        taken = judge(page.title, page.text)
        tally = counted.setdefault(page.kind, Tally())
        tally.nanoseconds += time.process_time_ns() - start
        if page.about == nation.code:
            tally.about += 1
            tally.found += taken
        else:
            tally.others += 1
            tally.wrong += taken
    return dict(sorted(counted.items()))


def judge_of(nation: Nation, way: str) -> Judge:
    """Whether a page with this title and text is about the nation, the language apart."""
    kind = WAYS[way]
    if kind is not None:
        return _judge_by_every_match(matcher_of(nation, kind))
    names, rule = PageNames(nation), AboutRule()
    names.mentions(nation.name, nation.name)  # loads the names of other countries, once

    def judge(title: str, text: str) -> bool:
        found = names.mentions(title, text)
        return found.share >= rule.share and found.variety >= rule.variety

    return judge


def _judge_by_every_match(matcher: Matcher) -> Judge:
    def judge(title: str, text: str) -> bool:
        of_title, of_text = matcher.find(title), matcher.find(text)
        words = OLD_TITLE_WEIGHT * of_title.words + of_text.words
        in_names = OLD_TITLE_WEIGHT * of_title.words_in_names + of_text.words_in_names
        different = {match.name for match in (*of_title.names, *of_text.names)}
        return len(different) >= OLD_VARIETY and in_names >= OLD_SHARE * words

    return judge


# Pages.


def pages_in(folder: Path) -> Iterator[LabelledPage]:
    """The English pages below a folder, by the folder that they are in."""
    identifier = DefaultIdentifier()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = path.read_bytes()
        is_html = path.suffix.lower() in (".html", ".htm", ".xhtml")
        document: Document = document_in_file(path.as_uri(), content, "text/html" if is_html else "")
        if identifier.identify(document.blocks).language == "en":
            folders = path.relative_to(folder).parts
            about, perhaps = _code_in(folders, ABOUT), _code_in(folders, PERHAPS)
            yield LabelledPage(folders[0], document.title, document.blocks, about, perhaps)


def _code_in(folders: Iterable[str], before: str) -> str:
    return next((folder.removeprefix(before) for folder in folders if folder.startswith(before)), "")


def made_pages(nations: list[Nation], size: int) -> Iterator[LabelledPage]:
    """Pages of our own making: about each nation, and of kinds that are about none."""
    chance = random.Random(SEED)
    labels = list(labels_of(PracticeWeb(SEED, 12 * size, PracticeOptions(topics=True)), "thai", 4 * size))
    thai = [label for label in labels if label.positive][:size]
    others = [label for label in labels if not label.positive][: 2 * size]
    for nation in nations:
        exchanged = _exchanged_names(nation, chance)
        for label in thai:
            yield LabelledPage("about a nation", exchanged(label.title), exchanged(label.text), nation.code)
    countries = [load_nation(code).name for code in shipped_codes()]
    for number, label in enumerate(others):
        if number % 2:
            yield LabelledPage("about other countries or none", label.title, label.text)
        else:
            listed = chance.sample(countries, len(countries))
            menus = "\n".join([" ".join(LANGUAGES), *LANGUAGES, *listed, "Offices in " + ", ".join(listed)])
            yield LabelledPage("with menus", label.title, f"{menus}\n{label.text}\n{menus}")
    for text in list(installed_english())[: 2 * size]:
        yield LabelledPage("documentation", "", text)


def _exchanged_names(nation: Nation, chance: random.Random) -> Callable[[str], str]:
    """Exchanges the names that a practice web has for Thailand; the first of them is the country's own."""
    known = [name.text for name in telling_names(nation) if name.text.isascii() and name.source == "hand"]
    thai = COUNTRIES[THAILAND].names
    drawn = {name: chance.choice(known) for name in thai} | {thai[0]: nation.name}
    longest_first = sorted(drawn, key=len, reverse=True)

    def exchange(text: str) -> str:
        for number, name in enumerate(longest_first):
            text = text.replace(name, f"\0{number}\0")
        for number, name in enumerate(longest_first):
            text = text.replace(f"\0{number}\0", drawn[name])
        return text

    return exchange


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--pages", type=Path, metavar="FOLDER", help="labelled pages, in a folder for each kind")
    parser.add_argument("--nations", nargs="+", default=list(shipped_codes()), metavar="CODE")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--size", type=int, default=300, metavar="N", help="pages about each nation of our own making")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
