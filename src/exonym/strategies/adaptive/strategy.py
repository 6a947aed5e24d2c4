"""The adaptive strategy: learns while it crawls which links lead to relevant pages."""

from exonym.errors import ConfigError
from exonym.strategies.adaptive.additive import Additive


class Adaptive(Additive):
    """`adaptive`: links that lead to a relevant page with the highest probability, as learned so far, first."""

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

    def __init__(self, language: str = "", domains: str = "", floor: float = 0.0) -> None:
        if not 0 <= floor < 1:
            raise ConfigError(f"floor must be 0 (none), or less than 1, got {floor:g}.")
        super().__init__(domains.split(), floor)
        self.language, self.domains = language, domains
        self.languages = tuple(language.split())
