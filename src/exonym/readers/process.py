"""A worker process: reads pages that come over a socket until the socket closes.

Started by `pool` as `python -m exonym.readers.process FD`, in an interpreter of its own. The CPU time of each page is
limited; the kernel ends the process at the limit, whatever code it is in.
"""

import gc
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from exonym.errors import ExonymError
from exonym.extract.document import Wants
from exonym.judges.base import Judge
from exonym.readers.page import OUT_OF_MEMORY, Job, PageLinkReader, packed, read_safely
from exonym.readers.pipe import Pipe
from exonym.system.limits import ProcessLimits, limit_cpu, limit_memory

WORN_OUT = 75  # exit status: memory ran out, the page was answered, and the next pages need a fresh process


class Setup(msgspec.Struct, array_like=True, frozen=True):
    """The first message to a worker. `factory` ("module:function") comes from code, never from crawl.toml."""

    judge: dict[str, Any]
    factory: str
    wants: Wants
    limits: ProcessLimits
    link_model: str = ""  # a file; "" for none

    def make_judge(self) -> Judge:
        """The judge that the settings describe, made by the factory."""
        module, _, function = self.factory.partition(":")
        judge: Judge = getattr(import_module(module), function)(self.judge)
        return judge

    def make_link_reader(self) -> PageLinkReader | None:
        """A reader of links with the model, if there is one."""
        if not self.link_model:
            return None
        from exonym.models.links.file import load_link_model
        from exonym.readers.links import ModelLinkReader

        return ModelLinkReader(load_link_model(Path(self.link_model)))


class Reader(NamedTuple):
    """The judge of a worker, and its reader of links."""

    judge: Judge
    links: PageLinkReader | None


def main(fd: int) -> int:
    """Read pages until the driver closes its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Pipe(socket.socket(fileno=fd))
    setup: Setup | None = None
    reader: Reader | None = None
    decode_setup, decode_job = msgspec.msgpack.Decoder(Setup).decode, msgspec.msgpack.Decoder(Job).decode
    while (messages := pipe.receive()) is not None:
        for message in messages:
            if setup is None or reader is None:
                setup = decode_setup(message)
                reader = _begin(setup, pipe)
                continue
            limit_cpu(setup.limits.cpu_seconds)
            page = read_safely(decode_job(message), reader.judge, setup.wants, reader.links)
            pipe.send(packed(page))
            pipe.flush()
            if page.failure == OUT_OF_MEMORY:
                return WORN_OUT
    return 0


def _begin(setup: Setup, pipe: Pipe) -> Reader:
    """Make the judge and the reader of links, take on the memory limit, and report that the worker is ready."""
    try:
        reader = Reader(setup.make_judge(), setup.make_link_reader())
    except ExonymError as error:
        pipe.send(str(error).encode())
        pipe.flush()
        raise SystemExit(2) from None
    limit_memory(setup.limits.memory_bytes)
    # What is loaded stays; a page's own objects are many, short-lived and without cycles.
    gc.freeze()
    gc.set_threshold(50_000)
    pipe.send(b"")
    pipe.flush()
    return reader


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
