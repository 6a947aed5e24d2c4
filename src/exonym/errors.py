"""Every error that Exonym raises on purpose.

ExonymError                  the base: its text is one line for the user, exit code 2
├── ConfigError              crawl.toml or an option is wrong: key, rule, value, what to do
├── UrlError                 a text that is no http(s) URL
├── DirectoryError           a crawl directory is missing, damaged, or in use
├── ColumnError              a strategy needs a column that this crawl or graph has not
└── DiskFullError            no room to go on; nothing already collected is lost

A page that cannot be fetched is data (its row says what failed), never an exception.
"""


class ExonymError(Exception):
    """Something the user can put right; the message says what, where, and what to do."""


class ConfigError(ExonymError):
    """A setting is wrong."""


class UrlError(ExonymError):
    """A text is not an http or https URL."""


class DirectoryError(ExonymError):
    """A crawl directory cannot be used."""


class ColumnError(ExonymError):
    """A strategy needs facts that are not to be had here."""


class DiskFullError(ExonymError):
    """The disk is full; the crawl pauses rather than corrupts."""
