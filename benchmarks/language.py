"""How well and how fast languages are told, on text that nobody here wrote.

Debian's packaged documentation and translations (benchmarks/debian_texts.py: some 250 packages, 300 MB, fetched
once with apt-get, unpacked under --directory, not installed) become labelled files; `exonym model language evaluate`
takes them too: pages.jsonl (help pages and texts of translated messages, 200 letters and more), failures.jsonl (known
failures of identifiers, benchmarks/language_cases.py), anchors.jsonl (4 to 40 characters). Then the goals:

    python benchmarks/language.py                      # /tmp/exonym-language, default and classic
    python benchmarks/language.py --directory DIR --pages 50 --json
    python benchmarks/language.py --directory DIR --held-out   # packages that no error report was ever made from

Nothing here is trained on.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from debian_texts import HELD_OUT, PACKAGES, fetch_packages, help_pages, is_anchor, messages, spread, texts
from language_cases import Row, failure_rows, page_row

from exonym.language.anchors import identify_anchors
from exonym.language.base import NO_CLUES, Identifier
from exonym.language.classic import ClassicIdentifier
from exonym.language.detector import DefaultIdentifier, known_languages
from exonym.language.evaluation import Identification, LabelledText, YesNoScore, evaluated, examples, outcome_of
from exonym.language.profiles import shipped_profiles

TARGET = "th"
NAMED = ("th", "ja", "ko", "zh", "lo", "km", "my", "vi")  # languages with goals of their own; more pages of them
MORE = 5
FEWEST_MESSAGES = 1_000  # with fewer, a language's messages are names and bits
ANCHORS = 2_000  # a language
PAGE_ANCHORS = 50
PAGE_CHARACTERS = 4_096
REPEATS = 5


def build(directory: Path, packages: list[str], most: int) -> None:
    """The three labelled files, unless they are there; the last file written says that all are."""
    if (directory / "anchors.jsonl").exists():
        return
    trees = fetch_packages(directory, packages)
    print("Reading translations and help pages …", file=sys.stderr)
    lines = {label: found for label, found in messages(trees).items() if len(found) >= FEWEST_MESSAGES}
    pages = {
        label: texts(found, most * (MORE if primary(label) in (*NAMED, "en") else 1)) for label, found in lines.items()
    }
    rows: list[Row] = [
        {"text": text, "label": label, "kind": "messages"} for label, found in pages.items() for text in found
    ]
    anchors = {label: [line for line in found if is_anchor(line)] for label, found in lines.items()}
    for page in help_pages(trees, most):
        rows.append(page_row(page.body, page.label, "help page"))
        anchors.setdefault(page.label, []).extend(page.anchors)
    write(directory / "pages.jsonl", rows)
    write(directory / "failures.jsonl", failure_rows(pages, most * MORE))
    short = {label: spread(list(dict.fromkeys(found)), ANCHORS) for label, found in anchors.items()}
    write(
        directory / "anchors.jsonl",
        [{"text": text, "label": label} for label, found in short.items() for text in found],
    )


def primary(label: str) -> str:
    """A label without its variant."""
    return label.partition("-")[0]


def write(path: Path, rows: list[Row]) -> None:
    """One JSON object a line, all or nothing."""
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    part.rename(path)


def read(path: Path) -> Iterator[tuple[LabelledText, Row]]:
    """Examples with the rows that they were read from."""
    with path.open("rb") as file:
        for line in file:
            example = next(examples([line]))
            assert isinstance(example, LabelledText), (path, example)
            yield example, json.loads(line)


def told(path: Path, identifier: Identifier) -> dict[str, Counter[Identification]]:
    """How often an identifier had each outcome, by kind of page."""
    counts: dict[str, Counter[Identification]] = defaultdict(Counter)
    for example, row in read(path):
        outcome = outcome_of(example.label, identifier.identify(example.text, example.clues), TARGET)
        if row.get("partly") and outcome.answer in ("en", TARGET):
            outcome = outcome._replace(answer=TARGET if outcome.has_target else outcome.answer)
        counts[row["kind"]][outcome] += 1
    return counts


def joined(counts: dict[str, Counter[Identification]]) -> Counter[Identification]:
    """All kinds together, without variants."""
    folded: Counter[Identification] = Counter()
    for outcome, count in sum(counts.values(), Counter()).items():
        folded[Identification(primary(outcome.label), primary(outcome.answer), outcome.has_target)] += count
    return folded


def variants_right(counts: dict[str, Counter[Identification]]) -> float:
    """Of Chinese pages that were taken for Chinese, the share whose variant (simplified, traditional) was told."""
    pairs = [
        (outcome.label == outcome.answer, count)
        for outcome, count in sum(counts.values(), Counter()).items()
        if "-" in outcome.label and primary(outcome.label) == primary(outcome.answer)
    ]
    return sum(count for is_right, count in pairs if is_right) / max(1, sum(count for _, count in pairs))


def page_time(path: Path, identifier: Identifier) -> dict[str, float]:
    """µs of CPU for pages of 4 kB of text, by language, the fastest of some rounds."""
    by_language: dict[str, list[str]] = defaultdict(list)
    for example, _ in read(path):
        if len(example.text) >= PAGE_CHARACTERS // 4:
            enough = -(-PAGE_CHARACTERS // len(example.text))
            by_language[primary(example.label)].append("\n".join([example.text] * enough)[:PAGE_CHARACTERS])
    return {label: _microseconds(identifier, found[:40]) for label, found in by_language.items()}


def _microseconds(identifier: Identifier, pages: list[str]) -> float:
    def work() -> None:
        for page in pages:
            identifier.identify(page, NO_CLUES)

    return fastest(work, len(pages))


def fastest(work: Callable[[], None], count: int) -> float:
    """µs of CPU an item, the fastest of some rounds: other programs only ever make it slower."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1e6 * min(times) / count


