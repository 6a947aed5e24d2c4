"""N-grams and profiles: the paper's own example, a slow twin, files that come back whole or are refused."""

import json
import re
import struct
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.cli.model.language_train import train_profiles as train_command
from exonym.errors import ConfigError, DirectoryError, ModelError
from exonym.language.ngrams import letters_of, ranked_ngrams
from exonym.language.profiles import (
    LanguageProfile,
    ProfileSet,
    count_letters,
    load_profiles,
    save_profiles,
    serialised,
    shipped_profiles,
    train,
)
from exonym.language.training_texts import catalogue, installed_text, source_names, tags

TEXT = "The river runs past the old town and under the bridge. " * 25
OTHER = "Der Fluss fließt an der alten Stadt vorbei und unter der Brücke hindurch. " * 25


def slowly_ranked(text: str, count: int) -> list[str]:
    """Cavnar and Trenkle's counting, letter by letter, for words of a few alphabets."""
    times: Counter[str] = Counter()
    for word in re.findall("[a-zäöüกขคงาิีุู่้一二三']+", text.lower()):
        times["_"] += 1  # the blank behind the word; the one before it is counted below
        for length in range(1, 6):
            padded = "_" + word + "_" * (length - 1)
            times.update(padded[start : start + length] for start in range(len(word) + 1))
    ordered = sorted(times.items(), key=lambda item: (-item[1], len(item[0]), item[0].replace("_", "\1")))
    return [ngram for ngram, _ in ordered[:count]]


def test_ngrams_of_a_word_are_those_of_the_paper() -> None:
    found = set(ranked_ngrams(letters_of("CRAWL"), 400))
    assert {ngram for ngram in found if len(ngram) == 1} == set("_crawl")
    assert {ngram for ngram in found if len(ngram) == 2} == {"_c", "cr", "ra", "aw", "wl", "l_"}
    assert {ngram for ngram in found if len(ngram) == 3} == {"_cr", "cra", "raw", "awl", "wl_", "l__"}
    assert {ngram for ngram in found if len(ngram) == 5} == {"_craw", "crawl", "rawl_", "awl__", "wl___", "l____"}


def test_frequent_ngrams_come_first_and_of_equals_the_shorter() -> None:
    # "ab a": the blank 4 times, a and _a twice, then what occurs once: b, and a_ ab b_ by code point after the blank.
    assert ranked_ngrams(letters_of("ab a"), 7) == ["_", "a", "_a", "b", "a_", "ab", "b_"]


@given(st.text("abcxyzäöü ABC'12.,กขงาี่ 一二三\n’", max_size=200))
def test_counting_on_arrays_agrees_with_counting_by_hand(text: str) -> None:
    assert ranked_ngrams(letters_of(text), 400) == slowly_ranked(text.replace("’", "'"), 400)


@given(st.text(max_size=100))
def test_any_text_has_a_ranking_without_repetition(text: str) -> None:
    ranked = ranked_ngrams(letters_of(text), 400)
    assert len(set(ranked)) == len(ranked)
    assert all(1 <= len(ngram) <= 5 for ngram in ranked)


def test_rare_letters_of_a_text_with_thousands_are_passed_over() -> None:
    frequent = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 50)) * 10
    rare = " ".join(chr(code) for code in range(0x5000, 0x5000 + 5_000))
    # The blank stands before and behind 5,001 words; each frequent letter occurs ten times, each rare one once.
    assert ranked_ngrams(letters_of(f"{frequent} {rare}"), 51) == ["_", *frequent[:50]]


def test_digits_and_punctuation_are_no_letters() -> None:
    assert count_letters("12:30, 4.50 € (!) น้ำ it's") == 3 + 4


def test_profile_knows_its_language_without_script() -> None:
    assert train("zh-Hant", "中文網頁" * 300).language == "zh"


@pytest.mark.parametrize("tag", ["", "t", "../th", "thai language", "TH"])
def test_tag_that_is_no_code_is_refused(tag: str) -> None:
    with pytest.raises(ConfigError, match="language code"):
        train(tag, TEXT)


def test_too_little_text_is_told() -> None:
    with pytest.raises(ConfigError, match="th: 18 letters are too few"):
        train("th", "ประเทศไทย" * 2)


def test_saved_profiles_come_back(tmp_path: Path) -> None:
    saved = ProfileSet((train("de", OTHER), train("en", TEXT)), ("de.txt", "en.txt"))
    save_profiles(tmp_path / "p.json", saved)
    assert load_profiles(tmp_path / "p.json") == saved
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


def test_file_does_not_depend_on_the_order_of_training() -> None:
    one, two = train("de", OTHER), train("en", TEXT)
    assert serialised(ProfileSet((one, two))) == serialised(ProfileSet((two, one)))


