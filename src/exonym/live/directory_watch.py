"""What a running crawl obeys: scope, limits, pause and stop, in files of its directory that people may change.

scope.txt and [scope] and [limits] of crawl.toml are read again when they change. A mistake in them does not stop the
crawl: the old rules stay in force, and an event says what is wrong. While a file `pause` exists, no visits begin; a
file `stop` ends the run as Ctrl-C does. Both files are deleted when a run begins and when it ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from exonym.config import CONFIG_NAME, SettingChanges, Settings, load
from exonym.config.settings import Limits
from exonym.errors import ConfigError, DirectoryError
from exonym.scope import CrawlScope
from exonym.scope.scope_file import SCOPE_NAME, read_scope
from exonym.system.files import FileStamp, stamp_of

PAUSE_NAME = "pause"
STOP_NAME = "stop"
LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """What people ask of a running crawl."""

    scope: CrawlScope
    limits: Limits
    is_paused: bool = False
    is_stopped: bool = False  # the run is to end when all visits in flight have ended


class DirectoryWatch:
    """Looks about once a second whether the files have changed."""

    def __init__(
        self, directory: Path, settings: Settings, changes: SettingChanges | None, tell: Callable[[str], None]
    ):
        """`changes` are settings that hold for this run, whatever crawl.toml says. Raises if the scope is wrong."""
        self._directory = directory
        self._changes = changes or {}
        self._tell = tell
        self.clear()  # whoever starts a crawl wants it to run
        self._stamps = self._look()
        self.wishes = Wishes(read_scope(directory, settings.scope.rules), settings.limits)
        self._looked = 0.0
        self._is_wrong = False  # the files had a mistake when they were last read

    def look(self, now: float) -> Wishes | None:
        """The wishes, if they have changed since the last call."""
        if now - self._looked < LOOK_SECONDS:
            return None
        self._looked = now
        stamps = self._look()
        if stamps == self._stamps:
            return None
        before, self._stamps = self.wishes, stamps
        self.wishes = self._read(before, stamps)
        return self.wishes if self.wishes != before else None

    def _read(self, before: Wishes, stamps: tuple[FileStamp | None, ...]) -> Wishes:
        is_paused, is_stopped = (stamp is not None for stamp in stamps[-2:])
        try:
            settings = load(self._directory / CONFIG_NAME, self._changes)
            scope = read_scope(self._directory, settings.scope.rules)
        except (ConfigError, DirectoryError) as error:
            self._tell(f"{error} The crawl goes on with the old rules.")
            self._is_wrong = True
            return Wishes(before.scope, before.limits, is_paused, is_stopped)
        if self._is_wrong:
            self._tell("The mistake is gone: scope and limits are obeyed again.")
            self._is_wrong = False
        if scope.rules == before.scope.rules:
            scope = before.scope
        return Wishes(scope, settings.limits, is_paused, is_stopped)

    def _look(self) -> tuple[FileStamp | None, ...]:
        return tuple(stamp_of(self._directory / name) for name in (CONFIG_NAME, SCOPE_NAME, PAUSE_NAME, STOP_NAME))

    def clear(self) -> None:
        """Take back the wishes to pause and to stop."""
        for name in (PAUSE_NAME, STOP_NAME):
            (self._directory / name).unlink(missing_ok=True)
