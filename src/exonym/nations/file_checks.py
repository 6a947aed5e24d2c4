"""The rules for each fact of a nation file, with the messages for facts that break them."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from exonym.config.toml_file import WrongValueError, shown
from exonym.errors import UrlError
from exonym.nations.nation import Language, Name, names_in
from exonym.urls import url_of_line

_HAND = "hand"  # the source of names written into the nation file itself
_KIND = re.compile(r"[a-z][a-z -]*")
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?")
_SCRIPT = re.compile(r"([A-Z][a-z]{3})?")


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise WrongValueError(f"must be a text in quotes, got {shown(value)}. Write one there, or take the line out.")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise WrongValueError(f'must be a list of texts, got {shown(value)}. Write it as ["a", "b"].')
    for item in value:
        if not isinstance(item, str) or not item.strip() or not item.isprintable():
            raise WrongValueError(
                f'must be a list of texts, found {shown(item)} in it. Write it as ["a", "b"].', value=item
            )
    return tuple(value)


def _matching(pattern: str, rule: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise WrongValueError(f"must be {rule}, got {shown(value)}. Correct it there.")
        return value

    return check


def _domains(value: object) -> tuple[str, ...]:
    for domain in _texts(value):
        if not _DOMAIN.fullmatch(domain):
            try:
                advised = domain.strip().strip(".").lower().encode("idna").decode("ascii")
            except UnicodeError:
                advised = ""
            is_domain = _DOMAIN.fullmatch(advised)
            advice = f'write it as "{advised}".' if is_domain else "that is no domain. Take it out."
            raise WrongValueError(f"has {shown(domain)}: {advice}", value=domain)
    return _texts(value)


def _seeds(value: object) -> tuple[str, ...]:
    urls = []
    for seed in _texts(value):
        try:
            urls.append(url_of_line(seed))
        except UrlError as error:
            raise WrongValueError(f"has a wrong address: {error}", value=seed) from None
    return tuple(urls)


def _languages(value: object) -> tuple[Language, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise WrongValueError(f"must be a list of tables, got {shown(value)}. Write [[languages]] before each.")
    languages = []
    for place, item in enumerate(value):
        try:
            languages.append(_language(item))
        except WrongValueError as wrong:
            raise WrongValueError(str(wrong), place, *wrong.keys, value=wrong.value) from None
    return tuple(languages)


def _language(item: dict[str, Any]) -> Language:
    code, script, share = item.get("code"), item.get("script", ""), item.get("share", 0.0)
    if not isinstance(code, str) or not _LANGUAGE.fullmatch(code):
        raise WrongValueError(
            f'need a code, as in code = "th", got {shown(code)}. Correct it there.', "code", value=code
        )
    if not isinstance(script, str) or not _SCRIPT.fullmatch(script):
        raise WrongValueError(
            f'need a script of four letters, as "Thai", got {shown(script)}. Correct it.', "script", value=script
        )
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise WrongValueError(f"need a share from 0 to 1, as 0.8, got {shown(share)}. Correct it.", "share")
    if unknown := set(item) - {"code", "script", "share"}:
        key = min(unknown)
        raise WrongValueError(f"have no key {shown(key)}. The keys are code, script and share.", key)
    return Language(code, script, float(share))


def _words(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise WrongValueError(
            f"must be a section, got {shown(value)}. Write its name in brackets on a line of its own."
        )
    for key, text in value.items():
        if not isinstance(text, str) or not text.isprintable() or not key.strip():
            raise WrongValueError(
                f"has {shown(key)} with {shown(text)}: it must be a text in quotes. Correct it there.", key
            )
    return value


def _names(value: object) -> tuple[Name, ...]:
    if not isinstance(value, dict):
        raise WrongValueError(f"must be a section, got {shown(value)}. Write [names] on a line of its own.")
    names: list[Name] = []
    for kind, lines in value.items():
        if not _KIND.fullmatch(kind):
            raise WrongValueError(f"has the kind {shown(kind)}: write a kind in small letters, as city.", kind)
        try:
            texts = _texts(lines)
        except WrongValueError as wrong:
            raise WrongValueError(f"of kind {kind} {wrong}", kind, value=wrong.value) from None
        for line in texts:
            forms = names_in(line, kind, _HAND)
            if not forms or forms[0].text.startswith("~"):
                advice = "write the name first, as in Koh Samui|~Samui."
                raise WrongValueError(f"has {shown(line)}: {advice}", kind, value=line)
            names += forms
    return tuple(names)


CHECKS: dict[str, Callable[[object], Any]] = {
    "code": _matching("[A-Z]{2}", 'two capital letters, as "TH"'),
    "name": _text,
    "languages": _languages,
    "charsets": _texts,
    "domains": _domains,
    "country_codes": _texts,
    "calling_code": _matching("([0-9]{1,4}(-[0-9]{1,4})?)?", 'digits in quotes, as "66"'),
    "currency": _matching("([A-Z]{3})?", 'three capital letters, as "THB"'),
    "demonyms": _texts,
    "names": _names,
    "stop_words": _texts,
    "prefixes": _words,
    "suffixes": _words,
    "seeds": _seeds,
    "facts": _words,
    "sources": _words,
}
