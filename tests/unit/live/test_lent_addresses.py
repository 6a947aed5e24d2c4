"""Requests wait for addresses that other workers have, and are broken off when an address is lost."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from socket_server import Conversation, Script, SocketServer, ok, raw

from exonym.batches import Group, Outcome, Visit
from exonym.crawl import Bounds, Crawl
from exonym.fetch import Fetcher, Resolver, Response
from exonym.fetch.transfer import FetchOptions
from exonym.live.found_links import links_to
from exonym.live.requests import RequestOptions, RequestQueue
from exonym.politeness.address_borrower import AddressBorrower
from exonym.politeness.address_messages import LendingTerms
from exonym.politeness.address_owner import AddressOwner
from exonym.politeness.delays import Politeness
from exonym.politeness.permissions import Permissions, RobotsReply
from exonym.strategies.breadth_first import BreadthFirst
from exonym.testing.reference import ReferenceFrontier

ADDRESS = "127.0.0.1"
TERMS = LendingTerms(partitions=1, delay_seconds=0.5)


@dataclass
class Lender:
    """A queue of requests, its borrower, and an owner who is reached when the test says so; all on the test's clock."""

    crawl: Crawl
    fetcher: Fetcher
    queue: RequestQueue
    borrower: AddressBorrower
    owner: AddressOwner
    permissions: Permissions

    def begin(self, *urls: str) -> list[Visit]:
        """Begin visits of servers whose robots.txt permits all."""
        self.crawl.add_seeds(links_to(urls))
        visits = self.crawl.due(0.0, 100)
        for visit in visits:
            self.permissions.learn(visit.server, RobotsReply(404, "", b""), 0.0)
            self.queue.begin(visit, 0.0)
        return visits

    def exchange(self, now: float) -> None:
        self.owner.own({0: 0}, now, now, unlent=[0])
        for message in self.borrower.messages(self.queue.addresses, now).values():
            answer = self.owner.answer(message, now)
            assert answer is not None
            self.borrower.receive(answer, now)

    def responses(self) -> list[Response]:
        while not (found := self.fetcher.poll(1.0)):
            pass
        return found


@contextmanager
def lending() -> Iterator[Lender]:
    politeness, permissions = Politeness(), Permissions(1e6, 0, 1.0)
    crawl = Crawl(ReferenceFrontier(Group.SERVER), BreadthFirst(), politeness, Bounds())
    borrower = AddressBorrower("worker", TERMS)
    borrower.assign({0: "owner"})
    resolver, fetcher = Resolver(), Fetcher(FetchOptions("test", allow_private=True))
    options = RequestOptions(allow_private=True)
    queue = RequestQueue(crawl, fetcher, resolver, permissions, politeness, options, turns=borrower)
    try:
        yield Lender(crawl, fetcher, queue, borrower, AddressOwner("owner", TERMS), permissions)
    finally:
        resolver.close()
        fetcher.close()


def url(server: SocketServer) -> str:
    return f"http://{server.address}/"


def test_request_begins_when_its_address_is_lent_and_its_end_is_told() -> None:
    with SocketServer(raw(ok(b"page"))) as server, lending() as lender:
        lender.begin(url(server))
        lender.queue.start_due(0.0)
        assert lender.queue.waiting == 1
        assert lender.queue.addresses == {ADDRESS}
        lender.exchange(0.0)
        lender.queue.start_due(0.0)
        assert lender.queue.waiting == 0
        for response in lender.responses():
            lender.queue.receive(response, 1.0)
        assert [ended.outcome for ended in lender.queue.take_ended()] == [Outcome.PAGE]
        lender.exchange(1.0)
        assert lender.borrower.messages(set(), 4.1)["owner"].ended[0].address == ADDRESS


def test_requests_to_one_address_begin_no_sooner_than_its_delay_after_each_other() -> None:
    with lending() as lender:
        lender.begin(*(f"http://{ADDRESS}:{port}/" for port in range(1, 4)))
        lender.exchange(0.0)
        started = []
        for now in (0.0, 0.4, 0.7, 1.1, 1.3):  # the second begins at 0.7, so the third cannot at 1.1
            lender.queue.start_due(now)
            started.append(3 - lender.queue.waiting)
        assert started == [1, 1, 2, 2, 3]


