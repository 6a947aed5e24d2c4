"""Machines have names that tell them apart: partitions move at once only within a machine."""

import os
from pathlib import Path

from exonym.system.processes import machine_name


def test_machines_of_one_name_are_told_apart(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\n")
    second.write_text("1f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\n")
    name = os.uname().nodename
    assert [machine_name(first), machine_name(second)] == [f"{name} 0f1e2d3c", f"{name} 1f1e2d3c"]
    assert machine_name(tmp_path / "none") == name
    assert machine_name() == machine_name()
