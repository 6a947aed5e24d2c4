"""What all `exonym seeds` commands do with the addresses they find: choose, check, write, and print a summary."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.cli.options import AllowPrivate, AsJson, Force, Operator, check_operator, number, random_seed
from exonym.cli.output import OutputRows, emit, harmless_lines
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.progress import Tell
from exonym.report.number_text import byte_size
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.crawl_progress import CrawlProgress
    from exonym.report.table import Table
    from exonym.seeds.checking import Checked
    from exonym.seeds.choosing import Choice, Collection
    from exonym.seeds.seed import FoundSeed

_MOST_SHOWN = 10  # domains and reasons, in the table


@dataclass(frozen=True, slots=True)
class SeedsRequest:
    """The options that all `exonym seeds` commands share; raises if they contradict each other."""

    language: Annotated[
        list[str] | None,
        typer.Option(metavar="LANGUAGE", help="The language that --check looks for: th or Thai; may be given again."),
    ] = None
    output: Annotated[Path, typer.Option("-o", "--output", metavar="SEEDS", help="The seeds file to write.")] = Path(
        "seeds.txt"
    )
    domain: Annotated[
        list[str] | None, typer.Option(metavar="DOMAIN", help="Only this top-level domain; may be given again.")
    ] = None
    one_per_server: Annotated[
        bool, typer.Option("--one-per-server", help="Only the shortest address of each server.")
    ] = False
    sample: Annotated[int, number("sample", "A random sample of N; 0 for all.", 0)] = 0
    seed: Annotated[int, random_seed("Another number draws another sample.")] = 0
    check: Annotated[
        bool, typer.Option("--check", help="Fetch each seed; keep those whose page is in the language.")
    ] = False
    operator: Operator = ""
    allow_private: AllowPrivate = False
    force: Force = False
    as_json: AsJson = False

    def __post_init__(self) -> None:
        if self.check and not self.language:
            raise ConfigError("--check needs --language: the language that pages must be in.")
        if self.check:
            self.require_operator("--check fetches pages")
        check_operator(self.operator)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the languages, each once."""
        from exonym.language_names import language_of

        return tuple(dict.fromkeys(map(language_of, self.language or ())))

    def require_operator(self, reason: str) -> None:
        """Raise if no operator is named; `reason` says why servers must know who fetches."""
        if not self.operator:
            raise ConfigError(f"{reason}, so servers must know who asks. Add --operator with your web page.")

    def refuse_unused_language(self) -> None:
        """Raise if a language is named but nothing is checked: for commands in which only --check uses it."""
        if self.language and not self.check:
            raise ConfigError(
                "--language has no effect without --check, which fetches every seed: add it, or leave both out."
            )

    def choice(self) -> "Choice":
        """Which of the addresses found to keep."""
        from exonym.seeds.choosing import Choice

        return Choice(frozenset(self.domains()), self.sample, self.seed, self.one_per_server)

    def domains(self) -> tuple[str, ...]:
        """The top-level domains to keep, in the order given; none: all."""
        from exonym.seeds.choosing import wanted_domain

        return tuple(map(wanted_domain, self.domain or ()))


def keep_seeds(request: SeedsRequest, about: str, found: Callable[[Tell], "Iterator[FoundSeed]"]) -> None:
    """Write those of the `found` seeds that the request keeps, and print a summary; `about` names their source."""
    from exonym.seeds.choosing import collect
    from exonym.seeds.domain_table import domain_table
    from exonym.seeds.seeds_file import check_output, write_seeds

    check_output(request.output, request.force)
    choice = request.choice()
    with status_line(f"reading {about}") as tell:
        collection = collect(found(tell), replace(choice, sample=0) if request.check else choice)
    checked = _check_pages(collection, choice, request) if request.check and collection.seeds else None
    if checked:
        collection = replace(collection, seeds=checked.seeds)
    if not collection.seeds:
        reasons = checked.rejected if checked else collection.skipped
        shown = ", ".join(f"{count:,} × {why}" for why, count in list(reasons.items())[:3])
        raise ConfigError(f"{about} gives no seeds{f' ({shown})' if shown else ''}. Nothing was written.")
    write_seeds(request.output, collection, list(_comments(about, collection, request, checked)))
    table = domain_table(checked.by_domain, request.codes, request.domains()) if checked else None
    document = _document(collection, request, checked, table)
    emit(document, _shown(document, table), request.as_json)


