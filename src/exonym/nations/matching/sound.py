"""How romanised names sound: two keys, one coarse to find candidates, one fine to compare them.

Asian names have many spellings in Latin letters: aspirates with and without h (Nakhon, Nakon), r that is not heard
(Nakorn, Prathom), r for l, ph and f and p, ch and j, voiced and unvoiced stops (Krabi, Grabi), long and short vowels
(Phuket, Phooket). The skeleton keeps the consonants alone and is the same for all of them; the respelling keeps the
vowels, so that the distance between two respellings says how far apart two names really are.
"""

import re
from functools import lru_cache

# In this order: what several letters write becomes one letter.
_SPELLINGS = [
    (re.compile(pattern), letter)
    for pattern, letter in (
        ("[^a-z]+", ""),
        ("c(?!h)|q", "k"),
        ("tch|[td]?j|[cz]h|z", "c"),
        ("sh|x", "s"),
        ("ts(?=u)", "t"),  # two romanisations of Japanese
        ("kh|gh|g", "k"),
        ("ph|bh?|f", "p"),
        ("th|dh|d", "t"),
        ("v", "w"),
        ("ts", "s"),
        ("(?<=[a-z])h(?![aeiou])|(?<=[cklmnprstw])h", ""),  # a lengthened vowel, an aspirate
        ("r(?![aeiouyw])|(?<=[kptcs])[rl]", ""),  # not heard
        ("r", "l"),
        ("l(?![aeiouyw])", "n"),
        ("nk(?![aeiouyw])", "n"),
        ("oo|ou|uu|eu|ue|oe|w(?![aeiou])", "u"),
        ("ee|ie|ii|ea|y(?![aeiou])", "i"),
        ("ae|aa", "a"),
        (r"(.)\1+", r"\1"),
    )
]
_VOWELS = re.compile("(?<=.)[aeiouyw]+|^[aeiou]+")
_ALIKE = str.maketrans("cm", "sn")
_DOUBLED = re.compile(r"(.)\1+")


@lru_cache(maxsize=65_536)
def respelling(word: str) -> str:
    """A word in small letters as it sounds, vowels kept.

    >>> respelling("nakhonpathom"), respelling("nakornprathom")
    ('nakonpatom', 'nakonpatom')
    """
    for pattern, letter in _SPELLINGS:
        word = pattern.sub(letter, word)
    return word


def skeleton(respelt: str) -> str:
    """The consonants of a respelt word, none twice in a row; a vowel at its beginning becomes "a".

    >>> skeleton(respelling("nakhonpathom")), skeleton(respelling("ubon"))
    ('nknptn', 'apn')
    """
    begin = "a" if respelt[:1] in tuple("aeiou") else ""
    return _DOUBLED.sub(r"\1", begin + _VOWELS.sub("", respelt).translate(_ALIKE))


def joined(first: str, second: str) -> str:
    """The skeleton of two words one after the other, from their skeletons."""
    if first and second.startswith("a"):
        second = second[1:]
    return first + (second[1:] if first[-1:] == second[:1] else second)
