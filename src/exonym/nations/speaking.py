"""Which of a nation's languages a crawl for that nation looks for."""

from collections.abc import Container

from exonym.nations.nation import Nation

_SPOKEN_BY = 0.1  # of the people, at least
_EVERYWHERE = "en"  # says nothing of a nation, unless it is the nation's first language


def own_languages(nation: Nation, known: Container[str]) -> list[str]:
    """The languages of the nation that a tenth of its people speak and that can be told, the first language first."""
    spoken = sorted(nation.languages, key=lambda language: -language.share)
    codes = [one.code for one in spoken if one.share >= _SPOKEN_BY and one.code.partition("-")[0] in known]
    return [code for place, code in enumerate(codes) if code != _EVERYWHERE or place == 0]
