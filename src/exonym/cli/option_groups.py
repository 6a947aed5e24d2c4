"""Options that several commands share as one dataclass: a parameter of that type stands for an option per field.

Typer reads the signature of a command, so `with_option_groups` gives it one in which the fields take the place of the
parameter. `Annotated[RelevanceOptions, {"language": "…"}]` replaces the help of single fields.
"""

import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints


def with_option_groups(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with its option groups as single options; it receives each group as one object."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        if is_dataclass(kind):
            groups[parameter.name] = kind
            parameters += _options_of(kind, notes[0] if notes else {})
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint))
    if not groups:
        return command

    @wraps(command)
    def run(**given: Any) -> Any:
        for name, kind in groups.items():
            given[name] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        return command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _options_of(group: Any, help_texts: dict[str, str]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        kind, option = get_args(hints[field.name])
        if field.name in help_texts:
            option = copy.copy(option)
            option.help = help_texts[field.name]
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
        )
