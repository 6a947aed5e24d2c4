"""Years, dates and centuries, which list pages link to and which name nothing in a country."""

import re

_MONTH = (
    "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?"
    "|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?"
)
_DAY_OF_WEEK = "(mon|tues|wednes|thurs|fri|satur|sun)days?"
_ERA = r"(b\.?c\.?(e\.?)?|a\.?d\.?|c\.?e\.?|b\.?e\.?)"
_NUMBER = r"[0-9]{1,4}"
_TIMES = (
    rf"({_ERA} )?(c\. ?)?{_NUMBER}s?( ?[-–—] ?{_NUMBER}s?)?( {_ERA})?",
    rf"((early|mid|late)[- ])?{_NUMBER}(st|nd|rd|th)([ -](century|centuries|millennium))?( {_ERA})?",
    r"((early|mid|late)[- ])?(the )?[a-z]+(first|second|third|th)[ -](century|millennium)",
    rf"({_MONTH})\.?( {_NUMBER})?((,| of)? {_NUMBER})?( {_ERA})?",
    rf"{_NUMBER}(st|nd|rd|th)? (of )?({_MONTH})\.?(,? {_NUMBER})?( {_ERA})?",
    _DAY_OF_WEEK,
    r"[0-9]+\s*(年代?|月|日|世紀|世纪|년대?|월|일|세기)([0-9]+\s*(月|日|월|일))*",
    r"(พ\.ศ\.|ค\.ศ\.|พุทธศักราช|คริสต์ศักราช|คริสต์ศตวรรษที่|พุทธศตวรรษที่) ?[0-9]+",
    r"(thế kỷ|năm) [0-9ivxl]+",
)
_TIME = re.compile("|".join(f"(?:{pattern})" for pattern in _TIMES), re.IGNORECASE)


def is_time(text: str) -> bool:
    """Whether a text is a year, a date or a century and nothing else.

    >>> [is_time(text) for text in ("1782", "6 April 1782", "14th century", "Wat Pho", "May", "Maya")]
    [True, True, True, False, True, False]
    """
    return bool(_TIME.fullmatch(text))