def test_request_whose_turn_is_over_before_it_could_begin_waits_for_another_turn() -> None:
    with lending() as lender:
        lender.begin(f"http://{ADDRESS}:1/")
        lender.exchange(0.0)
        lender.queue.start_due(-1.0)  # it has a start, which is not yet
        lender.queue.start_due(TERMS.start_seconds)
        assert lender.queue.waiting == 1
        lender.exchange(TERMS.start_seconds)
        lender.queue.start_due(TERMS.start_seconds)
        assert lender.queue.waiting == 0


def test_few_requests_wait_for_an_address_and_the_servers_of_more_rest() -> None:
    with lending() as lender:
        lender.begin(*(f"http://{ADDRESS}:{port}/" for port in range(1, 11)))
        assert lender.queue.waiting == 4
        assert lender.crawl.in_flight == 4
        assert len(lender.crawl.due(4.9, 100)) == 0
        assert len(lender.crawl.due(5.0, 100)) == 6


def test_visits_that_wait_for_an_address_go_back_when_the_crawl_stops() -> None:
    with lending() as lender:
        lender.begin(f"http://{ADDRESS}:1/")
        lender.queue.give_back(0.0)
        assert lender.crawl.in_flight == 0
        assert lender.queue.addresses == set()
        assert len(lender.crawl.due(0.0, 1)) == 1


def test_servers_of_an_address_whose_owner_does_not_answer_rest() -> None:
    with lending() as lender:
        lender.begin(f"http://{ADDRESS}:1/")
        lender.borrower.messages(lender.queue.addresses, 0.0)
        lender.queue.start_due(9.0)
        assert lender.queue.waiting == 1
        lender.borrower.messages(lender.queue.addresses, 10.1)
        lender.queue.start_due(10.1)
        assert lender.queue.waiting == 0
        assert len(lender.crawl.due(25.0, 1)) == 0
        assert len(lender.crawl.due(25.2, 1)) == 1


@pytest.fixture
def endless() -> Script:
    """Never ends its reply, until the client goes."""

    def drip(conversation: Conversation) -> None:
        conversation.read_request()
        conversation.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        while conversation.send(b"x" * 1_000) and not conversation.released.wait(0.01):
            pass

    return drip


def test_request_that_outlasts_its_lease_is_broken_off_and_made_again(endless: Script) -> None:
    with SocketServer(endless) as server, lending() as lender:
        lender.begin(url(server))
        lender.exchange(0.0)
        lender.queue.start_due(0.0)
        deadline = time.monotonic() + 600
        while not server.requests and time.monotonic() < deadline:
            lender.fetcher.poll(0.01)
        lender.queue.start_due(TERMS.lease_seconds - 0.1)
        assert lender.crawl.in_flight == 1
        lender.queue.start_due(TERMS.lease_seconds)
        assert lender.crawl.in_flight == 0
        assert lender.fetcher.free == 100
        assert lender.fetcher.poll(0.0) == []
        assert lender.borrower.overdue(TERMS.lease_seconds) == []
        assert len(lender.crawl.due(TERMS.lease_seconds + 15.0, 1)) == 1


def test_partition_that_is_driven_elsewhere_leaves_no_request_in_flight() -> None:
    with SocketServer(raw(ok(b"page"))) as server, lending() as lender:
        lender.begin(url(server))
        lender.exchange(0.0)
        lender.queue.start_due(0.0)
        lender.queue.break_off(1.0)
        assert lender.fetcher.free == 100
        assert lender.borrower.messages(set(), 5.0)["owner"].ended


def test_fetcher_that_dropped_a_request_goes_on_with_others(endless: Script) -> None:
    with SocketServer(endless) as slow, SocketServer(raw(ok(b"page"))) as server, lending() as lender:
        lender.begin(url(slow))
        lender.exchange(0.0)
        lender.queue.start_due(0.0)
        lender.queue.break_off(0.1)
        lender.begin(url(server))
        lender.exchange(1.0)
        lender.queue.start_due(1.0)
        (response,) = lender.responses()
        assert response.body == b"page"
