"""Which languages write in which script."""

_LANGUAGE_OF_SCRIPT = {
    "Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my", "Tibetan": "bo", "Hangul": "ko", "Kana": "ja",
    "Georgian": "ka", "Armenian": "hy", "Greek": "el", "Thaana": "dv", "Gurmukhi": "pa", "Gujarati": "gu",
    "Oriya": "or", "Tamil": "ta", "Telugu": "te", "Kannada": "kn", "Malayalam": "ml", "Sinhala": "si",
    "Cherokee": "chr", "Canadian": "iu", "Mongolian": "mn", "Syriac": "syr", "Yi": "ii", "NKo": "nqo",
    "Tifinagh": "zgh", "OlChiki": "sat",
}  # fmt: skip
OWN_SCRIPTS = _LANGUAGE_OF_SCRIPT  # scripts that, on the web, write one language (others of theirs are rare)
_SCRIPT_OF_LANGUAGE = {language: script for script, language in OWN_SCRIPTS.items() if language != "mn"}

# Scripts that several languages write: a detector must tell.
_LANGUAGES_OF_SHARED = {
    "Cyrillic": "ru uk be bg mk sr kk ky tg tt ba mn os ab uz az ce cv sah rue tk ku",
    "Arabic": "ar fa ur ps ug sd ks ku az uz kk ky pnb mzn ms",
    "Devanagari": "hi mr ne sa bh new raj mai gom sd ks brx doi",
    "Bengali": "bn as mni",
    "Hebrew": "he yi",
    "Ethiopic": "am ti",
}
SHARED_SCRIPTS = ("Latin", *_LANGUAGES_OF_SHARED)
# What a shared script's letters are when the detector does not know.
USUAL_LANGUAGE = {"Hebrew": "he", "Ethiopic": "am"}
_LATIN_TOO = ("sr", "uz", "az", "kk", "tk", "ku", "tt", "ms", "ks")  # written with Latin letters as well

_SHARED_SCRIPTS_OF: dict[str, tuple[str, ...]] = {}
for _script, _languages in _LANGUAGES_OF_SHARED.items():
    for _language in _languages.split():
        _SHARED_SCRIPTS_OF[_language] = (*_SHARED_SCRIPTS_OF.get(_language, ()), _script)
for _language in _LATIN_TOO:
    _SHARED_SCRIPTS_OF[_language] = (*_SHARED_SCRIPTS_OF[_language], "Latin")
_NO_SHARED_SCRIPT = frozenset(["zh", *(language for language in _SCRIPT_OF_LANGUAGE)])


def script_of(language: str) -> str:
    """The script that only `language` is written in, or ""."""
    return _SCRIPT_OF_LANGUAGE.get(language, "")


def shared_scripts_of(language: str) -> tuple[str, ...]:
    """The scripts, among those that several languages share, that `language` is written in."""
    return () if language in _NO_SHARED_SCRIPT else _SHARED_SCRIPTS_OF.get(language, ("Latin",))