def test_file_format_stays_as_it_is() -> None:
    assert serialised(ProfileSet((LanguageProfile("th", ("_", "ก", "ก_")),), ("th.txt",))).decode() == (
        '{\n"format": "exonym-ngram-profiles",\n"version": 1,\n"length": 400,\n"sources": ["th.txt"],\n'
        '"profiles": {\n"th": "_ ก ก_"\n}\n}\n'
    )


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"\x80\x04K\x01.",
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": [], "profiles": {}}',
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": [], "profiles": {"th": 3}}',
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": [], "profiles": {"th": "a a"}}',
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": [], "profiles": {"th": "abcdef"}}',
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": [], "profiles": {"../x": "a"}}',
        b'{"format": "exonym-ngram-profiles", "version": 1, "sources": 7, "profiles": {"th": "a"}}',
    ],
)
def test_damaged_file_is_told_in_one_line(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "p.json"
    path.write_bytes(damage)
    with pytest.raises(ModelError, match="exonym model language train -o") as told:
        load_profiles(path)
    assert "\n" not in str(told.value)


@given(st.integers(0, 2_000))
def test_file_cut_short_anywhere_is_refused(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    data = serialised(ProfileSet((train("en", TEXT),))).rstrip()
    path = tmp_path_factory.mktemp("cut") / "p.json"
    path.write_bytes(data[: min(cut, len(data) - 1)])
    with pytest.raises(ModelError):
        load_profiles(path)


def test_file_of_another_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"format": "exonym-ngram-profiles", "version": 2}))
    with pytest.raises(ModelError, match="its version is 2, this Exonym reads 1"):
        load_profiles(path)


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match=r"none\.json cannot be used"):
        load_profiles(tmp_path / "none.json")


def test_shipped_profiles_have_the_languages_that_were_promised() -> None:
    languages = {profile.language for profile in shipped_profiles().profiles}
    promised = "th en ja ko zh vi lo km my id ms de fr es it pt nl sv da no fi is pl cs ru uk tr ar he el hi"
    assert languages >= set(promised.split())
    assert len(languages) >= 40
    assert sorted(tags()) == [profile.tag for profile in shipped_profiles().profiles]


@pytest.mark.parametrize("tag", ["th", "en", "lo"])
def test_shipped_profile_is_what_installed_packages_give(tag: str) -> None:
    try:
        same = source_names() == shipped_profiles().sources
    except ConfigError:
        same = False
    if not same:
        pytest.skip(f"needs {' and '.join(shipped_profiles().sources)}")
    assert train(tag, installed_text(tag)) in shipped_profiles().profiles


def test_catalogue_gives_messages_and_translations() -> None:
    pairs = [(b"menu\x04Open", b"Ouvrir"), (b"a file\0files", b"un fichier\0des fichiers")]
    head, body, tables = struct.pack("<7I", 0x950412DE, 0, 2, 28, 44, 0, 0), b"", [b"", b""]
    for pair in pairs:
        for number, text in enumerate(pair):
            tables[number] += struct.pack("<2I", len(text), 60 + len(body))
            body += text + b"\0"
    found = list(catalogue(head + tables[0] + tables[1] + body))
    assert found == [("Open", "Ouvrir"), ("a file\nfiles", "un fichier\ndes fichiers")]


def test_damaged_catalogue_is_told() -> None:
    with pytest.raises(ConfigError, match="Install it anew"):
        list(catalogue(struct.pack("<7I", 0x950412DE, 0, 9, 28, 44, 0, 0)))


def test_command_trains_from_a_folder_of_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "deu.txt").write_text("\ufeff" + OTHER, encoding="utf-8")
    train_command([tmp_path], output=tmp_path / "p.json", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert told["letters"] == {"de": count_letters(OTHER), "en": count_letters(TEXT)}
    assert load_profiles(tmp_path / "p.json").profiles == (train("de", OTHER), train("en", TEXT))


def test_command_warns_of_little_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "en.txt").write_text(TEXT, encoding="utf-8")
    train_command([tmp_path / "en.txt"], output=tmp_path / "p.json")
    assert "Too little text for en" in capsys.readouterr().out


def test_command_says_what_is_wrong_with_its_files(tmp_path: Path) -> None:
    bad, nameless = tmp_path / "th.txt", tmp_path / "notes about it.txt"
    bad.write_bytes("ประเทศไทย".encode("tis-620"))
    nameless.write_text(TEXT)
    (tmp_path / "empty").mkdir()
    for files, said in [
        ([bad], "not UTF-8"),
        ([nameless], "as in th.txt"),
        ([tmp_path / "ja.txt"], "cannot be read"),
        ([tmp_path / "empty"], "no text file"),
        ([], "either text files"),
    ]:
        with pytest.raises((ConfigError, DirectoryError), match=said):
            train_command(files, output=tmp_path / "p.json")
    assert not (tmp_path / "p.json").exists()
