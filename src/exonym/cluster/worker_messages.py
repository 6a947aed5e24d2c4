"""What workers and the coordinator tell each other: plain structures, packed with msgpack and checked on arrival.

Whatever a page contained is in here only as texts and bytes; nothing is ever unpickled.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from exonym.crawl_progress import CrawlEvent, RecentPages, ServerRest
from exonym.errors import ClusterError
from exonym.metrics import Totals
from exonym.politeness.address_messages import Borrow, Lend
from exonym.urls import id_of


class Links(msgspec.Struct, array_like=True, tag=True):
    """A batch of links from the outbox of partition `sender` for partition `receiver`."""

    sender: int
    receiver: int
    number: int
    links: bytes  # of `packed_links`


class Committed(msgspec.Struct, array_like=True, tag=True):
    """Partition `receiver` has committed all batches of `sender` up to `number`."""

    sender: int
    receiver: int
    number: int


class LearnedNews(msgspec.Struct, array_like=True, tag=True):
    """What the strategy of partition `sender` has learned that holds for all servers, number `first` to `last`.

    `first` is 0 if the one state is all that it ever learned, up to number `last`.
    """

    sender: int
    life: str  # of the sender's worker
    receiver: int
    first: int
    last: int
    states: list[bytes]


class Heard(msgspec.Struct, array_like=True, tag=True):
    """Partition `receiver` has heard what `sender` learned up to `number`; -1: nothing at all."""

    sender: int
    receiver: int
    life: str  # of the receiver's worker
    number: int


PeerMessage = Links | Committed | Borrow | Lend | LearnedNews | Heard
Packet = list[PeerMessage]  # what one worker sends to another at one time


class WorkerOrder(msgspec.Struct):
    """What a worker is to do; each order replaces the one before."""

    number: int
    life: str = ""  # of the worker that reported last; others must not obey. "": none has reported
    report: int = 0  # the number of the worker's last report that the coordinator has taken
    drive: dict[int, int] = {}  # the partitions that this worker is to drive, and no others: number of the assignment
    create: list[int] = []  # those of them that do not exist yet
    routes: dict[int, str] = {}  # all partitions that are driven: by which worker
    lend: dict[int, int] = {}  # the shares of IP addresses that this worker is to lend: number of the assignment
    unlent: list[int] = []  # those of them that nobody lent before
    lenders: dict[int, str] = {}  # all shares of IP addresses: by which worker they are lent
    page_limits: dict[int, int] | None = None  # by partition; None: no limit
    byte_limits: dict[int, int] | None = None
    may_begin: bool = True  # False: begin no visits
    is_paused: bool = False  # begin no visits for now; the time does not count
    pages_per_server: int | None = None  # None: as in the settings
    scope: list[str] | None = None  # the rules to obey from now on; None: as before
    finish: str | None = None  # end the run, for this reason ("": to go on another time), and close the partitions


class PartitionReport(msgspec.Struct):
    """The state of a partition that a worker drives."""

    number: int
    totals: Totals
    used_pages: int  # fetched, or in flight
    is_spent: bool  # nothing waits, is in flight, is being read, or is under way to a partition that is driven
    is_busy: bool  # visits are in flight
    sent: int  # batches of links that it has made durable, and that others have
    received: int  # batches that it has committed
    resting: int
    page_limit: int | None
    byte_limit: int | None
    recent: RecentPages = RecentPages()
    at_work: tuple[str, ...] = ()
    rests: tuple[ServerRest, ...] = ()


class WorkerReport(msgspec.Struct):
    """The state of a worker."""

    name: str
    life: str  # another one each time that the worker's process starts
    node: str
    number: int  # of the report, from 1 on in each life
    order: int  # the last order that was carried out
    present: list[int]  # the partitions whose directories this worker sees
    partitions: list[PartitionReport] = []
    problems: dict[int, str] = {}  # by partition: why it is not driven
    failure: str = ""  # why the worker cannot work at all
    is_disk_full: bool = False  # if that is why
    last: tuple[str, str] = ("", "")  # URL and title of the last page
    messages: int = 0  # sent to other workers
    message_bytes: int = 0
    is_closed: bool = False
    scope: str = ""  # `digest_of` the rules that it obeys; "": none were given yet
    events: tuple[CrawlEvent, ...] = ()  # the last ones


_Message = TypeVar("_Message")


def digest_of(rules: Sequence[str]) -> str:
    """A short text that differs if rules do; never empty."""
    return f"{id_of(chr(10).join(rules)):016x}"


def packed(message: object) -> bytes:
    """A message as bytes."""
    return msgspec.msgpack.encode(message)


def unpacked(data: bytes, kind: type[_Message]) -> _Message:
    """The message of a kind; ClusterError if the bytes are none."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise ClusterError(
            f"A message between workers is damaged ({error}). Use one version of Exonym on all."
        ) from error
