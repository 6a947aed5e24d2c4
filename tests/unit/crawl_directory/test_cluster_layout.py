"""The layout of a crawl that is divided into partitions: written once, and refused in one line where it is wrong."""

from importlib.metadata import version
from pathlib import Path

import pytest

from exonym.archive import ArchiveOptions, Exchange, WarcWriter
from exonym.crawl_directory.cluster_layout import ClusterLayout, is_cluster
from exonym.errors import ConfigError, DirectoryError


@pytest.fixture
def layout(tmp_path: Path) -> ClusterLayout:
    """Three partitions, of which two are here."""
    made = ClusterLayout.create(tmp_path, 3)
    made.create_partition(0)
    made.create_partition(2)
    return made


def set_line(path: Path, key: str, value: str) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join(f"{key} = {value}" if line.startswith(f"{key} ") else line for line in lines))


def test_created_layout_is_opened_again(layout: ClusterLayout) -> None:
    assert is_cluster(layout.directory)
    assert ClusterLayout.open(layout.directory) == layout
    assert ClusterLayout.around(layout.partition_directory(2)) == (layout, 2)


def test_two_layouts_have_different_ids(tmp_path: Path, layout: ClusterLayout) -> None:
    (tmp_path / "other").mkdir()
    assert ClusterLayout.create(tmp_path / "other", 3).crawl_id != layout.crawl_id


def test_partitions_present_are_those_that_were_made(layout: ClusterLayout) -> None:
    assert layout.present() == [0, 2]
    assert layout.partition_directory(2) == layout.directory / "partitions" / "0002"


def test_partition_is_made_twice_without_harm(layout: ClusterLayout) -> None:
    file = layout.partition_directory(2) / "partition.toml"
    before = file.read_text()
    assert layout.create_partition(2) == file.parent
    assert file.read_text() == before


def test_partition_whose_making_was_cut_short_is_made_again(layout: ClusterLayout) -> None:
    layout.partition_directory(1).mkdir()
    layout.create_partition(1)
    assert layout.present() == [0, 1, 2]


def test_single_crawl_has_no_layout(tmp_path: Path) -> None:
    assert not is_cluster(tmp_path)
    with pytest.raises(DirectoryError, match=r"cluster\.toml does not exist\. Restore it from a copy"):
        ClusterLayout.open(tmp_path)


def test_crawl_that_one_process_began_is_not_divided_by_the_way(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    with pytest.raises(DirectoryError, match=f"exonym repartition {tmp_path} --partitions 4"):
        ClusterLayout.create(tmp_path, 4)
    assert not is_cluster(tmp_path)


def test_divided_crawl_is_not_divided_by_the_way(layout: ClusterLayout) -> None:
    with pytest.raises(DirectoryError, match="divided already"):
        ClusterLayout.create(layout.directory, 3)


@pytest.mark.parametrize("partitions", [0, -1, 10_001])
def test_number_of_partitions_has_limits(tmp_path: Path, partitions: int) -> None:
    with pytest.raises(ConfigError, match=f"partitions must be from 1 to 10_000, got {partitions}"):
        ClusterLayout.create(tmp_path, partitions)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("format", "2", "has format 2, this Exonym reads 1"),
        ("format", '"one"', "format must be a whole number, got 'one'"),
        ("partitions", "0", "is damaged"),
        ("partitions", "20_000", "is damaged"),
        ("id", '"../../etc"', "is damaged"),
        ("id", "3", "id must be a text in quotes"),
        ("id", '"unfinished', "is damaged.*not valid TOML"),
        ("public_suffix_list", '"1.0.0"', "1.0.0, and .* is installed.*pip install publicsuffixlist==1.0.0"),
    ],
)
def test_wrong_cluster_file_is_refused_in_one_line(layout: ClusterLayout, key: str, value: str, said: str) -> None:
    set_line(layout.directory / "cluster.toml", key, value)
    with pytest.raises(DirectoryError, match=said) as raised:
        ClusterLayout.open(layout.directory)
    assert "\n" not in str(raised.value)


def test_any_public_suffix_list_will_do_for_reading(layout: ClusterLayout) -> None:
    assert f'public_suffix_list = "{version("publicsuffixlist")}"' in (layout.directory / "cluster.toml").read_text()
    set_line(layout.directory / "cluster.toml", "public_suffix_list", '"1.0.0"')
    assert ClusterLayout.open(layout.directory, read_only=True) == layout


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("id", f'"{32 * "0"}"', "is a partition of another crawl"),
        ("partitions", "4", "is a partition of another crawl"),
        ("number", "1", "is partition 0001, not 0002. Rename it"),
        ("number", '"two"', "is damaged"),
    ],
)
def test_directory_of_another_partition_is_refused(layout: ClusterLayout, key: str, value: str, said: str) -> None:
    set_line(layout.partition_directory(2) / "partition.toml", key, value)
    assert layout.present() == [0]
    for use in (layout.check_partition, layout.create_partition):
        with pytest.raises(DirectoryError, match=said):
            use(2)


def test_missing_partition_is_named(layout: ClusterLayout) -> None:
    with pytest.raises(DirectoryError, match=r"partitions/0001 is missing\. Restore it from a copy, or mount"):
        layout.check_partition(1)


def test_partition_that_lost_its_file_is_not_taken_for_a_new_one(layout: ClusterLayout) -> None:
    (layout.partition_directory(1) / "state").mkdir(parents=True)
    with pytest.raises(DirectoryError, match=r"has a crawl, but no partition\.toml"):
        layout.create_partition(1)


def test_archives_of_partitions_have_names_of_their_own(layout: ClusterLayout) -> None:
    names = []
    for number in (0, 2):
        options = ArchiveOptions(prefix=layout.archive_prefix(number))
        with WarcWriter(layout.create_partition(number) / "warc", options) as warc:
            page = Exchange("http://a.example/", 0.0, "", b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"")
            names.append(warc.write(page).file)
    short = layout.crawl_id[:8]
    assert names == [f"exonym-p000{number}-{short}-19700101T000000-00000.warc.gz" for number in (0, 2)]


def test_layout_settles_on_a_machine_that_has_nothing_of_the_crawl(tmp_path: Path, layout: ClusterLayout) -> None:
    there = ClusterLayout(tmp_path / "other machine" / "thai", layout.crawl_id, layout.partitions)
    there.settle()
    there.settle()
    assert ClusterLayout.open(there.directory) == there


def test_layout_does_not_settle_where_another_crawl_is(tmp_path: Path, layout: ClusterLayout) -> None:
    there = ClusterLayout(layout.directory, "0" * 32, layout.partitions)
    with pytest.raises(DirectoryError, match="has another crawl on this machine"):
        there.settle()
