"""What all `exonym seeds` commands do with the addresses they find: choose, check, write, and print a summary."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.cli.output import OutputRows, emit
from exonym.cli.terminal.numbers import byte_size
from exonym.cli.terminal.status_line import status_line
from exonym.errors import ConfigError
from exonym.progress import Tell
from exonym.web_text import clean

if TYPE_CHECKING:
    from exonym.metrics import CrawlProgress
    from exonym.seeds.checking import Checked
    from exonym.seeds.choosing import Choice, Collection
    from exonym.seeds.seed import FoundSeed

_MOST_SHOWN = 10  # domains and reasons, in the table for people


@dataclass(frozen=True, slots=True)
class SeedsRequest:
    """The options that all `exonym seeds` commands share."""

    output: Path
    domains: tuple[str, ...] = ()
    sample: int = 0
    seed: int = 0
    force: bool = False
    as_json: bool = False
    language: str = ""
    check: bool = False
    operator: str = ""
    allow_private: bool = False
    one_per_server: bool = False

    def verified(self) -> "SeedsRequest":
        """The request with its language as a code; raises if its options contradict each other."""
        from exonym.config.settings import is_operator
        from exonym.language_names import language_of

        if self.check and not self.language:
            raise ConfigError("--check needs --language: which language are the pages to be in?")
        if self.check:
            self.require_operator("--check fetches pages")
        if self.operator and not is_operator(self.operator):
            raise ConfigError(f"--operator must be a web page or an e-mail address, got {self.operator[:60]!r}.")
        return replace(self, language=language_of(self.language) if self.language else "")

    def require_operator(self, reason: str) -> None:
        """Raise if no operator is named, whom servers could be told; `reason` says what is fetched."""
        if not self.operator:
            raise ConfigError(f"{reason}, so servers must be told who asks. Give --operator, a web page of yours.")

    def refuse_idle_language(self) -> None:
        """Raise if a language is named that has no effect."""
        if self.language and not self.check:
            raise ConfigError("--language is for --check here, which fetches every seed: give both, or none.")

    def choice(self) -> "Choice":
        """Which of the addresses found to keep."""
        from exonym.seeds.choosing import Choice, wanted_domain

        return Choice(frozenset(map(wanted_domain, self.domains)), self.sample, self.seed, self.one_per_server)


def keep_seeds(request: SeedsRequest, about: str, found: Callable[[Tell], "Iterator[FoundSeed]"]) -> None:
    """Write the seeds that the request keeps of those `found`, and print a summary; `about` names their source."""
    from exonym.seeds.choosing import collect
    from exonym.seeds.file import check_output, write_seeds

    check_output(request.output, request.force)
    choice = request.choice()
    with status_line(f"reading {about}") as tell:
        collection = collect(found(tell), replace(choice, sample=0) if request.check else choice)
    checked = _check_pages(collection, choice, request) if request.check and collection.seeds else None
    if checked:
        collection = replace(collection, seeds=checked.seeds)
    if not collection.seeds:
        raise ConfigError(_no_seeds_message(about, collection, checked))
    write_seeds(request.output, collection, list(_comments(about, collection, request, checked)))
    document = _document(collection, request, checked)
    emit(document, _shown(document), request.as_json)


def show_bytes(path: Path, tell: Tell) -> Callable[[int], None]:
    """A function that shows on the terminal how many bytes of a file have been read."""
    size = path.stat().st_size if path.is_file() else 0
    return lambda done: tell(f"reading {path.name}: {byte_size(done)} of {byte_size(size)}")


def _check_pages(collection: "Collection", choice: "Choice", request: SeedsRequest) -> "Checked":
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals
    from exonym.seeds.checking import check_seeds, checking_settings

    network = {"network": {"allow_private": request.allow_private}}
    settings = checking_settings(request.language, request.operator, network)
    with stop_on_signals() as stop, status_line(f"checking {len(collection.seeds):,} seeds") as tell:

        def show(progress: "CrawlProgress") -> None:
            tell(f"checking: {progress.totals.pages:,} pages, {progress.totals.relevant:,} of them so")

        checked = check_seeds(
            collection.seeds,
            choice,
            settings,
            lambda directory, settings, strategy: run(directory, settings, show, stop, strategy),
        )
    if checked.is_interrupted:
        raise KeyboardInterrupt
    return checked


def _no_seeds_message(about: str, collection: "Collection", checked: "Checked | None") -> str:
    reasons = checked.rejected if checked else collection.skipped
    shown = ", ".join(f"{count:,} × {why}" for why, count in list(reasons.items())[:3])
    return f"{about} gives no seeds{f' ({shown})' if shown else ''}. Nothing was written."


def _comments(about: str, collection: "Collection", request: SeedsRequest, checked: "Checked | None") -> Iterator[str]:
    yield f"From {about}: {collection.found:,} addresses found, repeated ones included."
    if request.domains:
        yield f"In these top-level domains only: {', '.join(request.domains)}."
    if request.one_per_server:
        yield "Of each server the shortest address only."
    if checked:
        yield f"{checked.asked:,} were asked for; kept are those whose page is in the language {request.language}."
    if request.sample:
        yield f"A random sample of {request.sample:,} at most, by the number {request.seed}."


def _document(collection: "Collection", request: SeedsRequest, checked: "Checked | None") -> dict[str, Any]:
    return {
        "output": str(request.output),
        "seeds": len(collection.seeds),
        "found": collection.found,
        "domains": collection.domains(),
        "skipped": collection.skipped,
        "sample": request.sample or None,
        "seed": request.seed if request.sample else None,
        "language": request.language,
        "asked": checked.asked if checked else None,
        "rejected": checked.rejected if checked else None,
    }


def _shown(result: dict[str, Any]) -> Iterator[str | OutputRows]:
    domains = list(result["domains"].items())
    rows = [("found", f"{result['found']:,} addresses, repeated ones included")]
    if result["sample"]:
        rows.append(("sample", f"{result['sample']:,} at most, by the number {result['seed']}"))
    if result["asked"] is not None:
        rows.append(("asked for", f"{result['asked']:,}; kept if in the language {result['language']}"))
    shown = ", ".join(f"{clean(name) or 'bare address'} {count:,}" for name, count in domains[:_MOST_SHOWN])
    more = f", {len(domains) - _MOST_SHOWN:,} more" if len(domains) > _MOST_SHOWN else ""
    rows += [("seeds", f"{result['seeds']:,}"), ("domains", shown + more)]
    left_out = [*result["skipped"].items(), *(result["rejected"] or {}).items()][:_MOST_SHOWN]
    rows += [("left out", f"{count:,} × {clean(why)}") for why, count in left_out]
    yield f"Wrote {clean(result['output'])}"
    yield rows
