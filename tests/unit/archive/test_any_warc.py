"""Archives of other people: every format gives the same responses, and damage costs what is damaged, and is told."""

import gzip
import zipfile
from pathlib import Path

import pytest
from archive_writers import ARC, ARCHIVES, CRLF, LF, NUMBERS, packed, page, wacz, warc_record, zstd_with_dictionary
from hypothesis import given
from hypothesis import strategies as st

from exonym.archive.any_warc import SkippedRecord, WarcResponse, response_at, responses_in
from exonym.archive.archive_files import archives_below, is_archive
from exonym.archive.ranges import NOWHERE

URLS = [f"http://a.example/{number}" for number in NUMBERS]
WITHOUT_OFFSETS = {"wacz deflated", "lz4"}
MANY_IN_A_MEMBER = {"whole-file gzip", "LF whole-file gzip", "arc whole-file gzip", "zst whole file"}


def read(path: Path) -> tuple[list[WarcResponse], list[SkippedRecord]]:
    found = list(responses_in(path))
    return [one for one in found if isinstance(one, WarcResponse)], [
        one for one in found if isinstance(one, SkippedRecord)
    ]


def read_bytes(data: bytes, path: Path) -> tuple[list[str], list[SkippedRecord]]:
    path.write_bytes(data)
    responses, skipped = read(path)
    return [response.url for response in responses], skipped


@pytest.mark.parametrize("form", ARCHIVES)
def test_every_format_gives_the_same_responses(form: str, tmp_path: Path) -> None:
    path = tmp_path / "pages.bin"  # the name says nothing
    path.write_bytes(ARCHIVES[form])
    assert is_archive(path)
    responses, skipped = read(path)
    assert skipped == []
    assert [response.url for response in responses] == URLS
    assert [response.head + response.body for response in responses] == [page(number) for number in NUMBERS]
    assert {response.address for response in responses} == {"192.0.2.7"}


