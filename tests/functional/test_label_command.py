"""`exonym label` and `exonym audit` as people run them: on a terminal, through a pipe, interrupted, killed."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, Said, run, run_here

from exonym.batches import Outcome
from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.labelling.order import candidates_of
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.store import Store
from exonym.testing.live import crawl_practice_web, rows_of
from exonym.training.labels import read_labels

URL = re.compile(r"^https?://\S+", re.MULTILINE)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of a practice web."""
    directory = tmp_path_factory.mktemp("crawl") / "demo"
    options = PracticeOptions(retry_after_seconds=0, crawl_delay_seconds=0.0, slow_seconds=0.0)
    crawl_practice_web(directory, PracticeWeb(seed=3, pages=200, options=options), {"limits": {"pages": 120}})
    return directory


def piped(answers: str, *arguments: object, code: int = 0) -> Said:
    """What the command prints, in this process, with its answers on standard input."""
    said = run_here(*arguments, given=answers)
    assert said.code == code, said
    return said


def test_answers_may_come_through_a_real_pipe(crawl: Path, tmp_path: Path) -> None:
    result = run("label", crawl, "-o", tmp_path / "labels.jsonl", given="y\nn\n")
    assert (result.returncode, result.stderr) == (0, "")
    assert [label.positive for label in read_labels(tmp_path / "labels.jsonl")] == [True, False]


