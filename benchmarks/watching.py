"""Runs a command on one core and watches what its processes use (Linux: /proc)."""

import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

SAMPLE_SECONDS = 0.1
LONGEST_RUN_SECONDS = 900.0
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def cores() -> tuple[int, int]:
    """A core for the crawlers and another for the server; the same one, if the machine has no other."""
    available = sorted(os.sched_getaffinity(0))
    if len(available) < 2:
        print("One core for the crawler and the server: figures are too low.", file=sys.stderr)
    return available[0], available[-1]


def tree(root: int) -> list[int]:
    """A process and all its descendants."""
    found, at = [root], 0
    while at < len(found):
        try:
            for children in Path(f"/proc/{found[at]}/task").glob("*/children"):
                found += [int(child) for child in children.read_text().split()]
        except OSError:  # gone meanwhile
            pass
        at += 1
    return found


def resident_bytes(process: int) -> int:
    """What a process has in memory; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError):
        return 0


def cpu_seconds_of(process: int) -> float:
    """CPU time of a running process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def own_bytes(process: int) -> int:
    """The memory of a process, with its part of what it shares with others (PSS)."""
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:  # gone meanwhile
        pass
    return 0


def open_files(process: int) -> list[str]:
    """What the file descriptors of a process lead to."""
    found = []
    for path in Path(f"/proc/{process}/fd").glob("*"):
        try:
            found.append(os.readlink(path))
        except OSError:  # closed meanwhile
            continue
    return found


def watched(command: list[str], core: int, output: Path) -> tuple[float, float, int]:
    """Run a command on one core: wall seconds, CPU seconds of all its processes, peak memory."""
    started = time.monotonic()
    with output.open("wb") as file:
        child = subprocess.Popen(command, stdout=file, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    try:
        usage, peak = _until_end(child, started + LONGEST_RUN_SECONDS)
    finally:
        if child.returncode is None:  # we were interrupted
            child.terminate()
            child.wait()
    if child.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} ended with {child.returncode}: {output.read_text()[-2_000:]}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime, peak


def _until_end(child: "subprocess.Popen[bytes]", deadline: float) -> tuple[resource.struct_rusage, int]:
    """Wait and look; not by Popen.wait: only wait4 tells what a process and those it waited for have used."""
    peak = 0
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage, peak
        if time.monotonic() > deadline:
            child.terminate()
        peak = max(peak, sum(map(resident_bytes, tree(child.pid))))
        time.sleep(SAMPLE_SECONDS)


class Processes:
    """The processes of a crawl: what each is, and what it used."""

    def __init__(self, root: int, is_cluster: bool) -> None:
        self._root = root
        self._is_cluster = is_cluster
        self._spent: dict[int, float] = {}
        self._roles: dict[int, str] = {}
        self.families: dict[int, list[int]] = {}  # workers that run, each with its readers

    def look(self) -> None:
        """Look at all processes that run now."""
        self.families = {}
        for process in tree(self._root):
            try:
                self._spent[process] = cpu_seconds_of(process)
                role = self._roles[process] = self._role(process) or self._roles.get(process, "other")
            except (OSError, IndexError):  # gone meanwhile
                continue
            if role in ("crawl", "worker"):
                self.families[process] = tree(process)

    def _role(self, process: int) -> str:
        command = Path(f"/proc/{process}/cmdline").read_bytes()
        if not command:  # it has ended
            return ""
        if process == self._root:
            return "coordinator" if self._is_cluster else "crawl"
        if b"exonym.readers.reader_process" in command:
            return "reader"
        if b"WorkerActor" in command:
            return "worker"
        return Path(f"/proc/{process}/comm").read_text().strip().split(":")[0]

    def spent(self) -> dict[str, float]:
        """CPU seconds by role, of all processes seen so far."""
        spent: dict[str, float] = defaultdict(float)
        for process, seconds in self._spent.items():
            spent[self._roles[process]] += seconds
        return spent
