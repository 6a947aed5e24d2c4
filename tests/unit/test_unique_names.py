"""One name, one concept: no two public types of the package have the same name, and no two modules."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import exonym

ROOT = Path(exonym.__file__).parent


def public_types(path: Path) -> Iterator[str]:
    """Classes at the top level of a module, and aliases such as `Ids = NDArray[np.uint64]`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
        else:
            continue
        if name[0].isupper() and not name.isupper():
            yield name


def test_every_public_type_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for name in public_types(path):
            places[name].append(path.relative_to(ROOT).as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


# Names that say which part of its folder a module is: the contract, and what is made from names in settings; and the
# three things that exist as a judge, a model and a training.
_ROLES = {"__init__", "__main__", "base", "by_name", "about", "topic", "weight_table"}


def test_every_module_has_a_name_of_its_own() -> None:
    places = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        folder = path.relative_to(ROOT).parent.parts
        # Commands are named for what they call. The papers have one folder each, all with the same files.
        if folder[:1] != ("cli",) and not (folder[:1] == ("experiments",) and len(folder) > 1):
            places[path.stem].append(path.relative_to(ROOT).as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1 and name not in _ROLES} == {}