class Terminal:
    """A process on a terminal of its own: what it shows, and keys pressed when it has shown something."""

    def __init__(self, *arguments: object, lines: int = 24) -> None:
        self.ours, self.theirs = pty.openpty()
        termios.tcsetwinsize(self.theirs, (lines, 80))
        self.before = termios.tcgetattr(self.theirs)
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [EXONYM, *map(str, arguments)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment | {"TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)),  # so that Ctrl-C is a signal
        )
        self.shown = ""

    def wait_for(self, text: str) -> str:
        """All that was shown since the last time, up to `text`."""
        while text not in self.shown:
            ready, _, _ = select.select([self.ours], [], [], 30)
            assert ready, f"waited in vain for {text!r} after {self.shown!r}"
            self.shown += os.read(self.ours, 65_536).decode("utf-8", "replace")
        before, _, self.shown = self.shown.partition(text)
        return before

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        """The exit code; the terminal must be as it was."""
        while self.process.poll() is None:
            if select.select([self.ours], [], [], 0.05)[0]:
                self.shown += os.read(self.ours, 65_536).decode("utf-8", "replace")
        code = self.process.wait()
        assert termios.tcgetattr(self.theirs) == self.before
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@contextmanager
def on_a_terminal(*arguments: object, lines: int = 24) -> Iterator[Terminal]:
    terminal = Terminal(*arguments, lines=lines)
    try:
        yield terminal
    finally:
        terminal.close()


def test_answers_through_a_pipe_are_kept_with_the_pages_words(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    result = piped("y\nn\nyes\nskip\nn\n", "label", crawl, "-o", path, "--by", "Librarian")
    labels = read_labels(path)
    assert [label.positive for label in labels] == [True, False, True, False]
    assert "4 labelled: 2 yes, 2 no. Kept in" in result.out
    rows = {row.url: row for row in rows_of(crawl)}
    for label in labels:
        assert label.text
        assert (label.title, label.language) == (rows[label.url].title, rows[label.url].language)
        assert (label.labelled_by, label.source) == ("Librarian", str(crawl))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", label.when)


def test_screen_has_title_address_language_and_evidence(crawl: Path, tmp_path: Path) -> None:
    result = piped("q\n", "label", crawl, "-o", tmp_path / "labels.jsonl", "--language", "Thai")
    row = next(row for row in rows_of(crawl) if row.url == URL.findall(result.out)[0])
    assert row.title in result.out
    assert "Thai (th)" in result.out
    assert "The crawl: " in result.out
    assert row.why.split(":")[0] in result.out
    assert not (tmp_path / "labels.jsonl").exists()


def test_running_again_goes_on_with_other_pages(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    for _ in range(4):
        piped("y\nn\nn\n", "label", crawl, "-o", path)
    assert len(read_labels(path)) == 12
    result = piped("q\n", "label", crawl, "-o", path)
    assert "12 labelled: 4 yes, 8 no" in result.out
    assert len(path.read_text(encoding="utf-8").splitlines()) == 12  # no page was asked for twice


def test_pages_of_one_site_do_not_come_in_a_row(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    piped("y\n" * 12, "label", crawl, "-o", path)
    sites = [label.example().site for label in read_labels(path)]
    assert all(first != second for first, second in pairwise(sites))


def test_undo_takes_back_several_answers(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    result = piped("y\ny\ny\nu\nu\nn\nu\nu\nu\n?\nq\n", "label", crawl, "-o", path)
    assert read_labels(path) == []
    assert "Nothing to undo." in result.out
    assert "Press y, n, s, u, m or q." in result.out


def test_last_answer_can_be_taken_back_when_no_page_is_left(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    piped("y\ny\nu\nn\n", "audit", crawl, "-n", 2, "-o", path)
    assert [label.positive for label in read_labels(path)] == [True, False]


def test_random_order_depends_on_the_seed_alone(crawl: Path, tmp_path: Path) -> None:
    def first(seed: int) -> list[str]:
        result = piped(
            "s\ns\ns\nq\n", "label", crawl, "-o", tmp_path / "l.jsonl", "--order", "random", "--random-seed", seed
        )
        return URL.findall(result.out)

    assert first(1) == first(1)
    assert first(1) != first(2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--order", "best"], "--order must be informative or random"),
        (["--language", "th", "--language", "klingonese"], "is no language"),
        (["--language", "is"], "has no pages in is yet"),
        (["-o", "nowhere/labels.jsonl"], "nowhere is not a directory"),
        (["--order", "random", "--model", "m"], "uses no model"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], said: str, crawl: Path) -> None:
    result = piped("", "label", crawl, *arguments, code=2)
    assert said in result.err
    assert len(result.err.splitlines()) == 1


def test_directory_without_a_crawl_is_told(tmp_path: Path) -> None:
    assert "has no crawl in it" in piped("", "label", tmp_path, code=2).err
    assert "has no crawl in it" in piped("", "audit", tmp_path, code=2).err


def test_single_keys_are_enough_on_a_terminal(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    with on_a_terminal("label", crawl, "-o", path) as terminal:
        terminal.wait_for("[q]uit")
        terminal.press("y")
        terminal.wait_for("1 labelled: 1 yes, 0 no")
        assert len(read_labels(path)) == 1  # on the disk before the next page is shown
        terminal.press("\x1b[A")  # an arrow key
        terminal.wait_for("Press y, n, s, u, m or q.")
        terminal.press("ns")  # typed ahead
        terminal.wait_for("2 labelled: 1 yes, 1 no")
        terminal.wait_for("2 labelled: 1 yes, 1 no")
        terminal.press("u")
        terminal.press("u")
        terminal.wait_for("1 labelled: 1 yes, 0 no")
        terminal.press("q")
        terminal.wait_for("Kept in")
        assert terminal.end() == 0
    assert [label.positive for label in read_labels(path)] == [True]


def test_more_shows_the_text_that_a_small_terminal_has_no_room_for(crawl: Path, tmp_path: Path) -> None:
    with on_a_terminal("label", crawl, "-o", tmp_path / "labels.jsonl", "--language", "en", lines=12) as terminal:
        first = terminal.wait_for("[q]uit")
        assert "more lines: m" in first
        assert first.count("\n") <= 12
        terminal.press("m")
        second = terminal.wait_for("[q]uit")
        assert URL.findall(second.replace("\r", "")) == URL.findall(first.replace("\r", ""))
        assert second != first
        terminal.press("\x04")  # Ctrl-D
        assert terminal.end() == 0


@pytest.mark.parametrize(("how", "code"), [("Ctrl-C", 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_interrupted_it_gives_back_the_terminal_and_keeps_the_answers(
    how: str | signal.Signals, code: int, crawl: Path, tmp_path: Path
) -> None:
    path = tmp_path / "labels.jsonl"
    with on_a_terminal("label", crawl, "-o", path) as terminal:
        terminal.wait_for("[q]uit")
        assert termios.tcgetattr(terminal.theirs) != terminal.before
        terminal.press("yn")
        terminal.wait_for("2 labelled")
        if isinstance(how, signal.Signals):
            terminal.process.send_signal(how)
        else:
            terminal.press("\x03")
        terminal.wait_for("2 labelled: 1 yes, 1 no. Kept in")
        assert terminal.end() == code
        assert "Traceback" not in terminal.shown
    assert len(read_labels(path)) == 2


def test_killed_it_has_kept_every_answer_given(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    for count in range(1, 4):
        with on_a_terminal("label", crawl, "-o", path) as terminal:
            terminal.wait_for("[q]uit")
            terminal.press("y")
            terminal.wait_for(f"{count} labelled")
            terminal.process.send_signal(signal.SIGKILL)
            terminal.process.wait()
        assert len(read_labels(path)) == count


def test_labels_cut_short_are_told_and_mended(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    piped("y\ny\n", "label", crawl, "-o", path)
    os.truncate(path, path.stat().st_size - 10)
    result = piped("n\n", "label", crawl, "-o", path)
    assert "line 2 was cut short and is skipped" in result.err
    assert [label.positive for label in read_labels(path)] == [True, False]


def test_words_of_pages_are_read_also_through_copies_and_never_raise(crawl: Path, tmp_path: Path) -> None:
    pages = CrawlPages(crawl)
    journal = rows_of(crawl)
    of_digest: dict[str, list[int]] = {}
    for row in journal:
        if row.outcome == Outcome.PAGE:
            of_digest.setdefault(row.digest, []).append(row.row)
    copies = [rows for rows in of_digest.values() if len(rows) > 1]
    for first, *others in copies:
        for other in others:
            assert pages.words(other).fields.body == pages.words(first).fields.body
    shown = {candidate.row for candidate in candidates_of(pages)}
    assert all(len(shown & set(rows)) == 1 for rows in of_digest.values())
    damaged = tmp_path / "damaged"
    shutil.copytree(crawl, damaged)
    for warc in (damaged / "warc").iterdir():
        warc.write_bytes(warc.read_bytes()[:5_000])
    assert {bool(CrawlPages(damaged).words(row).problem) for row in pages.pages.tolist()} == {True, False}


def test_crawl_that_runs_is_not_disturbed(crawl: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(crawl, copy)
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file() and path.name != "lock.mdb"}
    command = [EXONYM, "label", str(copy), "-o", str(tmp_path / "labels.jsonl")]
    with Store.open(copy / "state"):  # as a running crawl has it
        result = subprocess.run(command, input=b"y\n", capture_output=True, check=False)
    assert b"1 labelled" in result.stdout
    kept = {path: content for path, content in before.items() if path.name not in ("lock", "fence")}  # of the writer
    assert {path: path.read_bytes() for path in kept} == kept


def audited(answer: str, crawl: Path, path: Path, *arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        piped(answer, "audit", crawl, "-o", path, "--json", *arguments).out.splitlines()[-1]
    )
    return found


def test_audit_by_somebody_who_agrees_gives_the_harvest_rate_that_was_counted(crawl: Path, tmp_path: Path) -> None:
    path, rows = tmp_path / "audit.jsonl", rows_of(crawl)
    fetched = [row for row in rows if row.outcome in (Outcome.PAGE, Outcome.FAILED)]
    counted = sum(row.relevant for row in fetched) / len(fetched)
    audited("", crawl, path, "-n", 40)
    sample = json.loads(path.read_text(encoding="utf-8").splitlines()[0])["audit"]["sample"]
    answers = "".join("y\n" if rows[row].relevant else "n\n" for row in sample)
    found = audited(answers, crawl, path)
    assert found["counted_harvest_rate"] == pytest.approx(counted)
    assert found["harvest_rate"]["share"] == pytest.approx(counted)
    assert found["harvest_rate"]["low"] <= counted <= found["harvest_rate"]["high"]
    for name in ("precision", "recall", "agreement"):
        assert found[name]["share"] == 1.0
        assert found[name]["low"] <= 1.0
    assert found["missed"]["share"] == 0.0
    assert (found["labelled"], found["sample"], found["pages"]) == (40, 40, len(fetched))
    assert "do not contradict" in found["meaning"]


def test_audit_shows_nothing_of_what_the_crawl_thought(crawl: Path, tmp_path: Path) -> None:
    result = piped("s\n" * 20, "audit", crawl, "-n", 20, "-o", tmp_path / "audit.jsonl")
    assert "The crawl: " not in result.out
    assert "of letters" not in result.out


def test_half_done_audit_goes_on_with_the_same_sample(crawl: Path, tmp_path: Path) -> None:
    path, other = tmp_path / "audit.jsonl", tmp_path / "other.jsonl"
    for _ in range(3):
        audited("y\nn\n", crawl, path, "-n", 6, "--random-seed", 5)
    audited("y\nn\n" * 3, crawl, other, "-n", 6, "--random-seed", 5)
    assert [label.url for label in read_labels(path)] == [label.url for label in read_labels(other)]
    assert [label.positive for label in read_labels(path)] == [label.positive for label in read_labels(other)]
    finished = piped("", "audit", crawl, "--labels", path).out
    assert "6: 3 yes, 3 no" in finished
    assert "true harvest rate" in finished


def test_audit_of_all_alike_and_of_one_kind(crawl: Path, tmp_path: Path) -> None:
    assert audited("y\n" * 10, crawl, tmp_path / "a", "-n", 10, "--of", "all")["harvest_rate"]["share"] > 0.5
    precise = audited("y\n" * 10, crawl, tmp_path / "b", "-n", 10, "--of", "relevant")
    assert (precise["precision"]["share"], precise["harvest_rate"]) == (1.0, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-n", "7"], "drawn with -n 6, not 7"),
        (["--random-seed", "6"], "drawn with --random-seed 5, not 6"),
        (["--of", "all"], "drawn with --of both, not all"),
    ],
)
def test_another_sample_is_not_mixed_into_an_audit(
    arguments: list[str], said: str, crawl: Path, tmp_path: Path
) -> None:
    path = tmp_path / "audit.jsonl"
    audited("y\n", crawl, path, "-n", 6, "--random-seed", 5)
    before = path.read_bytes()
    assert said in piped("y\n", "audit", crawl, "-o", path, *arguments, code=2).err
    assert path.read_bytes() == before


def test_labels_that_are_no_random_sample_give_no_harvest_rate(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    piped("y\nn\n", "label", crawl, "-o", path)
    assert "a harvest rate needs a random one" in piped("", "audit", crawl, "--labels", path, code=2).err
    missing = piped("", "audit", crawl, "--labels", tmp_path / "none.jsonl", code=2)
    assert "Begin an audit" in missing.err


def test_labels_of_an_audit_have_their_sample_already(crawl: Path, tmp_path: Path) -> None:
    said = piped("", "audit", crawl, "--labels", tmp_path / "a.jsonl", "-n", 7, code=2).err
    assert "leave out -n" in said


def test_when_every_page_is_labelled_there_is_nothing_to_ask(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    piped("y\nn\n" * 100, "label", crawl, "-o", path)
    before = path.read_bytes()
    piped("y\n", "label", crawl, "-o", path)
    assert path.read_bytes() == before
    labelled = {label.url for label in read_labels(path)}
    pages = CrawlPages(crawl)
    readable = [page.row for page in candidates_of(pages) if not pages.words(page.row).problem]
    assert labelled == set(pages.urls(readable))


def test_audit_of_another_crawl_is_told(crawl: Path, tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audited("y\n", crawl, path, "-n", 6)
    header, *rest = path.read_text(encoding="utf-8").splitlines()
    values = json.loads(header)
    values["audit"]["relevant"] += 1
    path.write_text("\n".join([json.dumps(values), *rest]) + "\n", encoding="utf-8")
    assert "audit of another crawl" in piped("", "audit", crawl, "--labels", path, code=2).err
