"""Documents in replies of servers and in files."""

import gzip

import pytest

from exonym.extract.document import Wants
from exonym.readers.link_ids import all_ids_of, group_ids_of, ids_of
from exonym.readers.parsing import document_in_file, document_in_reply
from exonym.urls import id_of, segment_of, server_of

URL = "http://a.example/"
PAGE = "<title>สวัสดี</title><p>ไทย <a href=/b>ข</a>".encode("cp874")


def head(*lines: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *lines, "", ""]).encode()


def test_reply_is_unpacked_decoded_and_parsed() -> None:
    packed = gzip.compress(PAGE, mtime=0)
    headers = head("Content-Type: text/html; charset=tis-620", "Content-Encoding: gzip")
    document = document_in_reply(URL, headers, packed, Wants(), "th")
    assert document is not None
    assert (document.title, document.blocks, document.charset) == ("สวัสดี", "ไทย ข", "windows-874")
    assert (document.links.urls, document.parent_language) == (["http://a.example/b"], "th")


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "text/css"])
def test_reply_that_is_no_html_has_no_document(content_type: str) -> None:
    assert document_in_reply(URL, head(f"Content-Type: {content_type}"), PAGE) is None


def test_file_of_html_is_parsed_and_one_of_text_is_all_body() -> None:
    page = document_in_file(URL, PAGE, "text/html; charset=tis-620")
    text = document_in_file(URL, "ไทย <b>".encode("cp874"), "text/plain; charset=tis-620")
    assert (page.title, page.blocks) == ("สวัสดี", "ไทย ข")
    assert (text.title, text.blocks, list(text.links)) == ("", "ไทย <b>", [])
    assert (text.charset, text.charset_evidence, text.charset_label) == ("windows-874", "http", "windows-874")


def test_ids_of_many_urls_are_those_of_each() -> None:
    urls = [URL, "https://b.example/c/d?e=/f", "http://a.example/c/", "http://a.example/c/d"]
    servers, segments = group_ids_of(urls)
    assert ids_of(urls).tolist() == [id_of(url) for url in urls]
    assert servers.tolist() == [id_of(server_of(url)) for url in urls]
    assert segments.tolist() == [id_of(segment_of(url)) for url in urls]
    assert [column.tolist() for column in all_ids_of(urls)] == [
        column.tolist() for column in (ids_of(urls), servers, segments)
    ]
    assert [len(column) for column in (ids_of([]), *all_ids_of([]))] == [0, 0, 0, 0]
