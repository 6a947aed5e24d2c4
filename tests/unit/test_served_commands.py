"""A served command is like one that was started: its words, files, directory, environment, exit code and signals."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from exonym.version import __version__


def run(*command: object, given: str = "", **options: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*map(str, command)], input=given, capture_output=True, text=True, **options)


def test_command_prints_and_fails_as_itself(served: Path) -> None:
    assert run(served / "exonym", "--version").stdout.split()[-1] == __version__
    refused = run(served / "exonym", "status", "nowhere")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1


def test_script_has_its_words_standard_input_directory_and_environment(served: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import os, sys\nprint(sys.argv[1:], input(), os.getcwd(), os.environ['COLOUR'], __file__)")
    environment = os.environ | {"COLOUR": "red"}
    ran = run(served / "python", script, "a b", "$c", given="line\n", cwd=tmp_path, env=environment)
    assert ran.stdout == f"['a b', '$c'] line {tmp_path} red {script}\n", ran.stderr


def test_code_comes_as_a_word_or_from_standard_input(served: Path) -> None:
    assert run(served / "python", "-c", "import sys; print(sys.argv, __name__)", "x").stdout == "['-c', 'x'] __main__\n"
    assert run(served / "python", "-", "x", given="import sys; print(sys.argv)").stdout == "['-', 'x']\n"


def test_failing_code_fails(served: Path) -> None:
    assert run(served / "python", "-c", "import sys; sys.exit(3)").returncode == 3
    left = run(served / "python", "-c", "import sys; sys.exit('because')")
    assert (left.returncode, left.stderr) == (1, "because\n")
    raised = run(served / "python", "-c", "1 / 0")
    assert raised.returncode == 1
    assert "ZeroDivisionError" in raised.stderr


def test_end_by_a_signal_is_told_and_signals_are_passed_on(served: Path) -> None:
    killed = run(served / "python", "-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert killed.returncode == -signal.SIGKILL
    waits = """
import signal
try:
    print("here", flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("stop")
"""
    with subprocess.Popen([served / "python", "-c", waits], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate()[0] == "stop\n"
    assert process.returncode == 0


def test_commands_do_not_see_what_others_did(served: Path) -> None:
    assert run(served / "python", "-c", "import sys; sys.modules['left_behind'] = sys").returncode == 0
    assert run(served / "python", "-c", "import left_behind").returncode == 1
