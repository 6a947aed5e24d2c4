"""`exonym strategies`: all strategies, with what each does and its options."""

import json
import textwrap
from typing import Any

from exonym.cli.options import AsJson
from exonym.cli.output import emit

_WIDTH = 100


def strategies(as_json: AsJson = False) -> None:
    """Show the strategies there are: what they do, their options, what they need, where they come from."""
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


def _text_of(one: dict[str, Any]) -> str:
    options = ", ".join(f"{key} = {json.dumps(value)}" for key, value in one["options"].items())
    facts = {
        "options": options,
        "needs": ", ".join(one["needs"]),
        "group": one["group"],
        "source": one["source"],
    }
    lines = [one["name"] + (" (oracle)" if one["oracle"] else "")]
    lines += textwrap.wrap(one["rule"], _WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines + [f"  {name:<8} {text}" for name, text in facts.items() if text])
