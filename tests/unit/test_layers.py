"""The layers of the design: a module imports only from lines below its own; deciders do no I/O."""

import ast
from collections.abc import Iterator
from pathlib import Path

import exonym

# Top to bottom. Names on one line never import each other. The only place where this is written down.
LAYERS = [
    ["__main__"],
    ["cli", "api"],
    ["experiments"],
    ["testing"],
    ["practice"],
    ["dashboard"],
    ["crawl_views"],
    ["labelling"],
    ["training"],
    ["cluster"],
    ["live", "simulation"],
    ["webgraph", "coverage"],
    ["seeds"],
    ["crawl_directory"],
    ["crawl"],
    ["link_columns", "link_types", "partitions", "scope"],
    ["readers"],
    ["judges", "strategies"],
    ["models"],
    ["nations"],
    ["language"],
    ["crawl_progress"],
    ["metrics"],
    ["probes"],
    ["intervals"],
    ["frontier"],
    ["fetch"],
    ["politeness"],
    ["extract", "archive", "journal"],
    ["store", "config"],
    ["report"],
    ["language_names", "web_text", "published"],
    ["system"],
    ["urls", "batches", "progress"],
    ["errors"],
    ["version"],
]
HEIGHT = {name: len(LAYERS) - line for line, names in enumerate(LAYERS) for name in names}

DECIDERS = {
    "crawl",
    "link_columns",
    "link_types",
    "partitions",
    "strategies",
    "judges",
    "models",
    "frontier",
    "politeness",
    "probes",
    "scope",
}
DECIDERS |= {"urls", "batches", "metrics", "crawl_progress"}
# The disk frontier is a decider that must remember: it keeps its queues in the store, its seen-set in a mapped file.
# Judges and strategies are made of files (nations, models) by name; models are read from files by modules called so.
EXCEPTED = {"frontier/disk.py", "frontier/blocks.py", "frontier/seen.py", "frontier/aside.py"} | {
    "frontier/link_sample.py",
    "frontier/frontier_look.py",
    "frontier/waiting_counts.py",
    "judges/by_name.py",
    "strategies/by_name.py",
    "scope/scope_file.py",
}
WORLD = {
    *("time", "datetime", "random", "secrets", "uuid", "socket", "ssl", "select", "selectors", "asyncio", "uvloop"),
    *("os", "io", "pathlib", "shutil", "tempfile", "mmap", "subprocess", "signal", "threading", "multiprocessing"),
    *("http", "urllib", "pycurl", "lmdb", "pyarrow", "sqlite3"),
}
CALLS = {"open", "input", "print"}

ROOT = Path(exonym.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or path.name != "__init__.py")


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported_names(path: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it, in full."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively; write the whole name"
            yield str(node.module)
            if node.module == "exonym":
                yield from (f"exonym.{alias.name}" for alias in node.names)


def test_every_module_has_a_layer() -> None:
    assert {layer_of(path) for path in MODULES} <= set(HEIGHT), "write the new name into LAYERS"


def test_modules_import_only_from_layers_below_their_own() -> None:
    upward = {
        (name_of(path), name)
        for path in MODULES
        for name in imported_names(path)
        if (parts := name.split("."))[0] == "exonym" and len(parts) > 1
        if parts[1] in HEIGHT and parts[1] != layer_of(path) and HEIGHT[parts[1]] >= HEIGHT[layer_of(path)]
    }
    assert not upward


def test_deciders_touch_no_clock_chance_socket_or_file() -> None:
    for path in MODULES:
        is_model_file = layer_of(path) == "models" and path.stem.endswith("file")
        if layer_of(path) in DECIDERS and name_of(path) not in EXCEPTED and not is_model_file:
            check_decider(path)


def check_decider(path: Path) -> None:
    for name in imported_names(path):
        assert name == "urllib.parse" or name.split(".")[0] not in WORLD, f"{name_of(path)} imports {name}"
        assert not name.startswith(("numpy.random", "exonym.store")), f"{name_of(path)} imports {name}"
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in CALLS, f"{name_of(path)} calls {node.func.id}"
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in ("np.random", "np.memmap"), f"{name_of(path)} uses {ast.unparse(node)}"


def test_command_line_starts_without_heavy_imports() -> None:
    heavy = {"numpy", "pyarrow", "pycurl", "lmdb", "pycld2", "py3langid", "turbohtml", "rich"}
    for path in (path for path in MODULES if layer_of(path) == "cli"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {alias.name for node in top if isinstance(node, ast.Import) for alias in node.names}
        names |= {str(node.module) for node in top if isinstance(node, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in names} & heavy, name_of(path)
