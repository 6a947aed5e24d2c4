"""What users may import from `exonym` is there, is explained, and costs nothing until it is used."""

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import exonym

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r"\bfrom (exonym[\w.]*) import ([\w, ]+)|\bimport (exonym[\w.]*)")


@pytest.mark.parametrize("name", exonym.__all__)
def test_public_name_can_be_imported_and_has_a_docstring(name: str) -> None:
    value = getattr(exonym, name)
    if name not in ("STRATEGIES", "__version__"):  # values, not classes or functions
        assert inspect.getdoc(value)


@pytest.mark.parametrize("name", exonym.__all__)
def test_public_name_is_in_the_reference_with_an_example_that_uses_it(name: str) -> None:
    assert re.search(rf"^\| `{name}[(`]", REFERENCE, re.MULTILINE)
    assert any(re.search(rf"\bex\.{name}\b", code) for code in _PYTHON.findall(REFERENCE))


def test_reference_explains_no_name_that_is_not_public() -> None:
    assert sorted(re.findall(r"^\| `(\w+)[(`]", REFERENCE, re.MULTILINE)) == sorted(exonym.__all__)


def test_names_for_type_checkers_are_those_that_are_loaded() -> None:
    tree = ast.parse(Path(exonym.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name: f"{node.module}"
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted([*typed, "__version__"]) == sorted(exonym.__all__)
    for name, module in typed.items():
        assert getattr(exonym, name) is getattr(importlib.import_module(module), name), name


def test_dir_lists_the_public_names_for_completion() -> None:
    assert sorted(exonym.__all__) == dir(exonym)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'crwal'"):
        exonym.crwal  # noqa: B018


def test_importing_the_package_and_its_functions_imports_nothing_heavy() -> None:
    code = "import exonym, sys; exonym.simulate, exonym.open_crawl; print({'numpy', 'pyarrow'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


@pytest.mark.parametrize("module", ["exonym", "exonym.api", "exonym.nations.nation"])
def test_examples_in_docstrings_give_what_they_say(module: str) -> None:
    ran = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert (ran.failed, ran.attempted > 0) == (0, True)


USERS = [*sorted((ROOT / "examples").glob("*.py")), ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", USERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_and_docs_import_only_public_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for module, names, whole in _IMPORT.findall(text):
        assert (module or whole) == "exonym", f"{module or whole} is not public"
        for name in filter(None, (part.split(" as ")[0].strip() for part in names.split(","))):
            assert name in exonym.__all__, f"{name} is not public"
