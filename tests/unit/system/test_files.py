"""Files read in one place, whose errors name file, reason and remedy; and files replaced whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from exonym.errors import ConfigError, DirectoryError
from exonym.system.files import read_text, replacing


def test_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("\ufeffไทย\r\n".encode())
    assert read_text(tmp_path / "a.txt", "a text file") == "ไทย\n"


def test_error_says_which_file_why_and_what_to_name(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError) as error:
        read_text(tmp_path / "absent", "a text file")
    assert str(error.value) == f"{tmp_path}/absent cannot be read: No such file or directory. Name a text file."


def test_name_with_a_nul_is_told_like_any_other(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="cannot be read: embedded null byte"):
        read_text(tmp_path / "a\0b", "a text file")


def test_line_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(ConfigError, match=r"a\.txt:2: not UTF-8\. Save the file as UTF-8, or name a text file\."):
        read_text(tmp_path / "a.txt", "a text file")


KILLED = """
import os, pathlib, sys
from exonym.system.files import replacing
with replacing(pathlib.Path(sys.argv[1])) as draft:
    draft.write_text("half of it")
    os.kill(os.getpid(), 9)
"""


def test_draft_that_a_killed_process_left_goes_with_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "a[1].txt"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    with replacing(path) as draft:
        draft.write_text("all of it")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"a[1].txt": "all of it"}


def test_drafts_of_running_processes_and_of_other_files_stay(tmp_path: Path) -> None:
    others = {f".a.txt.{os.getppid()}.draft", ".a.txt.bak.0.draft", ".b.txt.0.draft", ".a.txt.mine.draft"}
    for name in others:
        (tmp_path / name).touch()
    with replacing(tmp_path / "a.txt") as draft:
        draft.touch()
    assert {file.name for file in tmp_path.iterdir()} == {*others, "a.txt"}
