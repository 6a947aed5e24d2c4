"""The second detector answers the same from the package, from the cache, and where the cache is broken."""

from pathlib import Path

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from exonym.language.second_detector import load_second_detector

TEXTS = [
    "The quick brown fox jumps over the lazy dog.",
    "ภาษาไทยเป็นภาษาที่ใช้ในประเทศไทย",
    "Der schnelle braune Fuchs springt über den faulen Hund.",
    "これは日本語の文章です。",
    "",
    "12345",
]


def test_stored_model_answers_as_the_packed_one_and_a_broken_one_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    expected = [LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True).classify(text) for text in TEXTS]
    assert [load_second_detector().classify(text) for text in TEXTS] == expected  # unpacked, and stored
    files = sorted((tmp_path / "exonym").iterdir())
    assert len(files) == 3
    times = [file.stat().st_mtime_ns for file in files]
    assert [load_second_detector().classify(text) for text in TEXTS] == expected  # mapped
    assert [file.stat().st_mtime_ns for file in files] == times
    files[0].write_bytes(files[0].read_bytes()[:1_000])
    assert [load_second_detector().classify(text) for text in TEXTS] == expected
    assert files[0].stat().st_size > 1_000


def test_model_is_unpacked_where_nothing_can_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load_second_detector().classify(TEXTS[0])[0] == "en"
