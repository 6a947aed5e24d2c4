"""`crawl.toml`: the settings of a crawl.

`settings` has every key with its default, rule and description; `loading` reads the file, `template` writes it with
comments, `editing` changes single values in it. `toml_file` reads and checks any TOML file that people write, and is
used for nation files and profiles of generated webs too.
"""

from exonym.config.loading import SettingChanges, change_of, load, settings_of
from exonym.config.other_crawls import CONFIG_NAME
from exonym.config.settings import Settings, StrategyChoice, user_agent
from exonym.config.template import template
from exonym.language_names import language_of

__all__ = [
    "CONFIG_NAME",
    "SettingChanges",
    "Settings",
    "StrategyChoice",
    "change_of",
    "language_of",
    "load",
    "settings_of",
    "template",
    "user_agent",
]
