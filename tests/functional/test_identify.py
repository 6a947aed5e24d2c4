"""`exonym identify language` as users run it: files, standard input and web addresses."""

import json
import subprocess
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from commands import EXONYM, run_here
from quiet_server import served

THAI = "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีสถานที่ท่องเที่ยวมากมายในทุกจังหวัด"
TRADITIONAL = "台灣的首都是台北。今天的新聞和天氣預報。許多遊客來到這裡參觀歷史悠久的城市和美麗的風景。"
ENGLISH = "The weather will be fine tomorrow, and the old bridge over the river opens again for all who walk."
KEYS = {"language", "shares", "charset", "confidence", "evidence"}


identify = partial(run_here, "identify")


def _pages(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def _page(tmp_path: Path, text: str, encoder: str, label: str = "", name: str = "page.html") -> Path:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={label}">' if label else ""
    path = tmp_path / name
    path.write_bytes(f"<html><head>{meta}<title></title></head><body><p>{text}</p></body></html>".encode(encoder))
    return path


def test_thai_page_is_told_with_its_shares_charset_and_evidence(tmp_path: Path) -> None:
    code, output, _ = identify(_page(tmp_path, THAI, "tis-620", "tis-620"))
    assert code == 0
    assert "Thai (th)" in output
    assert "Thai 100 %" in output
    assert "windows-874, by its <meta>" in output
    assert "Thai script" in output


def test_json_has_the_names_that_scripts_rely_on(tmp_path: Path) -> None:
    code, output, _ = identify("--json", _page(tmp_path, THAI, "utf-8"))
    (page,) = _pages(output)
    assert code == 0
    assert set(page) >= KEYS
    assert (page["language"], page["charset"], page["charset_label"]) == ("th", "utf-8", "")
    assert page["shares"]["th"] > 0.9
    assert 0.5 < page["confidence"] <= 1.0
    assert all(isinstance(phrase, str) for phrase in page["evidence"])


def test_wrong_label_is_named_as_wrong(tmp_path: Path) -> None:
    page = _page(tmp_path, THAI, "tis-620", "iso-8859-1")
    assert "its label, windows-1252, is wrong" in identify(page)[1]
    (facts,) = _pages(identify("--json", page)[1])
    assert (facts["charset"], facts["charset_evidence"]) == ("windows-874", "detected")
    assert facts["charset_label"] == "windows-1252"


def test_english_page_labelled_thai_is_english(tmp_path: Path) -> None:
    (page,) = _pages(identify("--json", _page(tmp_path, ENGLISH * 3, "ascii", "tis-620"))[1])
    assert page["language"] == "en"


def test_several_files_are_told_one_after_the_other(tmp_path: Path) -> None:
    files = [_page(tmp_path, THAI, "utf-8", name="a.html"), _page(tmp_path, ENGLISH * 3, "utf-8", name="b.html")]
    pages = _pages(identify("--json", *files)[1])
    assert [page["language"] for page in pages] == ["th", "en"]
    assert [page["source"] for page in pages] == list(map(str, files))


def test_plain_text_needs_no_tags(tmp_path: Path) -> None:
    (tmp_path / "news.txt").write_bytes(TRADITIONAL.encode("big5"))
    code, output, _ = identify(tmp_path / "news.txt")
    assert code == 0
    assert "zh-Hant" in output
    assert "big5, detected from its bytes" in output


def test_text_of_digits_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "numbers.txt").write_text("1 2 3 4 5\n" * 50)
    assert _pages(identify("--json", tmp_path / "numbers.txt")[1])[0]["language"] == "unknown"
    assert "unknown" in identify(tmp_path / "numbers.txt")[1]


def test_charset_of_a_header_can_be_given_for_a_file(tmp_path: Path) -> None:
    (page,) = _pages(identify("--json", "--charset", "TIS-620", _page(tmp_path, THAI, "tis-620"))[1])
    assert (page["charset"], page["charset_evidence"]) == ("windows-874", "http")


def test_classic_identifier_can_be_asked(tmp_path: Path) -> None:
    code, output, _ = identify("--classic", "--json", _page(tmp_path, THAI * 5, "tis-620", "tis-620"))
    assert code == 0
    assert _pages(output)[0]["language"] == "th"


def test_page_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "\x1b[31mred.html").write_bytes(b"<html lang='\x1b[31m'><title>\x1b]0;x\x07</title>" + THAI.encode())
    assert "\x1b" not in identify(tmp_path / "\x1b[31mred.html")[1]


def test_standard_input_is_read() -> None:
    command = [EXONYM, "identify", "-", "--json"]
    ran = subprocess.run(command, input=f"<p>{THAI}".encode("cp874"), capture_output=True, check=True)
    assert json.loads(ran.stdout)["language"] == "th"


def test_empty_file_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "empty.html").touch()
    assert _pages(identify("--json", tmp_path / "empty.html")[1])[0]["language"] == "unknown"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.html"], "missing.html cannot be read: No such file"),
        (["."], "cannot be read: Is a directory"),
        (["a\0b"], "cannot be read"),
        (["http://"], "is not a URL"),
        (["http://127.0.0.1:9/"], "--allow-private"),
        (["http://[::1]:9/"], "--allow-private"),
        (["http://a.invalid/"], "dns: no such host"),
        (["--charset", "klingon", "."], "must be a charset"),
        ([], "exonym --help"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(arguments: list[str], said: str) -> None:
    code, output, error = identify(*arguments)
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1


class _Server(BaseHTTPRequestHandler):
    """A few pages, and a few ways not to have one."""

    seen: list[str] = []  # noqa: RUF012  user agents

    def do_GET(self) -> None:
        self.seen.append(self.headers.get("User-Agent", ""))
        status, kind, location = {
            "/thai": (200, "text/html; charset=tis-620", ""),
            "/moved": (302, "", "/thai"),
            "/round": (302, "", "/round"),
            "/astray": (302, "", "mailto:a@b.example"),
            "/picture": (200, "image/png", ""),
        }.get(self.path, (404, "text/html", ""))
        body = f"<p>{THAI}".encode("cp874") if status == 200 else b""
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Location", location), ("Content-Length", str(len(body)))):
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Nothing: tests are quiet."""


@pytest.fixture
def address() -> Iterator[str]:
    with served(_Server) as address:
        yield f"http://{address}"


@pytest.mark.parametrize("path", ["/thai", "/moved"])
def test_page_of_a_server_is_fetched(path: str, address: str) -> None:
    code, output, error = identify("--json", "--allow-private", address + path)
    assert code == 0, error
    (page,) = _pages(output)
    assert (page["language"], page["charset"], page["charset_evidence"]) == ("th", "windows-874", "http")
    assert _Server.seen[-1].startswith("Exonym/")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/none", "answers 404"),
        ("/round", "redirects more than 5 times"),
        ("/picture", "is image/png, not a page"),
        ("/astray", "is not http or https"),
    ],
)
def test_page_that_a_server_does_not_give_is_told_in_one_line(path: str, said: str, address: str) -> None:
    code, output, error = identify("--allow-private", address + path)
    assert (code, output) == (2, "")
    assert said in error
    assert len(error.splitlines()) == 1


def test_private_address_is_not_asked_unless_allowed(address: str) -> None:
    asked = len(_Server.seen)
    assert identify(address + "/thai")[0] == 2
    assert len(_Server.seen) == asked
