"""Which partition owns a link, and how the rows of a partition are known elsewhere."""

import numpy as np

from exonym.batches import FOREIGN_ROW, NO_ROW
from exonym.link_columns import SegmentMeans, Source, link_batch
from exonym.live.found_links import links_to
from exonym.partitions import Partition, home_of
from exonym.urls import partition_of, server_of


def test_all_servers_of_a_site_have_one_owner() -> None:
    urls = [f"http://{host}.site{number}.co.th/" for number in range(20) for host in ("www", "shop", "a.b")]
    links = link_batch([(Source(), links_to(urls))], frozenset(), SegmentMeans(frozenset()), {})
    owners = Partition(0, 5).owners(links).tolist()
    assert owners == [partition_of(server_of(url), 5) for url in urls]
    assert all(len(set(owners[at : at + 3])) == 1 for at in range(0, 60, 3))
    assert len(set(owners)) == 5


def test_row_known_abroad_leads_back_to_its_partition() -> None:
    sources = np.array([NO_ROW, 0, 41, 2 * FOREIGN_ROW + 7])
    abroad = Partition(3, 8).abroad(sources).tolist()
    assert abroad == [NO_ROW, 4 * FOREIGN_ROW, 4 * FOREIGN_ROW + 41, 2 * FOREIGN_ROW + 7]
    assert [home_of(source, 0) for source in abroad[1:]] == [(3, 0), (3, 41), (1, 7)]
    assert home_of(5, 6) == (6, 5)
