"""Why a request got no reply, in a few stable texts: the error numbers of libcurl, translated."""

import errno

import pycurl

_HEAD_TOO_LARGE = 100  # CURLE_TOO_LARGE, which pycurl does not name

_TEXTS = {
    pycurl.E_OK: "protocol: head cut short",
    pycurl.E_URL_MALFORMAT: "url: malformed",
    pycurl.E_COULDNT_RESOLVE_HOST: "dns: no such host",
    pycurl.E_FTP_WEIRD_SERVER_REPLY: "protocol: bad head",  # HTTP too, whatever its name
    pycurl.E_GOT_NOTHING: "protocol: empty reply",
    pycurl.E_PARTIAL_FILE: "protocol: head cut short",
    pycurl.E_RECV_ERROR: "connection: lost",
    pycurl.E_SEND_ERROR: "connection: lost",
    pycurl.E_HTTP2: "protocol: HTTP/2",
    pycurl.E_SSL_CONNECT_ERROR: "tls: handshake failed",
    pycurl.E_SSL_CIPHER: "tls: no common cipher",
    pycurl.E_PEER_FAILED_VERIFICATION: "tls: certificate not trusted",
    _HEAD_TOO_LARGE: "protocol: head too large",
}
TLS_MISSING = ("tls: handshake failed", "timeout: connect")  # what a server without TLS makes of https requests
_CONNECT_TEXTS = {
    errno.ECONNREFUSED: "connect: refused",
    errno.ENETUNREACH: "connect: unreachable",
    errno.EHOSTUNREACH: "connect: unreachable",
    errno.ETIMEDOUT: "timeout: connect",
    errno.ECONNRESET: "connect: reset",
}


def failure_text(easy: pycurl.Curl, code: int) -> str:
    """What went wrong with a transfer that libcurl ended with `code` before a whole head had arrived."""
    if code == pycurl.E_OPERATION_TIMEDOUT:
        return "timeout: response" if _is_connected(easy) else "timeout: connect"
    if code == pycurl.E_COULDNT_CONNECT:
        return _CONNECT_TEXTS.get(easy.getinfo(pycurl.OS_ERRNO), "connect: failed")
    if code == pycurl.E_UNSUPPORTED_PROTOCOL:
        return "protocol: HTTP/0.9" if easy.getinfo(pycurl.CONNECT_TIME) else "url: scheme"
    return _TEXTS.get(code, f"curl: {code}")


def _is_connected(easy: pycurl.Curl) -> bool:
    if not easy.getinfo(pycurl.NUM_CONNECTS) and easy.getinfo(pycurl.PRIMARY_IP):
        return True  # a connection kept from an earlier request
    is_tls = easy.getinfo(pycurl.EFFECTIVE_URL).startswith("https:")
    return bool(easy.getinfo(pycurl.APPCONNECT_TIME if is_tls else pycurl.CONNECT_TIME))
