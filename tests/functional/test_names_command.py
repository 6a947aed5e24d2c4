"""`exonym identify names` as users run it: on a terminal, interrupted, and with whatever comes in."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commands import EXONYM, run_here

Show = Callable[..., str]
OWN = '[names]\nisland = ["Koh Samui", "Krabi", "เชียงใหม่"]\n'
LONGEST = 16 * 1024 * 1024  # as much as of a page in a crawl


@pytest.fixture
def nation(tmp_path: Path) -> Path:
    path = tmp_path / "XX.toml"
    path.write_text(f'code = "XX"\nname = "Nowhere"\n{OWN}', encoding="utf-8")
    return path


@pytest.fixture
def show(nation: Path, tmp_path: Path) -> Show:
    """What the command prints of a file with these bytes; it must have nothing to complain about."""

    def show(given: bytes, *arguments: str) -> str:
        (tmp_path / "given").write_bytes(given)
        said = run_here("identify", "names", tmp_path / "given", "--nation", nation, *arguments)
        assert (said.code, said.err) == (0, "")
        return said.out

    return show


def run(given: bytes, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [EXONYM, "identify", "names", "-", *map(str, arguments)],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )


def on_a_terminal(given: bytes, *arguments: object) -> str:
    """What a terminal of 80 columns that knows colours is sent."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [EXONYM, "identify", "names", "-", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env=environment | {"TERM": "xterm-256color", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    ) as process:
        os.close(theirs)
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        sent = b"".join(_read(ours))
        os.close(ours)
        assert process.wait() == 0
    return sent.decode()


def _read(terminal: int) -> Iterator[bytes]:
    with suppress(OSError):  # what Linux says when the other side has closed it
        while chunk := os.read(terminal, 65_536):
            yield chunk


def test_terminal_shows_exact_names_green_and_those_by_sound_yellow(nation: Path) -> None:
    sent = on_a_terminal("From Koh Samui to Grabi, เที่ยวเชียงใหม่สนุก \x1b[35m.".encode(), "--nation", nation)
    assert "From \x1b[1;32mKoh Samui\x1b[0m to \x1b[1;33mGrabi ≈ Krabi\x1b[0m" in sent
    assert "เที่ยว\x1b[1;32mเชียงใหม่\x1b[0mสนุก" in sent
    assert "\x1b[35m" not in sent  # nothing of the text's own
    assert "[Koh" not in sent


def test_terminal_without_colours_is_respected(nation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    found = run(b"To Koh Samui.", "--nation", nation)
    assert b"To [Koh Samui]." in found.stdout
    assert b"\x1b" not in found.stdout


def test_interrupt_while_waiting_for_input_ends_quietly(nation: Path) -> None:
    with subprocess.Popen(
        [EXONYM, "identify", "names", "-", "--nation", nation],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        # More than a pipe holds: when all is written, the command is reading.
        process.stdin.write(b"Koh Samui " * 50_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.stdin = None
        output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, b"", b"")


@pytest.mark.parametrize("given", [b"", b" \n\t", b"\xef\xbb\xbf", "…!?".encode()])
def test_text_without_words_has_no_names(show: Show, given: bytes) -> None:
    told = json.loads(show(given, "--json"))
    assert (told["words"], told["words_in_names"], told["share"], told["names"]) == (0, 0, 0.0, [])


def test_empty_input_has_no_names(nation: Path) -> None:
    found = run(b"", "--nation", nation)
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"0 exact, 0 by sound" in found.stdout


@pytest.mark.parametrize(
    "given",
    [
        bytes(range(256)) * 40,
        b"\0" * 5_000,
        b"\xff\xfe\x00\xd8" * 1_000,  # halves of characters
        b"%PDF-1.7\n" + bytes(255 - number % 251 for number in range(9_000)),
        b"<html><" * 3_000,
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"], ["--matcher", "classic"]])
def test_junk_is_read_without_a_word(show: Show, given: bytes, form: list[str]) -> None:
    assert "\x1b" not in show(given, *form)


def test_huge_input_is_read_as_far_as_pages_are(nation: Path) -> None:
    line = b"That is where the road ends, and there is nothing else to see.\n"
    lines = (LONGEST - 12) // len(line)
    begin = b"Koh Samui.\n" + line * lines
    given = begin + b" " * (LONGEST - len(begin) - 6) + b"Krabi " + b"Krabi\n" * 1_000_000
    found = run(given, "--nation", nation, "--json", "--matcher", "exact")
    assert (found.returncode, found.stderr) == (0, b"")
    told = json.loads(found.stdout)
    assert [(name["text"], name["start"]) for name in told["names"]] == [("Koh Samui", 0), ("Krabi", LONGEST - 6)]
    # A line's road, ends, nothing, else and see are no stop words.
    assert told["words"] == 2 + 5 * lines + 1


def test_long_run_without_blanks_is_read(nation: Path) -> None:
    found = run("กเชียงใหม่ข".encode() * 20_000, "--nation", nation, "--json")
    assert found.returncode == 0, found.stderr
    assert len(json.loads(found.stdout)["names"]) == 20_000


@pytest.mark.parametrize(
    ("text", "is_about"),
    [("By train from Bangkok to Chiang Mai, and then by bus.", True), ("Python is a Market. Visit Life.", False)],
)
def test_text_is_judged_as_a_crawl_would_judge_it(text: str, is_about: bool) -> None:
    found = run(text.encode(), "--nation", "TH", "--json")
    assert json.loads(found.stdout)["about"]["relevant"] == is_about
