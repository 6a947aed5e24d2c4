"""Dashboards for tests: one asked in this process, and one that `exonym serve` runs, as users have it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from commands import EXONYM
from starlette.testclient import TestClient

from exonym.dashboard.access import LOOPBACK_NAMES, AccessRules
from exonym.dashboard.dashboard_app import dashboard
from exonym.dashboard.served_crawls import ServedCrawls

TOKEN = "a-token-for-tests"


@contextmanager
def asked_dashboard(path: Path, needs_token: bool = False) -> Iterator[TestClient]:
    """A client without a token; answers that are defects of ours (500) raise."""
    rules = AccessRules(TOKEN, LOOPBACK_NAMES, needs_token)
    with TestClient(dashboard(ServedCrawls(path), rules), "http://127.0.0.1", follow_redirects=False) as client:
        yield client


def with_token(client: TestClient) -> TestClient:
    """The same client, which now sends the token."""
    client.headers["authorization"] = f"Bearer {TOKEN}"
    return client


class RunningDashboard(NamedTuple):
    """A dashboard in a process of its own."""

    address: str  # with the token
    process: "subprocess.Popen[str]"

    def page(self, path: str) -> str:
        """The address of a page, without the token."""
        parts = urlsplit(self.address)
        return f"{parts.scheme}://{parts.netloc}{quote(path, safe='/?&=%#-')}"


@contextmanager
def running_dashboard(path: Path) -> Iterator[RunningDashboard]:
    """`exonym serve` on a port that the system chooses."""
    command = [EXONYM, "serve", str(path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            assert line.startswith("Dashboard: http://127.0.0.1:"), line or process.stderr.read()  # type: ignore[union-attr]
            yield RunningDashboard(line.removeprefix("Dashboard: ").strip(), process)
        finally:
            process.terminate()
