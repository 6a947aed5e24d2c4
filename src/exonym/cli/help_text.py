"""Commands and groups of commands as `--help` shows them: plain text, no Python types, descriptions in full.

Typer's own plain help cuts descriptions at the width of the terminal, knows no panels, and shows Python types
(`GRAPH <path>`, `0<=x<=5`). Its rich help has panels, but loading Rich takes longer than all the rest of `--help`.
"""

import re
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from exonym.cli.option_groups import with_option_groups

Row = tuple[str, str]


class WordedCommand(TyperCommand):
    """A command whose help shows `URL`, `N`, `FILE` for what an option or argument takes, and ranges in words."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Arguments by their names, optional ones in brackets."""
        arguments = [parameter for parameter in self.params if parameter.param_type_name == "argument"]
        return [self.options_metavar or "", *map(_in_usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options."""
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            parameters = [parameter for parameter in self.get_params(ctx) if parameter.param_type_name == kind]
            if rows := [_worded(one, record) for one in parameters if (record := one.get_help_record(ctx)) is not None]:
                with formatter.section(title):
                    formatter.write_dl(rows)


class WordedGroup(TyperGroup):
    """A group whose help shows the whole first sentence of each command's description."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Names and descriptions, long ones wrapped."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, first_sentence(command.help or "")) for name, command in commands if command])


def first_sentence(text: str) -> str:
    """The first sentence of a description, for lists of commands."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=[^.]\.)\s", paragraph)[0].removesuffix(".")


def group_of(
    commands: dict[str, "Callable[..., Any] | typer.Typer"], help: str = "", cls: type[TyperGroup] = WordedGroup
) -> typer.Typer:
    """A group of commands and groups, by their names."""
    group = typer.Typer(help=help, cls=cls, add_completion=False, rich_markup_mode=None)
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            group.add_typer(command, name=name)
        else:
            group.command(name, cls=WordedCommand)(with_option_groups(command))
    return group


def _in_usage(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required or name.startswith("[") else f"[{name}]"


def _worded(parameter: Any, record: Row) -> Row:
    name, text = record
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
    head, bracket, extra = text.rpartition("  [")
    extra = re.sub(r"([-\d.]+)<=x<=([-\d.]+)", _range, extra)
    extra = re.sub(r"x>=([-\d.]+)", r"\1 or more", extra)
    extra = re.sub(r"default: \((.*?)\)", r"default: \1", extra)
    return name, f"{head}{bracket}{extra}"


def _range(bounds: re.Match[str]) -> str:
    low, high = (f"{int(text):,}" if text.isdigit() else text for text in bounds.groups())
    return f"{low} to {high}"