def anchor_figures(path: Path) -> dict[str, Any]:
    """Recall and precision on anchors by language, and µs an anchor in pages of 60."""
    found = [(example.text, primary(example.label)) for example, _ in read(path)]
    # Letters of the language's own: "HTML-Dokument" says what it is, "HTML 4.0" does not.
    foreign = [(text, label) for text, label in found if sum(not letter.isascii() for letter in text) >= 4]
    foreign.sort(key=lambda pair: pair[1])  # a page's anchors are mostly in one language
    answers = [answer for page in batched(foreign, PAGE_ANCHORS) for answer in identify_anchors([t for t, _ in page])]
    alone = [identify_anchors([text])[0] for text, _ in foreign]
    scores, scores_alone = (
        evaluated(
            Counter(Identification(label, one, False) for (_, label), one in zip(foreign, said, strict=True)), TARGET
        )
        for said in (answers, alone)
    )
    plain = [(text, label) for text, label in found if text.isascii()]
    guesses = identify_anchors([text for text, _ in plain])
    wrong = sum(guess not in ("", label) for guess, (_, label) in zip(guesses, plain, strict=True))
    pages = [[text for text, _ in found[start :: len(found) // 60]][:60] for start in range(200)]

    def work() -> None:
        for page in pages:
            identify_anchors(page)

    return {
        "languages": {label: shares_of(scores.languages[label]) for label in NAMED if label in scores.languages},
        "alone": {label: shares_of(scores_alone.languages[label]) for label in NAMED if label in scores.languages},
        "wrong_guesses_plain": wrong / len(plain),
        "us": fastest(work, sum(map(len, pages))),
    }


def batched(pairs: list[tuple[str, str]], count: int) -> Iterator[list[tuple[str, str]]]:
    """So many at a time."""
    return (pairs[start : start + count] for start in range(0, len(pairs), count))


def figures(directory: Path, name: str, identifier: Identifier, known: frozenset[str]) -> dict[str, Any]:
    """All figures of one identifier, as JSON takes them."""
    print(f"Asking the {name} identifier …", file=sys.stderr)
    pages, failures = told(directory / "pages.jsonl", identifier), told(directory / "failures.jsonl", identifier)
    times = page_time(directory / "pages.jsonl", identifier)
    everything = evaluated(joined(pages), TARGET)
    return {
        "pages": everything.pages,
        "languages": len(everything.languages),
        "accuracy": everything.accuracy,
        "accuracy_known": right_share(Counter({one: n for one, n in joined(pages).items() if one.label in known})),
        "accuracy_by_kind": {kind: evaluated(joined({"": counts}), TARGET).accuracy for kind, counts in pages.items()},
        "target": shares_of(everything.target),
        "named": {name: shares_of(everything.languages[name]) for name in NAMED if name in everything.languages},
        "variants": variants_right(pages),
        "failures": {kind: right_share(counts) for kind, counts in failures.items()},
        "confusions": [list(pair) for pair in everything.confusions],
        "us_a_page": sum(times.values()) / len(times),
        "us_a_page_slowest": max(times.items(), key=lambda item: item[1]),
        "us_a_page_target": times.get(TARGET),
    }


def shares_of(score: YesNoScore) -> dict[str, float | None]:
    """Precision, recall, and over how many pages."""
    return {"precision": score.precision, "recall": score.recall, "accuracy": score.accuracy, "pages": score.due}


def right_share(counts: Counter[Identification]) -> float:
    """Share of pages whose language was told, of a kind."""
    right = sum(count for outcome, count in counts.items() if primary(outcome.label) == primary(outcome.answer))
    return right / counts.total()


def goals(found: dict[str, Any], anchors: dict[str, Any]) -> Iterator[tuple[str, str, float | None, float | None]]:
    """Rows of the goals table for the default identifier: what, goal, share or figure, and classic's beside it."""
    default, classic = found["default"], found["classic"]
    for key in ("precision", "recall"):
        yield f"Thai against the rest, {key}", "≥ 99.5 %", default["target"][key], classic["target"][key]
    for name in NAMED[1:]:
        for key in ("precision", "recall"):
            one, other = (figures["named"].get(name, {}).get(key) for figures in (default, classic))
            yield f"{name}, {key}", "≥ 99 %", one, other
    yield "simplified from traditional Chinese", "", default["variants"], classic["variants"]
    for kind, share in default["failures"].items():
        yield kind, "≥ 95 %", share, classic["failures"][kind]
    for name in ("th", "ja", "ko"):
        yield f"anchors, {name}, recall", "≥ 98 %", anchors["languages"][name]["recall"], None
        yield f"anchors, {name}, precision", "", anchors["languages"][name]["precision"], None
        yield f"anchors one by one, {name}, recall", "≥ 98 %", anchors["alone"][name]["recall"], None
        yield f"anchors one by one, {name}, precision", "", anchors["alone"][name]["precision"], None
    yield "accuracy, all", "", default["accuracy"], classic["accuracy"]
    yield "accuracy, pages in a language that it knows", "", default["accuracy_known"], classic["accuracy_known"]
    yield "µs a page of 4 kB, mean over languages", "≤ 300", default["us_a_page"], classic["us_a_page"]
    yield "µs an anchor", "≤ 10", anchors["us"], None
    yield "languages known", "≥ 100", found["known"], found["known_classic"]


def shown(what: str, figure: float | None) -> str:
    """A figure as the table has it: counts and times as they are, all else in percent."""
    if figure is None:
        return ""
    return f"{figure:,.1f}".removesuffix(".0") if what.startswith(("µs", "languages")) else f"{100 * figure:.2f} %"


def print_table(found: dict[str, Any]) -> None:
    """The goals as a Markdown table, then what the default identifier mixes up most."""
    default = found["default"]
    print(f"{default['pages']:,} pages in {default['languages']} languages.\n")
    print("| | goal | default | classic |\n|---|---:|---:|---:|")
    for what, goal, one, other in goals(found, found["anchors"]):
        print(f"| {what} | {goal} | {shown(what, one)} | {shown(what, other)} |")
    for name in ("default", "classic"):
        pairs = (
            f"{label} → {answer or 'unknown'} {pages} of {due}"
            for label, answer, pages, due in found[name]["confusions"]
        )
        print(f"\nMixed up most, {name}: {', '.join(pairs)}.")


def main() -> None:
    """Build what is missing, ask both identifiers, print the goals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory", type=Path, default=Path("/tmp/exonym-language"))
    parser.add_argument(
        "--pages", type=int, default=100, help="of a language and source (five times that where a goal is)"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--held-out", action="store_true", help="other packages; give them a --directory of their own")
    options = parser.parse_args()
    build(options.directory, HELD_OUT if options.held_out else PACKAGES, options.pages)
    profiles = shipped_profiles().profiles
    known = frozenset(profile.language for profile in profiles)
    found = {
        "default": figures(options.directory, "default", DefaultIdentifier(), known_languages()),
        "classic": figures(options.directory, "classic", ClassicIdentifier(profiles, target=TARGET), known),
        "anchors": anchor_figures(options.directory / "anchors.jsonl"),
        "known": len(known_languages()),
        "known_classic": len(known),
    }
    print(json.dumps(found, ensure_ascii=False)) if options.json else print_table(found)


if __name__ == "__main__":
    main()
