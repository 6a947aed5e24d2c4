"""Strategies made from names and options: of crawl.toml (`make_strategy`), or of a command line (`strategy_from`).

A strategy reports what is wrong with an option (key, rule, value); these two functions add where to correct it.
"""

import difflib
import inspect
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exonym.batches import ORACLE_COLUMNS
from exonym.config import language_of
from exonym.errors import ColumnError, ConfigError, ModelError
from exonym.strategies import STRATEGIES, is_oracle
from exonym.strategies.adaptive.facts import facts_digest
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.base import Learner, LoadsLinkModel, MergesState, Strategy

_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text in quotes"}
NO_PRIOR = "none"  # the option `prior` of a strategy that begins without any knowledge
_LARGEST = 2**62  # counts are kept in 64 bits


def make_strategy(
    name: str, options: dict[str, Any], target: Sequence[str] = (), directory: Path | None = None
) -> Strategy:
    """The strategy `name` with its options, checked by name and type; `target` are the languages looked for.

    Files that options name are relative to `directory`, by default the working directory.
    """
    try:
        return _make(name, options, target, directory)
    except ConfigError as error:
        raise ConfigError(f"strategy.{error.fact}", "Set it in crawl.toml, section [strategy].") from None


def strategy_from(text: str, target: str = "") -> Strategy:
    """The strategy that a text like `lswc:S=1,T=1` names; `target` are the languages looked for, like "th lo".

    >>> strategy_from("limited-distance:T=2,prioritized=true").T
    2
    """
    name, _, rest = (part.strip() for part in text.partition(":"))
    known = strategy_options(name) if name in STRATEGIES else {}
    options: dict[str, Any] = {}
    for key, value in (_pair(text, pair, known) for pair in rest.split(",") if pair.strip()):
        if key in options:
            raise ConfigError(f"--strategy {text[:80]}: {key[:60]} is given twice. Leave one out.")
        options[key] = value
    try:
        strategy = _make(name, options, target.split(), is_simulated=True)
    except ConfigError as error:
        raise ConfigError(f"--strategy {text[:80]}: {error.fact}") from None
    is_named = options.get("language") or options.get("domains") or target.strip()
    if "language" in known and not is_named and "anchor_language" not in getattr(strategy, "may_lack", ()):
        raise ConfigError(f"--strategy {text[:80]}: no language is known. Name it, as in {name}:language=ja.")
    return strategy


def _make(
    name: str,
    options: dict[str, Any],
    target: Sequence[str],
    directory: Path | None = None,
    is_simulated: bool = False,
) -> Strategy:
    if name not in STRATEGIES:
        raise ConfigError(_no_strategy(name, is_simulated))
    known = strategy_options(name)
    for key in options:
        if key not in known:
            takes = f"takes {', '.join(known)}" if known else "takes no options"
            raise ConfigError(f"{key[:60]} is not an option of {name}, which {takes}.")
    given = {key: _checked_option(key, value, type(known[key])) for key, value in options.items()}
    strategy = STRATEGIES[name](**_with_languages(known, given, target))
    model = link_model_file(strategy, directory or Path())
    if model is not None and isinstance(strategy, LoadsLinkModel):
        from exonym.models.links.link_model_file import load_link_model

        strategy.use(load_link_model(model))
    if isinstance(strategy, Adaptive) and strategy.prior != NO_PRIOR:
        _begin_with_prior(strategy, directory or Path())
    return strategy


def _begin_with_prior(strategy: Adaptive, directory: Path) -> None:
    """Let a strategy begin with the weights in a file that it names, or with those that come with Exonym."""
    from exonym.models.prior_file import SHIPPED, load_prior

    path = directory / strategy.prior if strategy.prior else SHIPPED
    prior = load_prior(path)
    advice = "Train it again with `exonym model prior train`."
    if prior.facts != facts_digest():
        raise ModelError(f"{path} was learned by another version of Exonym, from other facts. {advice}")
    try:
        strategy.begin_with(prior.weights)
    except ValueError as error:
        raise ModelError(f"{path} is damaged: {error}. {advice}") from None


