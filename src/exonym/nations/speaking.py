"""Which of a nation's languages a crawl for that nation looks for."""

from collections.abc import Container

from exonym.nations.nation import Nation

_EVERYWHERE = "en"  # says nothing of a nation, unless it is the nation's first language


def own_languages(nation: Nation, known: Container[str]) -> list[str]:
    """The official languages of the nation that can be told by their text; its most spoken one where none is."""
    official = _official(nation.code)
    spoken = [one.code for one in sorted(nation.languages, key=lambda language: -language.share)]
    codes = [code for code in spoken if code in official] or spoken[:1]
    told = [code for code in codes if code.partition("-")[0] in known]
    return [code for place, code in enumerate(told) if code != _EVERYWHERE or place == 0]


def _official(territory: str) -> set[str]:
    """By Unicode's tables. Shares of speakers do not tell: most of the Netherlands know German."""
    from babel.languages import get_official_languages

    return {tag.replace("_", "-") for tag in get_official_languages(territory, de_facto=True)}
