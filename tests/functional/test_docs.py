"""The docs are true: their commands run, their links lead somewhere, their tables match the program."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ports import reserved_port

from exonym.config.settings import SECTIONS
from exonym.config.template import description_of, toml_value
from exonym.config.toml_file import rule_of
from exonym.journal.parts import TYPES
from exonym.strategies import STRATEGIES
from exonym.strategies.by_name import strategy_options

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```(sh|console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?://|mailto:)([^)#]+)(?:#[^)]*)?\)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def script_of(page: Path) -> str:
    """All commands of a page: what follows `$ ` in console blocks, everything in sh blocks.

    Then its Python, as in a notebook: all blocks together, in one process.
    """
    lines: list[str] = []
    for kind, body in blocks_of(page):
        if kind != "python":
            lines += _typed(body) if kind == "console" else body.splitlines()
    python = [body for kind, body in blocks_of(page) if kind == "python"]
    return "\n".join([*lines, "python - <<'PYTHON'", *python, "PYTHON"] if python else lines)


def blocks_of(page: Path) -> list[tuple[str, str]]:
    """The kind and the text of every block that can be run."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def _typed(body: str) -> list[str]:
    """The typed lines of a console block; a here-document belongs to the command that opens it."""
    lines: list[str] = []
    until = ""
    for line in body.splitlines():
        if until:
            lines.append(line)
            until = "" if line == until else until
        elif line.startswith("$ "):
            lines.append(line[2:])
            opened = re.search(r"<<'?(\w+)'?$", line)
            until = opened[1] if opened else ""
    return lines


def runnable(script: str, port: int) -> str:
    """The script as a test can run it: `make` only looks whether it knows the target (it would run this test)."""
    script = script.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    script = script.replace(" --practice", f" --practice --set network.connect_to=127.0.0.1:{port}")
    script = script.replace("exonym practice-web ", f"exonym practice-web --port {port} ")
    script = script.replace("--size 20_000", "--size 5_000")  # what the commands do, not what they find, is tested
    script = re.sub(r"^make ", f"make -n -C '{ROOT}' ", script, flags=re.MULTILINE)
    script = re.sub(r"^source \.venv/bin/activate$", "true", script, flags=re.MULTILINE)
    script = script.replace(".venv/bin/exonym", "exonym")
    # `make demo` was not run, so what follows it needs its directory.
    return script.replace("exonym status exonym-demo", "exonym demo --size 200\nexonym status exonym-demo")


@pytest.mark.parametrize("page", [page for page in PAGES if script_of(page)], ids=name_of)
def test_commands_of_the_page_run(page: Path, served: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(served), str(Path(sys.executable).parent), os.environ["PATH"]])
    with reserved_port() as port:
        result = subprocess.run(
            ["bash", "-e", "-c", runnable(script_of(page), port)],
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of_the_page_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{name_of(page)} links to {target}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=name_of)
def test_page_can_be_reached_from_the_readme(page: Path) -> None:
    reached, waiting = {ROOT / "README.md"}, [ROOT / "README.md"]
    while waiting:
        here = waiting.pop()
        for target in _LINK.findall(here.read_text(encoding="utf-8")):
            there = (here.parent / target).resolve()
            for found in there.glob("*.md") if there.is_dir() else [there]:
                if found.suffix == ".md" and found not in reached:
                    reached.add(found)
                    waiting.append(found)
    assert page in reached


def reference_row(item: msgspec.structs.FieldInfo) -> str:
    default = item.default_factory() if item.default is msgspec.NODEFAULT else item.default
    return f"| `{item.name}` | `{toml_value(default)}` | {rule_of(item.type)} | {description_of(item.type)} |"


@pytest.mark.parametrize("section", SECTIONS)
def test_reference_page_says_what_the_program_does(section: str) -> None:
    page = (ROOT / "docs/reference/crawl-toml.md").read_text(encoding="utf-8")
    table = page.partition(f"## [{section}]\n")[2].partition("\n## ")[0]
    rows = [reference_row(item) for item in msgspec.structs.fields(SECTIONS[section]) if item.name != "options"]
    written = [line for line in table.splitlines() if line.startswith("| `") and "by strategy" not in line]
    assert written == rows


def test_journal_page_has_every_column_with_its_type() -> None:
    page = (ROOT / "docs/reference/journal.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.MULTILINE) == list(TYPES.items())


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies_page_names_every_option_with_its_default(name: str) -> None:
    page = (ROOT / "docs/reference/strategies.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{name}` \| (.*?) ?\|", page, re.MULTILINE)
    assert row is not None
    options = strategy_options(name).items()
    assert row[1] == ", ".join(f"`{option}` ({toml_value(default)})" for option, default in options)


def commands_of(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{prefix}{name} ")
        else:
            yield prefix + name, command


def test_commands_page_has_the_panels_of_the_help() -> None:
    from exonym.cli.program import PANELS

    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for title, commands in PANELS.items():
        panel = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^\| `([a-z-]+)` \| (.*) \|", panel.partition("\n### ")[0], re.MULTILINE) == [
            (name, text) for name, (_, text) in commands.items()
        ]
        chapters = re.findall(r"^### exonym ([a-z-]+)", panel, re.MULTILINE)
        assert list(dict.fromkeys(chapters)) == list(commands)


def test_commands_page_describes_every_option() -> None:
    from typer.main import get_command

    from exonym.cli.program import app

    page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
    for name, command in commands_of(get_command(app)):
        chapter = re.split(r"\n###? ", page.partition(f"### exonym {name}")[2])[0]
        assert chapter, f"{name} has no chapter"
        options = [text for option in command.params for text in option.opts if text.startswith("--")]
        for option in options:
            assert option == "--help" or f"`{option}" in chapter, f"{name} {option}"


def test_decisions_are_numbered_without_gaps() -> None:
    pages = sorted((ROOT / "docs/decisions").glob("*.md"))
    assert [int(page.name[:4]) for page in pages] == list(range(1, len(pages) + 1))
    for number, page in enumerate(pages, 1):
        assert page.read_text(encoding="utf-8").startswith(f"# {number}. "), page.name
