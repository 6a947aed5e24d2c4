"""Languages so near each other that a detector takes one for the other."""

_GROUPS = (
    "id ms", "bs hr sr", "da no", "cs sk", "gl pt", "bg mk", "af nl", "hi mr ne sa bh mai", "xh zu ss nr", "rn rw",
    "nso st tn", "ba tt", "kk ky", "ga gd", "ca oc", "jv su", "as bn", "be ru uk", "az tr", "es gl", "en sco",
    "ceb tl war", "fo is", "de lb", "fa ps", "crs mfe ht", "am ti", "es ast", "es an",
)  # fmt: skip
# Answers that are wrong often enough to be reported with their alternatives.
_HARD = frozenset([
    "id", "ms", "bs", "hr", "sr", "da", "no", "cs", "sk", "gl", "xh", "zu", "rn", "rw", "nso", "st", "tn", "ba",
    "tt"
])  # fmt: skip

_NEIGHBOURS: dict[str, tuple[str, ...]] = {}
for _group in _GROUPS:
    _names = _group.split()
    for _name in _names:
        _others = tuple(other for other in _names if other != _name)
        _NEIGHBOURS[_name] = (*_NEIGHBOURS.get(_name, ()), *_others)


def are_confusable(language: str, other: str) -> bool:
    """Whether a detector may take one of the two languages for the other."""
    return other in _NEIGHBOURS.get(language, ())


def confusable_with(language: str) -> tuple[str, ...]:
    """The languages that `language` is hard to distinguish from."""
    return _NEIGHBOURS[language] if language in _HARD else ()
