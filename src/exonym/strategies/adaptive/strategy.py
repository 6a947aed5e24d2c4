"""The adaptive strategy: learns while it crawls which links lead to relevant pages."""

from exonym.strategies.adaptive.additive import Additive


class Adaptive(Additive):
    """`adaptive`: links that lead to a relevant page with the highest probability, as learned so far, first."""

    pairs = (
        ("server", "segment"),
        ("server", "distance"),
        ("server", "found_relevant"),
        ("server", "same_server"),
        ("found_relevant", "found_irrelevant"),
        ("found_relevant", "same_server"),
        ("found_elsewhere", "distance"),
        ("found_spoken", "source_relevant"),
        ("source_server", "segment_age"),
        ("domain", "server_age"),
        ("failed", ""),
    )

    def __init__(self, language: str = "") -> None:
        super().__init__()
        self.language = language
        self.languages = tuple(language.split())
