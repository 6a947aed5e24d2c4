"""Every example runs, prints something, and is short."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_is_under_sixty_lines(example: Path) -> None:
    ran = subprocess.run([sys.executable, "-W", "error", str(example)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()
    assert len(example.read_text(encoding="utf-8").splitlines()) < 60


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
