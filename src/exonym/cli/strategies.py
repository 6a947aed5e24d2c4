"""`exonym strategies`: lists all strategies, what each does, and its options."""

import json
import textwrap
from typing import Any

from exonym.cli.options import AsJson
from exonym.cli.output import emit

_WIDTH = 100


def strategies(as_json: AsJson = False) -> None:
    """List the strategies: what they do, their options, what they need, and their sources."""
    from exonym.strategies import ABOUT, STRATEGIES, is_oracle
    from exonym.strategies.by_name import strategy_options

    listed = [
        {
            "name": name,
            "rule": ABOUT[name].rule,
            "source": ABOUT[name].source,
            "options": strategy_options(name),
            "needs": sorted(kind.needs),
            "group": kind.group.name.lower(),
            "oracle": is_oracle(kind),
        }
        for name, kind in STRATEGIES.items()
    ]
    emit({"strategies": listed}, ["\n\n".join(map(_text_of, listed))], as_json)


def _text_of(strategy: dict[str, Any]) -> str:
    facts = {
        "options": ", ".join(f"{key} = {json.dumps(value)}" for key, value in strategy["options"].items()),
        "needs": ", ".join(strategy["needs"]),
        "group": strategy["group"],
        "source": strategy["source"],
    }
    lines = [strategy["name"] + (" (oracle)" if strategy["oracle"] else "")]
    lines += textwrap.wrap(strategy["rule"], _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines + [f"  {name:<8} {text}" for name, text in facts.items() if text])
