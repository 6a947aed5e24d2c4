"""The adaptive strategy: learns while it crawls which links lead to relevant pages."""

from exonym.errors import ConfigError
from exonym.strategies.adaptive.worded import Worded


class Adaptive(Worded):
    """`adaptive`: links that lead to a relevant page with the highest probability, as learned so far, first.

    `prior` names what is known before the first page, and is for those who make the object by name, as it is in a file.
    """

    pairs = (
        ("server", "segment"),
        ("server", "same_server"),
        ("server", "found_relevant"),
        ("server", "found_irrelevant"),
        ("server", "found_elsewhere"),
        ("server", "found_spoken"),
        ("server", "called"),
        ("segment", "found_relevant"),
        ("found_relevant", "same_server"),
        ("found_elsewhere", "distance"),
        ("found_elsewhere", "found_irrelevant"),
        ("found_spoken", "source_relevant"),
        ("source_server", "segment_age"),
        ("domain", "server_age"),
        ("own_domain", "server_age"),
        ("failed", ""),
    )

    word_pairs = (("url_words", "distance"), ("anchor_words", "url_words"))

    def __init__(
        self,
        language: str = "",
        domains: str = "",
        floor: float = 0.0,
        prior: str = "",
        text: bool = True,
        probes: bool = True,
    ) -> None:
        if not 0 <= floor < 1:
            raise ConfigError(f"floor must be 0 (none), or less than 1, got {floor:g}.")
        super().__init__(domains.split(), floor, text)
        self.language, self.domains, self.prior = language, domains, prior
        self.languages = tuple(language.split())
        self.probe_every *= probes
