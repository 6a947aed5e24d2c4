"""`exonym model language evaluate` and `exonym model language train` as users run them."""

import base64
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import run, run_here

from exonym.language.profiles import load_profiles
from exonym.practice.web_languages import sentences

THAI, ENGLISH, GERMAN = (" ".join(sentences(tongue)[:12]) for tongue in ("th", "en", "de"))
KEYS = {"pages", "accuracy", "macro_f1", "unknown", "microseconds", "target", "languages", "confusions"}
SCORE_KEYS = {"pages", "precision", "recall", "f1"}


language = partial(run_here, "model", "language")


def _labelled(tmp_path: Path, *rows: dict[str, Any] | str) -> Path:
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return path


def _mixed(tmp_path: Path) -> Path:
    """Four pages that every identifier knows, one Thai text that is labelled English, one page without language."""
    page = base64.b64encode(f"<p>{THAI}".encode("cp874")).decode()
    return _labelled(
        tmp_path,
        {"text": THAI, "label": "th"},
        {"html_base64": page, "http_charset": "tis-620", "label": "Thai"},
        {"text": ENGLISH, "label": "en"},
        {"text": GERMAN, "label": "deu"},
        {"text": THAI, "label": "en"},
        {"text": "2024 12 24", "label": "unknown"},
    )


def _figures(said: tuple[int, str, str]) -> dict[str, Any]:
    code, output, error = said
    assert (code, error) == (0, "")
    (line,) = output.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def _row(output: str, label: str) -> list[str]:
    """The values of the first row that begins with a label."""
    row = next(line for line in output.splitlines() if line.strip().startswith(label))
    return row.strip().removeprefix(label).split()


# Evaluating


def test_table_has_both_identifiers_side_by_side(tmp_path: Path) -> None:
    code, output, error = language("evaluate", _mixed(tmp_path))
    assert (code, error) == (0, "")
    assert output.startswith("6 examples in 3 languages")
    assert _row(output, "default") == ["classic"]
    assert _row(output, "accuracy") == ["83.3%", "83.3%"]  # five of six
    assert _row(output, "answered unknown") == ["16.7%", "16.7%"]
    assert _row(output, "Thai against the rest: accuracy") == ["83.3%", "83.3%"]
    assert _row(output, "precision") == ["66.7%", "66.7%"]  # two of three that were called Thai
    assert _row(output, "recall") == ["100.0%", "100.0%"]
    assert _row(output, "F1  ") == ["80.0%", "80.0%"]
    assert len(_row(output, "µs per page")) == 2


def test_table_has_a_row_for_each_language_and_the_worst_pairs(tmp_path: Path) -> None:
    output = language("evaluate", _mixed(tmp_path))[1]
    assert _row(output, "en ") == ["2", *["100.0%", "50.0%", "66.7%"] * 2]
    assert _row(output, "th ") == ["2", *["66.7%", "100.0%", "80.0%"] * 2]
    assert _row(output, "de ") == ["1", *["100.0%", "100.0%", "100.0%"] * 2]
    assert output.count("en taken for th: 1 of 2") == 2


def test_json_has_the_names_that_scripts_rely_on(tmp_path: Path) -> None:
    found = _figures(language("evaluate", "--json", _mixed(tmp_path)))
    assert (found["target"], found["skipped"]) == ("th", 0)
    for identifier in ("default", "classic"):
        figures = found[identifier]
        assert set(figures) >= KEYS
        assert (figures["pages"], figures["unknown"], figures["accuracy"]) == (6, 1, pytest.approx(5 / 6))
        assert figures["macro_f1"] == pytest.approx((2 / 3 + 4 / 5 + 1) / 3)
        assert figures["microseconds"] >= 0
        assert set(figures["target"]) >= SCORE_KEYS | {"accuracy"}
        assert figures["target"]["precision"] == pytest.approx(2 / 3)
        assert set(figures["languages"]) == {"th", "en", "de"}
        assert all(set(score) >= SCORE_KEYS for score in figures["languages"].values())
        assert figures["confusions"] == [{"label": "en", "answer": "th", "pages": 1, "of": 2}]


def test_table_of_two_by_two_has_the_published_one_beside_it(tmp_path: Path) -> None:
    output = language("evaluate", _mixed(tmp_path))[1]
    # Two Thai pages found, one labelled English taken for Thai, three others.
    assert _row(output, "Assigned as Thai") == ["2", "1", "2", "1", "764", "71"]
    assert _row(output, "Assigned as non-Thai") == ["0", "3", "0", "3", "50", "1,115"]
    assert "published" in output
    found = _figures(language("evaluate", "--json", _mixed(tmp_path)))
    for name in ("default", "classic"):
        table = found[name]["target"]
        assert (table["assigned"], table["not_assigned"]) == ({"right": 2, "wrong": 1}, {"right": 3, "wrong": 0})
    assert found["published"]["assigned"] == {"right": 764, "wrong": 71}
    assert found["published"]["not_assigned"] == {"right": 1_115, "wrong": 50}


