"""What `--help` shows: panels, words, whole descriptions; and command lines in old names."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from exonym.cli.old_names import COMMANDS, OPTIONS, in_new_names
from exonym.cli.program import PANELS, app


def paths_of(group: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command and group."""
    for name, command in group.commands.items():
        yield (*before, name)
        if hasattr(command, "commands"):
            yield from paths_of(command, (*before, name))


ROOT = get_command(app)
PATHS = [(), *paths_of(ROOT)]


def command_of(words: tuple[str, ...]) -> Any:
    command: Any = ROOT
    for word in words:
        command = command.commands[word]
    return command


@cache
def help_of(words: tuple[str, ...]) -> str:
    result = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(app, [*words, "--help"])
    assert result.exit_code == 0, result.output
    return result.output


def test_commands_stand_in_panels_by_what_a_person_does() -> None:
    shown = help_of(())
    titles = re.findall(r"^(\S.*):$", shown, re.MULTILINE)
    assert titles == ["Options", "Crawl", "Look closer", "Prepare", "Research"]
    for title, commands in PANELS.items():
        panel = shown.partition(f"{title}:\n")[2].partition("\n\n")[0]
        assert re.findall(r"^  ([a-z-]+)", panel, re.MULTILINE) == list(commands)


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_help_is_whole_at_80_columns(words: tuple[str, ...]) -> None:
    shown = help_of(words)
    assert max(map(len, shown.splitlines())) <= 80
    assert "..." not in shown.replace("[ARGS]...", "")


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_help_shows_words_not_python(words: tuple[str, ...]) -> None:
    assert not re.findall(r"<[^>\n]*>|<=|>=|\b(?:TEXT|INTEGER|FLOAT|PATH|RANGE)\b", help_of(words))


@pytest.mark.parametrize("words", [("identify",), ("seeds",), ("nation",), ("model",), ("graph",), ("experiment",)])
def test_group_says_what_it_is_for_as_the_panel_does(words: tuple[str]) -> None:
    text = next(panel[words[0]][1] for panel in PANELS.values() if words[0] in panel)
    assert text in " ".join(help_of(words).split())


def test_a_name_mistyped_is_told_with_the_one_meant() -> None:
    result = CliRunner().invoke(app, ["simulte"])
    assert result.exit_code == 2
    assert "Did you mean 'simulate'?" in result.output


# Old names


@pytest.mark.parametrize("old", COMMANDS, ids=" ".join)
def test_old_name_leads_to_a_command_there_is_and_says_its_name(
    old: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert tuple(in_new_names(["--debug", *old, "rest"])) == ("--debug", *COMMANDS[old], "rest")
    assert COMMANDS[old] in PATHS
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        f"exonym: `exonym {' '.join(old)}` is now `exonym {' '.join(COMMANDS[old])}`; "
        "the old name goes with the next version."
    ]


def options_of(words: tuple[str, ...]) -> set[str]:
    command = command_of(words)
    if hasattr(command, "commands"):
        leaves = [options_of((*words, name)) for name in command.commands]
        return set.intersection(*leaves) if words == ("seeds",) else set.union(*leaves)
    return {text for one in command.params for text in (*one.opts, *one.secondary_opts)}


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [(words, old, new) for words, options in OPTIONS.items() for old, new in options.items()],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_old_option_leads_to_one_there_is_and_says_its_name(
    words: tuple[str, ...], old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new in options_of(words)
    assert old not in options_of(words)
    for given, due in (([old, "7"], [new, "7"]), ([f"{old}=7"], [f"{new}=7"])):
        assert in_new_names([*words, "x", *given, "--", old]) == [*words, "x", *due, "--", old]
        assert capsys.readouterr().err == f"exonym: `{old}` is now `{new}`; the old name goes with the next version.\n"


@pytest.mark.parametrize(
    ("given", "due"),
    [
        (["--profile", "thai2009"], ["--profile", "thai2006"]),
        (["--profile=thai2009"], ["--profile=thai2006"]),
    ],
)
def test_old_name_of_a_profile_leads_to_the_new_one_and_says_it(
    given: list[str], due: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    generate = ["graph", "generate", "-o", "thai2009"]
    assert in_new_names([*generate, *given]) == [*generate, *due]
    assert "`--profile thai2009` is now `--profile thai2006`" in capsys.readouterr().err
    # Only as a profile, and only there.
    assert in_new_names(["graph", "show", *given]) == ["graph", "show", *given]


def test_kind_of_terms_and_kind_of_model_are_told_apart() -> None:
    train = ["model", "topic", "train"]
    assert in_new_names([*train, "--kind", "words"]) == [*train, "--term-kind", "words"]
    assert in_new_names([*train, "--kind=characters"]) == [*train, "--term-kind=characters"]
    assert in_new_names([*train, "--kind", "linear"]) == [*train, "--kind", "linear"]
    assert in_new_names(["train", "topic", "--model", "linear"]) == [*train, "--kind", "linear"]


@pytest.mark.parametrize(
    "name",
    ["--json", "--force", "--random-seed", "--max-pages", "--size", "--relevance", "--about", "--topics", "--only"],
)
def test_option_takes_the_same_thing_in_every_command(name: str) -> None:
    found = set()
    for words in PATHS[1:]:
        found |= {(one.metavar, one.is_flag) for one in command_of(words).params if name in one.opts}
    assert len(found) == 1


@pytest.mark.parametrize("words", [[], ["--help"], *([*path, "x"] for path in PATHS)], ids=" ".join)
def test_name_of_today_is_left_as_it_is(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert in_new_names(words) == words
    assert capsys.readouterr().err == ""
