"""What is said of strategies is what they are: the list that is printed, and the reference page."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from exonym.cli.strategies import strategies
from exonym.strategies import ABOUT, STRATEGIES, is_oracle
from exonym.strategies.by_name import make_strategy, strategy_options

PAGE = (Path(__file__).parents[3] / "docs/reference/strategies.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\S+)` \| (.*?) ?\| (.*) \| (.*) \|$", re.MULTILINE)
ROWS = {cells[0]: cells for cells in ROW.findall(PAGE)}


@pytest.fixture
def listed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    strategies(as_json=True)
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["strategies"]
    return found


def test_every_strategy_is_described() -> None:
    assert list(ABOUT) == list(STRATEGIES)
    for about in ABOUT.values():
        assert about.rule
        assert about.source


def test_list_says_what_the_strategies_are(listed: list[dict[str, Any]]) -> None:
    assert [one["name"] for one in listed] == list(STRATEGIES)
    for one in listed:
        strategy = make_strategy(one["name"], {})
        assert one["options"] == strategy_options(one["name"])
        assert one["needs"] == sorted(strategy.needs)
        assert one["group"] == strategy.group.name.lower()
        assert one["oracle"] == (one["name"] in ("perfect", "relevant-only"))


def test_list_for_people_has_every_fact(listed: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    strategies(as_json=False)
    blocks = capsys.readouterr().out.split("\n\n")
    for one, block in zip(listed, blocks, strict=True):
        assert block.splitlines()[0] == one["name"] + " (oracle)" * one["oracle"]
        flat = " ".join(block.split())
        for text in (one["rule"], one["source"], one["group"], *one["options"], *one["needs"]):
            assert text in flat


@pytest.mark.parametrize("name", STRATEGIES)
def test_reference_page_describes_the_strategy(name: str) -> None:
    assert ROWS[name][2:] == ABOUT[name]
    assert re.search(rf"^## .*\b{name}\b", PAGE, re.MULTILINE)


@pytest.mark.parametrize("name", STRATEGIES)
def test_reference_page_names_every_column_that_is_needed(name: str) -> None:
    needed = re.findall(rf"^\| `{name}` \| `(\w+)` \| [^|]* \|$", PAGE, re.MULTILINE)
    assert sorted(needed) == sorted(STRATEGIES[name].needs)


def test_oracles_are_marked_wherever_they_are_told_of() -> None:
    for name, kind in STRATEGIES.items():
        assert is_oracle(kind) == ("oracle" in ABOUT[name].rule)
        assert is_oracle(kind) == ("oracle" in str(kind.__doc__))
