"""Names that speak of a country, for all countries of the world: its own, its languages', its large cities'.

A nation has a file with thousands of names. Of all other countries, these few, which packages contain, are enough to
see that a page is rather about one of them.
"""

import re
from functools import lru_cache

from exonym.nations.gazetteer import large_cities
from exonym.nations.shipped import stored


@lru_cache(maxsize=1)
def names_abroad() -> dict[str, str]:
    """English names of countries, of languages, which are mostly those of their people too, and of large cities.

    >>> names = names_abroad()
    >>> names["Malaysia"], names["Malay"], names["Kuala Lumpur"]
    ('MY', 'MY', 'MY')
    """
    return dict(line.split("\t") for line in stored("abroad", _table).splitlines())


def _table() -> str:
    import langcodes
    from babel import Locale

    english = Locale("en")
    names = large_cities()
    for code, text in english.languages.items():
        # What is English on an English page is most often the language.
        if len(code) == 2 and code != "en" and (country := langcodes.Language.get(code).maximize().territory):
            names[text] = country
    for code, text in english.territories.items():
        if re.fullmatch("[A-Z]{2}", code):  # others are continents
            # "Myanmar (Burma)" is two names.
            names |= {part.strip(): code for part in text.rstrip(")").split("(")}
    return "".join(f"{name}\t{country}\n" for name, country in names.items())
