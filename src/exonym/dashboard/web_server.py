"""The dashboard on a port of this machine, until it is stopped."""

import logging
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exonym.dashboard.access import LOOPBACK_NAMES, AccessRules, is_loopback
from exonym.dashboard.dashboard_app import dashboard
from exonym.dashboard.served_crawls import ServedCrawls
from exonym.errors import ConfigError

DEFAULT_PORT = 8770
_TRIED_PORTS = 20  # if the default port is taken


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """Where the dashboard listens, and by which names and token it is asked."""

    host: str = "127.0.0.1"
    port: int | None = None  # None: DEFAULT_PORT or, if that is taken, one of the next
    names: tuple[str, ...] = ()  # more names of this machine, as browsers write them
    token: str = ""  # "": a new one


def serve(path: Path, options: ServeOptions, ready: Callable[[str], None]) -> None:
    """Show the crawl or the crawls at `path` until Ctrl-C; `ready` is called with the address to open."""
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, *arguments: Any, **named: Any) -> None:
            # A client that is slow or sends nothing is cut off: that is no defect, and nothing to report.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            await super().shutdown(*arguments, **named)

    crawls = ServedCrawls(path)
    with _listening(options) as listener:
        host, port = options.host.strip("[]"), listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        token = options.token or secrets.token_urlsafe(24)
        is_public = not is_loopback(host)
        names = frozenset([*LOOPBACK_NAMES, shown.lower(), *map(str.lower, options.names)])
        rules = AccessRules(token, names, is_public, cookie=f"exonym-{port}")
        config = uvicorn.Config(
            dashboard(crawls, rules, lambda: server.should_exit),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,  # for requests that do not end
            lifespan="on",
        )
        server = Server(config)
        name = options.names[0] if is_public and options.names else shown
        ready(f"http://{name}:{port}/?token={token}")
        server.run(sockets=[listener])


def _listening(options: ServeOptions) -> socket.socket:
    host = options.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [options.port] if options.port is not None else range(DEFAULT_PORT, DEFAULT_PORT + _TRIED_PORTS)
    problem: OSError | None = None
    for port in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            problem = error
    why = problem.strerror if problem else "no port was tried"
    raise ConfigError(f"The dashboard cannot listen on {host}, port {wanted[0]}: {why}. Choose another --port.")
