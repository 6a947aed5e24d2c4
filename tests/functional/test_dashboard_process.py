"""`exonym serve` as a process: clients that break off or never end, and Ctrl-C."""

import shutil
import signal
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from crawls_to_look_at import whole_crawl
from dashboards import RunningDashboard, running_dashboard


def connection(dashboard: RunningDashboard, request: str) -> socket.socket:
    """A connection on which a request was sent, but for the header `Host`."""
    address = urlsplit(dashboard.address)
    client = socket.create_connection((address.hostname, address.port), timeout=60)
    first, _, rest = request.partition("\n")
    client.sendall(f"{first}\nHost: {address.netloc}\n{rest}".replace("\n", "\r\n").encode())
    return client


def test_dashboard_ends_silently_while_clients_watch_and_others_never_finish(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    with running_dashboard(tmp_path / "crawl") as dashboard:
        token = urlsplit(dashboard.address).query.removeprefix("token=")
        body = f"Authorization: Bearer {token}\nContent-Type: application/json\nContent-Length: 100\n\n{{"
        connection(dashboard, f"POST /api/crawls/crawl/run HTTP/1.1\n{body}").close()
        unfinished = connection(dashboard, f"POST /api/crawls/crawl/run HTTP/1.1\n{body}")
        streams = [connection(dashboard, "GET /api/crawls/crawl/events HTTP/1.1\n\n") for _ in range(3)]
        for stream in streams:
            seen = b""
            while b"event: progress" not in seen:
                seen += stream.recv(4096)
        dashboard.process.send_signal(signal.SIGINT)
        _, complaints = dashboard.process.communicate()
        assert dashboard.process.returncode in (0, 130)
        assert complaints.splitlines() == ["Ctrl-C ends it; crawls go on."]
        for client in (unfinished, *streams):
            client.close()
