"""`exonym identify language|names|country`: what Exonym finds in pages, texts and servers that a person names."""

from typing import Any

from exonym.cli.help_text import WordedGroup, group_of
from exonym.cli.identify.country import country
from exonym.cli.identify.language import identify
from exonym.cli.identify.names import names


class _LanguageFirst(WordedGroup):
    """`exonym identify FILE` is short for `exonym identify language FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert `language` if no command is named."""
        is_short = bool(args) and args[0] not in (*self.commands, "-h", "--help")
        return super().parse_args(ctx, ["language", *args] if is_short else args)


app = group_of({"language": identify, "names": names, "country": country}, cls=_LanguageFirst)