@pytest.mark.parametrize("form", sorted(ARCHIVES.keys() - MANY_IN_A_MEMBER - WITHOUT_OFFSETS))
def test_response_is_read_again_from_its_offset(form: str, tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(ARCHIVES[form])
    for response in read(path)[0]:
        assert response_at(path, response.offset) == response


@pytest.mark.parametrize("form", sorted(WITHOUT_OFFSETS))
def test_response_that_cannot_be_read_alone_has_no_offset(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.wacz"
    path.write_bytes(ARCHIVES[form])
    assert {response.offset for response in read(path)[0]} == {NOWHERE}


# Files cut off


@pytest.mark.parametrize("form", ["warc", "warc.gz", "LF", "LF gz", "arc", "arc.gz", "zst", "zst dictionary"])
def test_of_a_file_cut_anywhere_every_whole_record_is_read_and_the_cut_is_told(form: str, tmp_path: Path) -> None:
    data, path = ARCHIVES[form], tmp_path / "cut.warc"
    path.write_bytes(data)
    offsets = [response.offset for response in read(path)[0]]
    for cut in range(offsets[3] + 1, len(data) - 4, 7):
        urls, skipped = read_bytes(data[:cut], path)
        whole = 3 if cut <= offsets[4] else 4
        # Up to four bytes of empty lines after a record are not missed.
        assert urls in (URLS[:whole], URLS[: whole + 1]), cut
        if urls == URLS[:whole] and cut != offsets[4]:
            assert [one.reason for one in skipped] == ["record cut short"], cut
            assert skipped[0].warning == (
                f"{path} ends in the middle of the record at byte {offsets[whole]:,}. What comes before was read."
            )


@pytest.mark.parametrize("records", [CRLF, LF, ARC], ids=["warc", "LF", "arc"])
def test_of_one_gzip_member_cut_off_the_records_before_the_cut_are_read(records: list[bytes], tmp_path: Path) -> None:
    urls, skipped = read_bytes(gzip.compress(b"".join(records), 0, mtime=0)[: -len(records[-1]) - 30], tmp_path / "a")
    assert urls == URLS[:3]
    assert [one.reason for one in skipped] == ["record cut short"]


def test_wacz_file_cut_off_gives_the_records_that_can_be_found(tmp_path: Path) -> None:
    data = wacz({"a.warc.gz": packed(CRLF), "b.warc.gz": packed(CRLF)})
    urls, skipped = read_bytes(data[: data.index(gzip.compress(CRLF[3], mtime=0)) + 20], tmp_path / "a.wacz")
    assert urls == URLS[:3]
    assert "no directory" in skipped[0].warning


# Damage inside


@pytest.mark.parametrize("form", ["warc.gz", "LF gz", "arc.gz", "zst", "zst dictionary"])
def test_damage_costs_one_record_and_is_told_with_its_place(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(ARCHIVES[form])
    offsets = [response.offset for response in read(path)[0]]
    data = bytearray(ARCHIVES[form])
    middle = (offsets[1] + offsets[2]) // 2
    data[middle : middle + 20] = bytes(20)
    urls, skipped = read_bytes(bytes(data), path)
    assert urls == [URLS[0], *URLS[2:]]
    told = f"{path} is damaged at byte {offsets[1]:,}. Reading went on with the next whole record."
    assert skipped == [SkippedRecord("damaged part of a file", told)]


@pytest.mark.parametrize("records", [CRLF, LF, ARC], ids=["warc", "LF", "arc"])
def test_bytes_between_records_cost_nothing(records: list[bytes], tmp_path: Path) -> None:
    data = b"".join([*records[:2], b"nobody knows\r\n\r\n", *records[2:]])
    urls, skipped = read_bytes(data, tmp_path / "a")
    assert urls == URLS
    assert [one.reason for one in skipped] == ["damaged part of a file"]
    assert f"byte {len(b''.join(records[:2])):,}." in skipped[0].warning


def test_record_that_says_a_wrong_length_costs_itself_alone(tmp_path: Path) -> None:
    wrong = CRLF[1].replace(b"Content-Length: ", b"Content-Length: 9")
    urls, skipped = read_bytes(b"".join([CRLF[0], wrong, *CRLF[2:]]), tmp_path / "a")
    assert urls == [URLS[0], *URLS[2:]]
    assert [one.reason for one in skipped] == ["damaged part of a file"]


def test_frames_without_their_dictionary_are_told(tmp_path: Path) -> None:
    urls, skipped = read_bytes(b"".join(zstd_with_dictionary(CRLF)[1]), tmp_path / "a")
    assert urls == []
    assert "is damaged at byte 0" in skipped[0].warning


# Files without responses


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b"<html><p>A page", "is no WARC, ARC or WACZ file"),
        (warc_record(1, kind="request") + warc_record(2, kind="resource"), "only others: 1 × request, 1 × resource"),
        (wacz({}), "a zip file without an archive in it"),
    ],
)
def test_file_without_a_response_is_told_with_the_reason(data: bytes, told: str, tmp_path: Path) -> None:
    urls, skipped = read_bytes(data, tmp_path / "a")
    assert urls == []
    assert any(told in one.warning for one in skipped), skipped


@given(st.binary(max_size=200), st.sampled_from(sorted(ARCHIVES)), st.integers(0, 2_000))
def test_no_bytes_make_reading_raise(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, form: str, at: int
) -> None:
    path = tmp_path_factory.mktemp("any") / "a"
    data = ARCHIVES[form]
    path.write_bytes(data[:at] + noise + data[at + len(noise) :])
    read(path)
    is_archive(path)


# Which files are archives


def test_archives_are_known_by_their_bytes_and_pages_are_none(tmp_path: Path) -> None:
    for number, (form, data) in enumerate(ARCHIVES.items()):
        (tmp_path / f"{number} {form.split()[0]}.bin").write_bytes(data)
    other = tmp_path / "other"
    other.mkdir()
    (other / "page.html").write_bytes(page(1))
    (other / "page.gz").write_bytes(gzip.compress(page(1)))
    with zipfile.ZipFile(other / "texts.zip", "w") as file:
        file.writestr("a.txt", "words")
    assert len(archives_below(tmp_path)) == len(ARCHIVES)
