"""What commands ask for is what pip's extras install."""

import tomllib
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

import exonym
from exonym.errors import ConfigError
from exonym.system import extras
from exonym.system.extras import EXTRAS, require

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
# Data for `model language train --from-packages` alone, which asks for it itself.
ELSEWHERE = {"django"}


@pytest.mark.parametrize("extra", EXTRAS)
def test_extra_installs_the_libraries_that_are_asked_for(extra: str) -> None:
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    installed = {text.partition(">")[0] for text in project["optional-dependencies"][extra]}
    modules = metadata.packages_distributions()
    assert {modules[library][0].lower() for library in EXTRAS[extra]} == installed - ELSEWHERE


def test_missing_library_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    require("train", "research")
    monkeypatch.setitem(extras.EXTRAS, "train", ("sklearn", "nowhere_to_be_found"))
    with pytest.raises(ConfigError, match=r"^nowhere_to_be_found must be installed .* pip install 'exonym\[train\]'"):
        require("train")


@pytest.mark.parametrize(
    "call",
    [
        lambda: exonym.analyse("nowhere"),
        lambda: exonym.simulate("nowhere", "bfs"),
        lambda: exonym.train_topic("nowhere", "nowhere"),
    ],
    ids=["analyse", "simulate", "train_topic"],
)
def test_python_function_that_needs_an_extra_asks_for_it_first(
    call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for extra in EXTRAS:
        monkeypatch.setitem(extras.EXTRAS, extra, ("nowhere_to_be_found",))
    with pytest.raises(ConfigError, match=r"^nowhere_to_be_found must be installed .* pip install 'exonym\["):
        call()