def _no_strategy(name: str, is_simulated: bool) -> str:
    """What to say about a name that no strategy has; oracles are offered only to simulations, which can use them."""
    offered = [known for known, strategy in STRATEGIES.items() if is_simulated or not is_oracle(strategy)]
    near = difflib.get_close_matches(name.lower(), offered, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    return f"name must be one of {', '.join(offered)}, got {name[:60]!r}.{hint}"


def link_model_file(strategy: Strategy, directory: Path) -> Path | None:
    """The file of the link model that a strategy names, if any."""
    if not isinstance(strategy, LoadsLinkModel) or not strategy.model:
        return None
    # Without `..`: the crawl directory may not exist yet.
    return Path(os.path.normpath(directory / strategy.model))


def _pair(text: str, pair: str, known: dict[str, Any]) -> tuple[str, Any]:
    """The key and value of one option; the value is a text if the option takes texts, else as `value_of` reads it."""
    key, equals, value = (part.strip() for part in pair.partition("="))
    if not key or not equals:
        raise ConfigError(f"--strategy {text[:80]}: {pair[:60]!r} is no option. Write it as in lswc:S=1,T=1.")
    return key, value if isinstance(known.get(key), str) else value_of(value)


def value_of(text: str) -> bool | int | float | str:
    """The value that a text spells: a truth value, a number, or else the text itself."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _with_languages(known: dict[str, Any], given: dict[str, Any], target: Sequence[str]) -> dict[str, Any]:
    """The given options, with languages and their domains added if the strategy takes them and none are given."""
    completed = dict(given)
    if "language" in known:
        try:
            languages = [language_of(text) for text in given.get("language", "").split() or target]
        except ConfigError as error:
            raise ConfigError(f"language: {error}") from None
        completed["language"] = " ".join(languages)
        if "domains" in known and not given.get("domains"):
            from exonym.nations.shipped import language_domains  # no other strategy needs nations

            domains = (domain for name in languages for domain in language_domains(name))
            completed["domains"] = " ".join(dict.fromkeys(domains))
    return completed


def check_live_columns(name: str, strategy: Strategy) -> None:
    """Raise if a strategy needs a column that no live crawl has."""
    if is_oracle(strategy):
        columns = " and ".join(sorted(strategy.needs & ORACLE_COLUMNS))
        raise ColumnError(f"{name} needs {columns}, which only a simulation knows. Choose another strategy.")


def can_merge(strategy: Strategy) -> bool:
    """Whether a strategy has no state, or the class that writes its `state`, or one derived from that, writes `merge`.

    An inherited `merge` does not know what a `state` that overrides the inherited one contains.
    """
    if not isinstance(strategy, Learner):
        return True
    if not isinstance(strategy, MergesState):
        return False
    kinds = type(strategy).__mro__
    merging, stating = (next(kind for kind in kinds if name in vars(kind)) for name in ("merge", "state"))
    return issubclass(merging, stating)


def check_mergeable(name: str, strategy: Strategy) -> None:
    """Raise if a strategy keeps state and cannot merge it: partitions could not be joined or divided."""
    if not can_merge(strategy):
        raise ConfigError(
            f"{name} has state() and no merge(state) of its own, which a cluster needs. "
            "Write merge (docs/reference/python.md), or crawl without --cluster."
        )


def _checked_option(key: str, value: Any, kind: type) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind or (type(value) is int and abs(value) > _LARGEST):
        rule = _KINDS.get(kind, kind.__name__)
        raise ConfigError(f"{key} must be {rule}, got {value!r}.")
    return value


def strategy_options(name: str) -> dict[str, Any]:
    """The options of a strategy and their defaults."""
    parameters = inspect.signature(STRATEGIES[name]).parameters.values()
    return {option.name: option.default for option in parameters if option.default is not inspect.Parameter.empty}
