"""What makes a page relevant, as options of several commands say it: languages, a nation, or a crawl.toml's target."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from exonym.errors import ConfigError

if TYPE_CHECKING:
    from exonym.judges.settings import Plain

AboutOption = Annotated[
    str, typer.Option("--about", metavar="XX | FILE", help="Pages about this nation, by its names, are relevant.")
]
InOption = Annotated[
    list[str] | None, typer.Option("--in", metavar="LANGUAGE", help="With --about: only pages in this language.")
]
TargetOption = Annotated[
    Path | None,
    typer.Option("--target", metavar="FILE", help="A crawl.toml: its [target] and [judge] say what is relevant."),
]


@dataclass(frozen=True, slots=True)
class Target:
    """What the options say."""

    languages: list[str]
    about: str = ""
    within: tuple[str, ...] = ()
    file: Path | None = None
    identifier: str = ""
    inherit_language: bool | None = None

    def judge(self) -> "Plain | None":
        """The judge asked for, where more is asked for than languages."""
        from exonym.config import load, settings_of
        from exonym.judges.by_name import judge_settings

        self._check()
        if self.file:
            return judge_settings(load(self.file), self.file.parent)
        if not self.about:
            return None
        about = {"nation": self.about, "languages": list(self.within)}
        table = {"target": {"languages": self.languages, "about": about}, "judge": self._telling()}
        return judge_settings(settings_of(table, "options"), Path())

    def _check(self) -> None:
        if self.within and not self.about:
            raise ConfigError("--in goes with --about. Pages in a language, whatever they are about: --language.")
        if self.file and (self.languages or self.about or self._telling()):
            raise ConfigError("--target says all: leave --language, --about, --identifier and --inherit-language out.")

    def _telling(self) -> dict[str, Any]:
        told: dict[str, Any] = {"identifier": self.identifier} if self.identifier else {}
        return told if self.inherit_language is None else told | {"inherit_language": self.inherit_language}
