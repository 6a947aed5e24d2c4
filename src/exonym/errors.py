"""Every error that Exonym raises on purpose.

ExonymError                  the base: its text is one line for the user, exit code 2
├── ConfigError              crawl.toml, another input file or an option is wrong: key, rule, value, what to do
├── UrlError                 a text that is no http(s) URL
├── DirectoryError           a crawl directory or another file is missing, damaged, or in use
│   └── FencedError          another process has taken the crawl directory over while this one ran
├── GraphError               a web graph is missing, damaged, or not of the kind that is needed
├── ModelError               a model file is missing, damaged, or of another kind or version
├── ColumnError              a strategy needs a column that this crawl or graph does not have
├── ProcessError             a worker process was killed from outside, as when memory runs out
├── ClusterError             Ray is missing, no cluster answers, or its workers do not fit
└── DiskFullError            no room to go on; nothing already collected is lost

A page that cannot be fetched is data (its row has the failure), never an exception.
"""


class ExonymError(Exception):
    """A problem that the user can solve; the message says what is wrong, where, and what to do."""


class ConfigError(ExonymError):
    """A setting or an option is wrong.

    `fact` is what is wrong (key, rule, value), `advice` is where to correct it; the text has both. Code that cannot
    know where the value was written leaves the advice to its caller:

    >>> error = ConfigError("S must be 1 or more, got 0.")
    >>> str(ConfigError(f"strategy.{error.fact}", "Set it in crawl.toml, section [strategy]."))
    'strategy.S must be 1 or more, got 0. Set it in crawl.toml, section [strategy].'
    """

    def __init__(self, fact: str, advice: str = "") -> None:
        super().__init__(f"{fact} {advice}" if advice else fact)
        self.fact = fact
        self.advice = advice


class PartialCrawlWarning(UserWarning):
    """A crawl is read without some of its partitions, which are missing or damaged."""


class UrlError(ExonymError):
    """A text is not an http or https URL."""


class DirectoryError(ExonymError):
    """A crawl directory, or a file that is to be read or written, cannot be used."""


class FencedError(DirectoryError):
    """Another process has taken over the crawl directory that this one writes."""


class GraphError(ExonymError):
    """A web graph cannot be used."""


class ModelError(ExonymError):
    """A model file cannot be used."""


class ColumnError(ExonymError):
    """A strategy needs a column that this crawl or graph does not have."""


class ProcessError(ExonymError):
    """A worker process was killed from outside."""


class ClusterError(ExonymError):
    """A cluster cannot be used."""


class DiskFullError(ExonymError):
    """The disk is full; the crawl pauses rather than corrupts."""