def test_published_table_is_beside_that_of_thai_only(tmp_path: Path) -> None:
    labelled = _mixed(tmp_path)
    output = language("evaluate", labelled, "--language", "de")[1]
    assert _row(output, "Assigned as German") == ["1", "0", "1", "0"]
    assert "published" not in output
    assert "published" not in _figures(language("evaluate", labelled, "--language", "de", "--json"))


def test_kinds_of_pages_are_reported_one_by_one(tmp_path: Path) -> None:
    rows = [
        {"text": THAI, "label": "th", "case": "text"},
        {"text": f"{THAI}\n{ENGLISH}", "label": "th", "case": "half"},
        {"text": ENGLISH, "label": "en", "case": "half"},
    ]
    output = language("evaluate", _labelled(tmp_path, *rows))[1]
    assert _row(output, "half") == ["2", "100.0%", "50.0%"]
    assert _row(output, "text") == ["1", "100.0%", "100.0%"]
    cases = _figures(language("evaluate", _labelled(tmp_path, *rows), "--json"))["classic"]["cases"]
    assert cases["half"]["not_assigned"] == {"right": 1, "wrong": 1}


# Labelled pages of a practice web


def test_practice_pages_are_evaluated_as_table_2(tmp_path: Path) -> None:
    made = _figures(language("practice-pages", "-o", tmp_path / "pages.jsonl", "--pages", 400, "--json"))
    # A fifth of the paper's 2,000 pages: 814 Thai ones, 50 of them hard, and 71 mislabelled English ones.
    assert (made["pages"], made["labels"]["th"], made["seed"]) == (400, 163, 7)
    hard = {case: pages for case, pages in made["cases"].items() if case != "as served"}
    assert (sum(hard.values()), hard["English labelled tis-620"], len(hard)) == (10 + 14, 14, 5)
    found = _figures(language("evaluate", tmp_path / "pages.jsonl", "--json"))
    assert found["skipped"] == 0
    for case, pages in hard.items():
        assert found["classic"]["cases"][case]["accuracy"] == 0.0, case
        right = found["default"]["cases"][case]["accuracy"]
        assert right == (0.0 if case == "frames" else 1.0), case  # frames: unknown, as a page without text is
        assert found["default"]["cases"][case]["assigned"]["wrong"] == 0
        assert pages > 0
    assert found["default"]["unknown"] == hard["frames"]


def test_practice_pages_depend_on_the_seed_alone(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first", "again", "other")]
    for file, seed in zip(files, (7, 7, 8), strict=True):
        assert language("practice-pages", "-o", file, "--pages", 100, "--random-seed", seed)[0] == 0
    first, again, other = (file.read_bytes() for file in files)
    assert first == again
    assert first != other
    urls = [json.loads(line)["url"] for line in first.splitlines()]
    assert len(set(urls)) == len(urls) == 100


@pytest.mark.parametrize("name", ["th", "tha", "thai", "Thai"])
def test_target_may_be_named_in_any_way(name: str, tmp_path: Path) -> None:
    labelled = _labelled(tmp_path, {"text": THAI, "label": "th"})
    found = _figures(language("evaluate", labelled, "--language", name, "--json"))
    assert (found["target"], found["default"]["target"]["recall"]) == ("th", 1.0)


def test_another_target_is_told_from_the_rest(tmp_path: Path) -> None:
    labelled = _mixed(tmp_path)
    found = _figures(language("evaluate", labelled, "--language", "german", "--json"))
    assert found["target"] == "de"
    assert [found["default"]["target"][key] for key in ("pages", "precision", "recall")] == [1, 1.0, 1.0]
    assert "German against the rest: accuracy" in language("evaluate", labelled, "--language", "de")[1]


def test_page_partly_in_the_target_language_counts_for_the_default_identifier(tmp_path: Path) -> None:
    labelled = _labelled(tmp_path, {"text": f"{THAI}\n{ENGLISH}", "label": "th"})
    assert _figures(language("evaluate", labelled, "--json"))["default"]["target"]["recall"] == 1.0


def test_figures_without_grounds_are_null_and_dashes(tmp_path: Path) -> None:
    labelled = _labelled(tmp_path, {"text": ENGLISH, "label": "en"})
    target = _figures(language("evaluate", labelled, "--json"))["default"]["target"]
    assert (target["precision"], target["recall"], target["f1"], target["accuracy"]) == (None, None, None, 1.0)
    output = language("evaluate", labelled)[1]
    assert _row(output, "recall") == ["–", "–"]
    assert "Most frequent confusions, default:\n  none\n" in output


def test_bad_lines_are_told_and_left_out(tmp_path: Path) -> None:
    good = {"text": THAI, "label": "th"}
    labelled = _labelled(tmp_path, good, "nonsense", "", '{"text": "a"}', '{"text": "a", "label": "thaiish"}', good)
    code, output, error = language("evaluate", labelled)
    assert code == 0
    assert error.splitlines() == [
        f"{labelled}:2: skipped, is not JSON",
        f"{labelled}:4: skipped, label is missing",
        f"{labelled}:5: skipped, label 'thaiish' is no language",
    ]
    assert output.startswith("2 examples ")
    assert "3 bad lines skipped" in output.splitlines()[0]


def test_many_bad_lines_are_counted_not_listed(tmp_path: Path) -> None:
    labelled = _labelled(tmp_path, *["?"] * 12, {"text": THAI, "label": "th"})
    code, output, error = language("evaluate", labelled, "--json")
    assert (code, json.loads(output)["skipped"]) == (0, 12)
    *told, rest = error.splitlines()
    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4", "5"]
    assert "7 more" in rest


def test_file_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    escape = {"text": "\x1b[31m" + THAI, "label": "\x1b[31m"}
    _, output, error = language("evaluate", _labelled(tmp_path, escape, {"text": "\x1b[31m" + THAI, "label": "th"}))
    assert "\x1b" not in output + error


def test_any_text_can_be_evaluated(tmp_path: Path) -> None:
    odd = ["", "\x00" * 50, "\ud800 " * 60, "\ufffe" * 60, "😀" * 100, "ก" * 30_000, "a\n" * 5_000]
    labelled = _labelled(tmp_path, *({"text": text, "label": "und"} for text in odd))
    assert _figures(language("evaluate", labelled, "--json"))["classic"]["pages"] == len(odd)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no labelled example (it is empty)"),
        ("\n\n", "has no labelled example (it is empty)"),
        ("one,two\n", "has no labelled example (line 1: is not JSON)"),
        ('\n{"text": "a", "label": "thaiish"}', "line 2: label 'thaiish' is no language"),
    ],
)
def test_file_without_examples_is_told_in_one_line(content: str, said: str, tmp_path: Path) -> None:
    code, output, error = language("evaluate", _labelled(tmp_path, content))
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.jsonl"], "missing.jsonl cannot be read: No such file or directory"),
        (["."], "cannot be read: Is a directory"),
        (["missing.jsonl", "--language", "thaiish"], "'thaiish' is no language that Exonym knows. Did you mean Thai"),
        ([], "exonym --help"),
    ],
)
def test_wrong_use_of_evaluate_is_told_in_one_line(arguments: list[str], said: str) -> None:
    code, output, error = language("evaluate", *arguments)
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1


