"""Runs a practice web in a process of its own, for tests, the demo and benchmarks.

A fresh interpreter, never a fork: the caller may have threads. The child is told the web on its
standard input, reports its ports on its standard output, and ends when its standard input closes,
so it cannot outlive its parent.
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
        """What the server was asked since its start or the last reset (see `counting`)."""
        return self._control("/_stats")

    def reset(self) -> None:
        """Forget what the server was asked."""
        self._control("/_reset")

    def _control(self, path: str) -> dict[str, Any]:
        connection = http.client.HTTPConnection(str(self), timeout=30)
        try:
            connection.request("GET", path, headers={"Host": CONTROL_HOST})
            found: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return found


@contextmanager
def running_practice_web(
    web: PracticeWeb | GraphWeb, serving: ServingOptions | None = None
) -> Iterator[PracticeAddress]:
    """Serve `web` from another process while the block runs."""
    command = [sys.executable, "-m", "exonym.practice.serving.child"]
    # In a session of its own: Ctrl-C is for the crawl, which still fetches what is in flight.
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
    """What the child is told: how to make the same web, and how to serve it."""
    if isinstance(web, GraphWeb):
        told: dict[str, Any] = {"graph": str(web.directory.absolute())}
    else:
        told = {"seed": web.seed, "pages": web.page_count, "options": asdict(web.options)}
    return json.dumps({**told, "serving": asdict(serving)}).encode() + b"\n"


def _address(line: bytes) -> PracticeAddress:
    if not line:
        raise ProcessError("The practice web did not start. What it printed above says why.")
    told = json.loads(line)
    if "error" in told:
        raise ExonymError(told["error"])
    address = PracticeAddress(f"{told['host']}:{told['port']}")
    address.tls_address = f"{told['host']}:{told['tls_port']}" if told["tls_port"] else ""
    return address


def _end(child: "subprocess.Popen[bytes]") -> None:
    assert child.stdin is not None
    child.stdin.close()
    try:
        child.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
