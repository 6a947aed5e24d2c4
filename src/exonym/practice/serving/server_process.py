"""Runs a practice web in a process of its own, for tests, the demo and benchmarks.

A new interpreter, never a fork: the caller may have threads. The child reads which web to serve from its standard
input, writes its ports to its standard output, and ends when its standard input closes: so it cannot outlive its
parent.
"""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from exonym.errors import ExonymError, ProcessError
from exonym.practice.graph.graph_web import GraphWeb
from exonym.practice.serving.server import CONTROL_HOST, ServingOptions
from exonym.practice.web import PracticeWeb

_SECONDS_TO_END = 10


class PracticeAddress(str):
    """`host:port` of a running practice web (what `[network] connect_to` takes), and its counters."""

    tls_address: str  # "" without TLS

    def stats(self) -> dict[str, Any]:
        """The requests since the start of the server or the last reset (see `counts`)."""
        return self._control("/_stats")

    def reset(self) -> None:
        """Set the counts of the server to zero."""
        self._control("/_reset")

    def _control(self, path: str) -> dict[str, Any]:
        connection = http.client.HTTPConnection(str(self), timeout=30)
        try:
            connection.request("GET", path, headers={"Host": CONTROL_HOST})
            counts: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return counts


@contextmanager
def running_practice_web(
    web: PracticeWeb | GraphWeb, serving: ServingOptions | None = None
) -> Iterator[PracticeAddress]:
    """Serve `web` from another process while the block runs."""
    command = [sys.executable, "-m", "exonym.practice.serving.child"]
    # In a session of its own: Ctrl-C reaches the crawl only, which still waits for responses.
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    assert child.stdin is not None
    assert child.stdout is not None
    with child.stdin, child.stdout:
        try:
            child.stdin.write(_request(web, serving or ServingOptions()))
            child.stdin.flush()
            yield _address(child.stdout.readline())
        finally:
            _end(child)


def _request(web: PracticeWeb | GraphWeb, serving: ServingOptions) -> bytes:
    """The request to the child: how to make the same web, and how to serve it."""
    if isinstance(web, GraphWeb):
        facts: dict[str, Any] = {"graph": str(web.directory.absolute())}
    else:
        facts = {"seed": web.seed, "pages": web.page_count, "options": asdict(web.options)}
    return json.dumps({**facts, "serving": asdict(serving)}).encode() + b"\n"


def _address(line: bytes) -> PracticeAddress:
    if not line:
        raise ProcessError("The practice web did not start. What it printed above says why.")
    report = json.loads(line)
    if "error" in report:
        raise ExonymError(report["error"])
    address = PracticeAddress(f"{report['host']}:{report['port']}")
    address.tls_address = f"{report['host']}:{report['tls_port']}" if report["tls_port"] else ""
    return address


def _end(child: "subprocess.Popen[bytes]") -> None:
    assert child.stdin is not None
    child.stdin.close()
    try:
        child.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