def test_installed_command_evaluates(tmp_path: Path) -> None:
    ran = run("model", "language", "evaluate", _mixed(tmp_path), "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["default"]["pages"] == 6


# Training


def _texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, tongue in (("th", "th"), ("en", "en"), ("zh-Hant", "tw")):
        (folder / f"{name}.txt").write_text(" ".join(sentences(tongue)), "utf-8")
    return folder


def test_profiles_are_trained_from_a_folder(tmp_path: Path) -> None:
    output = tmp_path / "profiles.json"
    code, said, error = language("train", _texts(tmp_path), "-o", output)
    assert (code, error) == (0, "")
    assert f"Wrote {output}: 3 profiles" in said
    found = load_profiles(output)
    assert [profile.tag for profile in found.profiles] == ["en", "th", "zh-Hant"]
    assert found.sources == ("en.txt", "th.txt", "zh-Hant.txt")


def test_training_tells_scripts_what_it_read(tmp_path: Path) -> None:
    output, thai = tmp_path / "profiles.json", tmp_path / "tha.txt"
    thai.write_text("กขค " * 500, "utf-8")
    found = _figures(language("train", thai, "--output", output, "--json"))
    assert found == {"profiles": str(output), "bytes": output.stat().st_size, "letters": {"th": 1_500}}


def test_same_texts_give_the_same_profiles(tmp_path: Path) -> None:
    folder = _texts(tmp_path)
    files = sorted(folder.iterdir())
    language("train", folder, "-o", tmp_path / "one.json")
    language("train", *reversed(files), "-o", tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_little_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "th.txt").write_text("กขค " * 500, "utf-8")
    code, said, _ = language("train", tmp_path / "th.txt", "-o", tmp_path / "profiles.json")
    assert code == 0
    assert "Too little text for th" in said


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("th.txt", b"short", "th: 5 letters are too few to train from"),
        ("th.txt", "ไทย".encode("cp874"), "is not UTF-8 text"),
        ("thaiish.txt", b"a", "'thaiish' is no language that Exonym knows"),
        ("", b"", "has no text file in it"),
    ],
)
def test_text_that_cannot_be_trained_from_is_told_in_one_line(
    name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    source = tmp_path / "texts" / name
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(content) if name else source.mkdir(exist_ok=True)
    code, output, error = language("train", source, "-o", tmp_path / "profiles.json")
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "profiles.json").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "train takes either text files, as th.txt, or --from-packages"),
        (["th.txt", "--from-packages"], "either text files"),
        (["missing/th.txt"], "missing/th.txt cannot be read: No such file"),
    ],
)
def test_wrong_use_of_train_is_told_in_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    code, output, error = language("train", *arguments, "-o", tmp_path / "profiles.json")
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1


def test_profiles_that_cannot_be_written_are_told_in_one_line(tmp_path: Path) -> None:
    code, output, error = language("train", _texts(tmp_path), "-o", tmp_path / "missing" / "profiles.json")
    assert (code, output) == (2, "")
    assert len(error.splitlines()) == 1