def show_bytes(path: Path, tell: Tell) -> Callable[[int], None]:
    """A function that shows on the terminal how many bytes of a file have been read."""
    size = path.stat().st_size if path.is_file() else 0
    return lambda done: tell(f"reading {path.name}: {byte_size(done)} of {byte_size(size)}")


def _check_pages(collection: "Collection", choice: "Choice", request: SeedsRequest) -> "Checked":
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals
    from exonym.seeds.checking import check_seeds, checking_settings

    network = {"network": {"allow_private": request.allow_private}}
    settings = checking_settings(request.codes, request.operator, network)
    with stop_on_signals() as stop, status_line(f"checking {len(collection.seeds):,} seeds") as tell:

        def show(progress: "CrawlProgress") -> None:
            tell(f"checking: {progress.totals.pages:,} pages, {progress.totals.relevant:,} of them in the language")

        checked = check_seeds(
            collection.seeds,
            choice,
            settings,
            lambda directory, settings, strategy: run(directory, settings, show, stop, strategy),
        )
    if checked.is_interrupted:
        raise KeyboardInterrupt
    return checked


def _comments(about: str, collection: "Collection", request: SeedsRequest, checked: "Checked | None") -> Iterator[str]:
    yield f"From {about}: {collection.found:,} addresses found, including repeated ones."
    if request.domain:
        yield f"Only these top-level domains: {', '.join(request.domain)}."
    if request.one_per_server:
        yield "Only the shortest address of each server."
    if checked:
        yield f"{checked.asked:,} were fetched; those whose page is in {_named(request.codes)} were kept."
    if request.sample:
        yield f"A random sample of at most {request.sample:,}, random seed {request.seed}."


def _document(
    collection: "Collection", request: SeedsRequest, checked: "Checked | None", table: "Table | None"
) -> dict[str, Any]:
    return {
        "output": str(request.output),
        "seeds": len(collection.seeds),
        "found": collection.found,
        "domains": collection.domains(),
        "skipped": collection.skipped,
        "sample": request.sample or None,
        "seed": request.seed if request.sample else None,
        "language": ",".join(request.codes),
        "asked": checked.asked if checked else None,
        "rejected": checked.rejected if checked else None,
        "domains_by_language": table.values() if table else None,
    }


def _shown(result: dict[str, Any], table: "Table | None") -> Iterator[str | OutputRows]:
    domains = list(result["domains"].items())
    rows = [("found", f"{result['found']:,} addresses, including repeated ones")]
    if result["sample"]:
        rows.append(("sample", f"at most {result['sample']:,}, random seed {result['seed']}"))
    if result["asked"] is not None:
        rows.append(("fetched", f"{result['asked']:,}; kept if in {_named(result['language'].split(','))}"))
    shown = ", ".join(f"{clean(name) or 'bare address'} {count:,}" for name, count in domains[:_MOST_SHOWN])
    more = f", {len(domains) - _MOST_SHOWN:,} more" if len(domains) > _MOST_SHOWN else ""
    rows += [("seeds", f"{result['seeds']:,}"), ("domains", shown + more)]
    left_out = [*result["skipped"].items(), *(result["rejected"] or {}).items()][:_MOST_SHOWN]
    rows += [("left out", f"{count:,} × {clean(why)}") for why, count in left_out]
    yield f"Wrote {clean(result['output'])}"
    yield rows
    if table:
        yield ""
        yield from harmless_lines(table.text())


def _named(codes: Sequence[str]) -> str:
    from exonym.language_names import name_of

    return " or ".join(map(name_of, codes))
