"""Detectors' codes to the codes under which Exonym knows languages: quicker than `config.languages`, that knows all."""

# What BCP 47 has retired, macro-languages for what targets name as one, and ISO 639-3 codes that have a shorter one.
_SHORT_CODES = {
    "iw": "he", "in": "id", "jw": "jv", "ji": "yi", "mo": "ro", "nb": "no", "nn": "no", "fil": "tl", "sh": "sr",
    "cmn": "zh", "arz": "ar", "ary": "ar", "wuu": "zh", "yue": "zh", "uzs": "uz", "gug": "gn", "hbo": "he",
    "kik": "ki", "sdh": "ku", "ckb": "ku", "bho": "bh", "tw": "ak", "prs": "fa", "arb": "ar", "pes": "fa", "zsm": "ms",
    "bcl": "bik",
}  # fmt: skip


def short_code(code: str) -> str:
    """The language of a detector's code, as in he of iw and zh of zh-Hant."""
    primary = code.partition("-")[0]
    return _SHORT_CODES.get(primary, primary)
