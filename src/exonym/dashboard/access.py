"""Who may ask the dashboard, and the headers that keep its pages harmless: an ASGI middleware around everything.

* A request must name a host that the dashboard is known by: another web site cannot reach it through a name of its own
  that leads to this machine (DNS rebinding).
* A request that a page of another web site sends is refused by its Origin.
* Changes need the token; so does everything if the dashboard listens on more than this machine.
* Pages may load scripts, styles and data from the dashboard alone; scripts inside of pages do not run.
"""

import hmac
import ipaddress
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = frozenset(["localhost", "127.0.0.1", "[::1]"])
SAFE_METHODS = frozenset(["GET", "HEAD", "OPTIONS"])
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without a referrer, browsers send forms with the origin "null"
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class AccessRules:
    """What a request must bring."""

    token: str
    host_names: frozenset[str]  # as in the header Host, without a port
    needs_token: bool = False  # for reading, too
    cookie: str = "exonym"

    def has_token(self, request: Request) -> bool:
        """Whether a request brings the token, as a bearer token or as a cookie."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        return self.is_token(request.cookies.get(self.cookie, ""))

    def is_token(self, given: str) -> bool:
        """Whether this is the token; the time that this takes tells nothing about it."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def refusal(self, request: Request) -> tuple[int, str] | None:
        """The status and the reason for which a request is refused; None if it is not."""
        host = request.headers.get("host", "")
        if _name_in(host) not in self.host_names:
            return 403, "This dashboard has another name. Use the address that `exonym serve` printed."
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "Requests of other web sites are refused."
        is_change = request.method not in SAFE_METHODS
        if is_change and origin is None and request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return 403, "Requests of other web sites are refused."
        if (is_change or self.needs_token) and not self.has_token(request):
            return 401, "A token is needed: use the whole address that `exonym serve` printed, with its token."
        return None


def _name_in(host: str) -> str:
    """The name in a header Host, without its port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


class AccessGuard:
    """Refuses requests by the rules, and adds headers to all answers."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_encoded(_HEADERS)]
            await send(message)

        answer = self._answer(request)
        await (answer or self._app)(scope, receive, send_guarded)

    def _answer(self, request: Request) -> Response | None:
        """What to answer in place of the application."""
        token = request.query_params.get("token")
        if token is not None and request.method == "GET" and self._rules.is_token(token):
            host = request.headers.get("host", "")
            if _name_in(host) in self._rules.host_names:
                return self._welcome(request, token)
        refusal = self._rules.refusal(request)
        if refusal is None:
            return None
        status, why = refusal
        headers = {"www-authenticate": "Bearer"} if status == 401 else {}
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": why}, status, headers)
        return PlainTextResponse(why, status, headers)

    def _welcome(self, request: Request, token: str) -> Response:
        """Keep the token in a cookie, so that it is in no address that is copied or kept in a history."""
        others = [(name, value) for name, value in parse_qsl(request.url.query) if name != "token"]
        path = "/" + request.url.path.lstrip("/")  # never another host
        answer = RedirectResponse(path + (f"?{urlencode(others)}" if others else ""), 303)
        answer.set_cookie(self._rules.cookie, token, httponly=True, samesite="strict", path="/")
        return answer


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
