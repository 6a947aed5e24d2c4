"""What all `exonym seeds` commands do with what they find: choose, check, write, and say what was done."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exonym.cli.output import Rows, emit
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
    """What the options say."""

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
        """With the language as a code; raises if options do not fit each other."""
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
        """Raise if nobody could be told who asks; `reason` says what is fetched."""
        if not self.operator:
            raise ConfigError(f"{reason}, so servers must be told who asks. Give --operator, a web page of yours.")

    def refuse_idle_language(self) -> None:
        """Raise if a language was named that nothing would look for."""
        if self.language and not self.check:
            raise ConfigError("--language is for --check here, which fetches every seed: give both, or none.")

    def choice(self) -> "Choice":
        """What to keep."""
        from exonym.seeds.choosing import Choice, wanted_domain

        return Choice(frozenset(map(wanted_domain, self.domains)), self.sample, self.seed, self.one_per_server)


def keep(asked: SeedsRequest, about: str, found: Callable[[Tell], "Iterator[FoundSeed]"]) -> None:
    """Write the seeds among what `found` gives, and tell about it; `about` says where they are from."""
    from exonym.seeds.choosing import collect
    from exonym.seeds.file import check_output, write_seeds

    check_output(asked.output, asked.force)
    choice = asked.choice()
    with status_line(f"reading {about}") as tell:
        collection = collect(found(tell), replace(choice, sample=0) if asked.check else choice)
    checked = _checked(collection, choice, asked) if asked.check and collection.seeds else None
    if checked:
        collection = replace(collection, seeds=checked.seeds)
    if not collection.seeds:
        raise ConfigError(_no_seeds_message(about, collection, checked))
    write_seeds(asked.output, collection, list(_about(about, collection, asked, checked)))
    document = _document(collection, asked, checked)
    emit(document, _shown(document), asked.as_json)


def show_bytes(path: Path, tell: Tell) -> Callable[[int], None]:
    """Says on the terminal how much of a file has been read."""
    size = path.stat().st_size if path.is_file() else 0
    return lambda done: tell(f"reading {path.name}: {byte_size(done)} of {byte_size(size)}")


def _checked(collection: "Collection", choice: "Choice", asked: SeedsRequest) -> "Checked":
    from exonym.live.driver import run
    from exonym.live.stop import stop_on_signals
    from exonym.seeds.checking import check_seeds, checking_settings

    network = {"network": {"allow_private": asked.allow_private}}
    settings = checking_settings(asked.language, asked.operator, network)
    with stop_on_signals() as stop, status_line(f"checking {len(collection.seeds):,} seeds") as tell:

        def show(progress: "CrawlProgress") -> None:
            tell(f"checking: {progress.totals.pages:,} pages, {progress.totals.relevant:,} of them so")

        checked = check_seeds(
            collection.seeds,
            choice,
            settings,
            lambda directory, asked, strategy: run(directory, asked, show, stop, strategy),
        )
    if checked.is_interrupted:
        raise KeyboardInterrupt
    return checked


def _no_seeds_message(about: str, collection: "Collection", checked: "Checked | None") -> str:
    reasons = checked.rejected if checked else collection.skipped
    told = ", ".join(f"{count:,} × {why}" for why, count in list(reasons.items())[:3])
    return f"{about} gives no seeds{f' ({told})' if told else ''}. Nothing was written."


def _about(about: str, collection: "Collection", asked: SeedsRequest, checked: "Checked | None") -> Iterator[str]:
    yield f"From {about}: {collection.found:,} addresses found, repeated ones included."
    if asked.domains:
        yield f"In these top-level domains only: {', '.join(asked.domains)}."
    if asked.one_per_server:
        yield "Of each server the shortest address only."
    if checked:
        yield f"{checked.asked:,} were asked for; kept are those whose page is in the language {asked.language}."
    if asked.sample:
        yield f"A random sample of {asked.sample:,} at most, by the number {asked.seed}."


def _document(collection: "Collection", asked: SeedsRequest, checked: "Checked | None") -> dict[str, Any]:
    return {
        "output": str(asked.output),
        "seeds": len(collection.seeds),
        "found": collection.found,
        "domains": collection.domains(),
        "skipped": collection.skipped,
        "sample": asked.sample or None,
        "seed": asked.seed if asked.sample else None,
        "language": asked.language,
        "asked": checked.asked if checked else None,
        "rejected": checked.rejected if checked else None,
    }


def _shown(result: dict[str, Any]) -> Iterator[str | Rows]:
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
