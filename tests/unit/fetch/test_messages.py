"""Headers read from raw heads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.fetch import Response
from exonym.fetch.messages import is_passing, redirect_target, status_of


def with_headers(*lines: bytes) -> Response:
    return Response(1, "http://a.example/", 200, b"HTTP/1.1 200 OK\r\n" + b"".join(b"%s\r\n" % line for line in lines))


def test_header_is_found_whatever_its_case_and_spacing() -> None:
    response = with_headers(b"X-Other: location: no", b"LOCATION :  /a b ", b"Location: /second")
    assert response.header("location") == "/a b"
    assert response.header("x-missing") is None
    assert response.header("ocation") is None


def test_header_name_is_not_found_in_the_status_line_or_in_values() -> None:
    response = Response(1, "", 200, b"HTTP/1.1 200 Location: x\r\nX: Location: y\r\n\r\n")
    assert response.location is None


def test_header_is_read_as_latin_1() -> None:
    assert with_headers(b"X: caf\xe9").header("x") == "caf\u00e9"


def test_location_is_read_as_utf_8_if_it_is() -> None:
    assert with_headers("Location: /ก".encode()).location == "/ก"
    assert with_headers(b"Location: /caf\xe9").location == "/caf\u00e9"
    assert with_headers(b"X: y").location is None


@pytest.mark.parametrize(
    ("value", "media_type"),
    [(b"Text/HTML; charset=TIS-620", "text/html"), (b"text/html;", "text/html"), (b"", ""), (b" ;x", "")],
)
def test_content_type_is_lower_case_and_bare(value: bytes, media_type: str) -> None:
    assert with_headers(b"Content-Type: " + value).content_type == media_type


def test_missing_content_type_is_empty() -> None:
    assert with_headers(b"Server: x").content_type == ""


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (b"120", 120.0),
        (b"0", 0.0),
        (b"Thu, 01 Jan 1970 00:02:00 GMT", 20.0),  # two minutes after the epoch, asked 100 s after it
        (b"Thu, 01 Jan 1970 00:00:10 GMT", 0.0),
        (b"-5", None),
        (b"1e9", None),
        (b"9" * 5_000, None),
        (b"soon", None),
        (b"", None),
        (b"Thu, 99 Jan 1970 99:02:00 GMT", None),
    ],
)
def test_retry_after_is_read_in_both_forms(value: bytes, seconds: float | None) -> None:
    assert with_headers(b"Retry-After: " + value).retry_after_seconds(100.0) == seconds


def test_no_retry_after_is_none() -> None:
    assert with_headers(b"Server: x").retry_after_seconds(100.0) is None


@given(st.binary(max_size=200), st.binary(max_size=60))
def test_no_head_is_too_odd_to_be_read(rubbish: bytes, value: bytes) -> None:
    for head in (
        rubbish,
        b"HTTP/1.1 200 OK\r\nRetry-After: " + value,
        b"\nLocation:" + value,
        b"\nContent-Type:" + value,
    ):
        response = Response(1, "", 200, head)
        seconds = response.retry_after_seconds(0.0)
        assert seconds is None or seconds >= 0.0
        assert isinstance(response.content_type, str)
        assert response.location is None or isinstance(response.location, str)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", 200),
        (b"HTTP/2  404\r\n", 404),
        (b"HTTP/1.0\t301 Moved", 301),
        (b"HTTP/1.1 20\r\n", 0),
        (b"ICY 200 OK\r\n", 0),
        (b"", 0),
    ],
)
def test_status_of_a_raw_head(head: bytes, status: int) -> None:
    assert status_of(head) == status


@pytest.mark.parametrize(
    ("status", "location", "target"),
    [
        (302, b"/next", "http://a.example/next"),
        (308, b"https://b.example", "https://b.example/"),
        (200, b"/next", None),
        (302, b"mailto:a@b.example", None),
        (302, b"", None),
    ],
)
def test_redirect_leads_to_an_http_url_in_normal_form_or_nowhere(
    status: int, location: bytes, target: str | None
) -> None:
    head = b"HTTP/1.1 %d X\r\nLocation: %s\r\n\r\n" % (status, location)
    assert redirect_target(Response(1, "http://a.example/", status, head)) == target


@pytest.mark.parametrize(
    ("status", "failure", "passes"),
    [
        (429, "", True),
        (503, "", True),
        (404, "", False),
        (200, "", False),
        (0, "timeout: response", True),
        (0, "dns: no answer", True),
        (0, "dns: no such host", False),
        (0, "address refused: 10.0.0.1", False),
    ],
)
def test_busy_broken_or_unreachable_servers_may_answer_later(status: int, failure: str, passes: bool) -> None:
    assert is_passing(Response(1, "http://a.example/", status, failure=failure)) == passes
