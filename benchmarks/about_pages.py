"""Pages about a nation: how many are found, and how many others are taken for one, by each way of counting names.

    python benchmarks/about_pages.py [--pages FOLDER] [--nations TH JP] [--size 300] [--json]

The folder has a folder for each kind of page, with HTML or text files: pages in `about-TH` are about Thailand, pages in
any other folder (`news`, `recipes`, whatever it is called) are about none of the nations asked for. A page about one of
the nations is unrelated to all others. Only English pages count.

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
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

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
ABOUT = "about-"
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


@dataclass(slots=True)
class Tally:
    """Pages of a kind, those of them that were taken, and the CPU time that it took."""

    pages: int = 0
    taken: int = 0
    nanoseconds: int = 0


@dataclass(frozen=True, slots=True)
class Measured:
    """What one way of counting makes of all pages; a rate is None where there are no pages to count."""

    false_alarms: float | None
    recall: float | None
    precision: float | None
    microseconds: float  # of CPU per page
    pages: dict[str, int]  # by kind
    by_kind: dict[str, float]  # false alarms


def main() -> None:
    """Print what was measured."""
    options = _options()
    nations = [load_nation(code) for code in options.nations]
    pages = list(pages_in(options.pages) if options.pages else made_pages(nations, options.size))
    results = {nation.code: {way: measured(nation, way, pages) for way in options.ways} for nation in nations}
    if options.json:
        print(json.dumps({code: {way: asdict(found) for way, found in ways.items()} for code, ways in results.items()}))
        return
    made = options.pages or f"of our own making, seed {SEED}"
    print(f"{len(pages):,} English pages {made}; false alarms are shares of unrelated pages\n")
    for code, ways in results.items():
        print(f"{code:10}{'false alarms':>14}{'recall':>9}{'precision':>11}{'µs a page':>11}   false alarms by kind")
        for way, found in ways.items():
            kinds = ", ".join(f"{kind} {share:.1%}" for kind, share in found.by_kind.items() if share)
            rates = f"{_rate(found.false_alarms, 14)}{_rate(found.recall, 9)}{_rate(found.precision, 11)}"
            print(f"  {way:8}{rates}{found.microseconds:11.0f}   {kinds or 'none'}")


def _rate(share: float | None, width: int) -> str:
    return f"{'–' if share is None else f'{share:.2%}':>{width}}"


def measured(nation: Nation, way: str, pages: list[LabelledPage]) -> Measured:
    """What one way of counting makes of all pages."""
    judge = judge_of(nation, way)
    tallies: dict[str, Tally] = {}
    about = Tally()
    for page in pages:
        is_about = page.about == nation.code
        kind = page.kind if not page.about or is_about else "about others"
        tally = about if is_about else tallies.setdefault(kind, Tally())
        start = time.process_time_ns()
        tally.taken += judge(page.title, page.text)
        tally.nanoseconds += time.process_time_ns() - start
        tally.pages += 1
    unrelated, wrong = sum(tally.pages for tally in tallies.values()), sum(tally.taken for tally in tallies.values())
    spent = about.nanoseconds + sum(tally.nanoseconds for tally in tallies.values())
    return Measured(
        false_alarms=wrong / unrelated if unrelated else None,
        recall=about.taken / about.pages if about.pages else None,
        precision=about.taken / (about.taken + wrong) if about.taken + wrong else None,
        microseconds=spent / 1_000 / max(len(pages), 1),
        pages={"about": about.pages, **{kind: tally.pages for kind, tally in sorted(tallies.items())}},
        by_kind={kind: tally.taken / tally.pages for kind, tally in sorted(tallies.items())},
    )


def judge_of(nation: Nation, way: str) -> Judge:
    """Whether a page with this title and text is about the nation, the language apart."""
    kind = WAYS[way]
    if kind is not None:
        return _judge_by_every_match(matcher_of(nation, kind))
    names, rule = PageNames(nation), AboutRule()

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
            kind = path.relative_to(folder).parts[0]
            about = kind.removeprefix(ABOUT) if kind.startswith(ABOUT) else ""
            yield LabelledPage(kind, document.title, document.blocks, about)


def made_pages(nations: list[Nation], size: int) -> Iterator[LabelledPage]:
    """Pages of our own making: about each nation, and of kinds that are about none."""
    chance = random.Random(SEED)
    labels = list(labels_of(PracticeWeb(SEED, 12 * size, PracticeOptions(topics=True)), "thai", 4 * size))
    thai = [label for label in labels if label.positive][:size]
    others = [label for label in labels if not label.positive][: 2 * size]
    for nation in nations:
        exchanged = _exchanged_names(nation, chance)
        for label in thai:
            yield LabelledPage(ABOUT, exchanged(label.title), exchanged(label.text), nation.code)
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
