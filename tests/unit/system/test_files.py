"""Files read in one place: an error names the file, the reason, and what to name instead."""

from pathlib import Path

import pytest

from exonym.errors import ConfigError, DirectoryError
from exonym.system.files import read_text


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
