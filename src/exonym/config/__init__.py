"""What was asked of a crawl: `crawl.toml` as typed settings, and back as a commented file."""

from exonym.config.loading import CONFIG_NAME, load, settings_of
from exonym.config.settings import Settings, StrategyChoice, user_agent
from exonym.config.template import template
from exonym.language_names import language_of

__all__ = ["CONFIG_NAME", "Settings", "StrategyChoice", "language_of", "load", "settings_of", "template", "user_agent"]
