"""A worker process: reads pages that arrive over a socket until the socket closes.

Started by `pool` as `python -m exonym.readers.reader_process FD`, in a separate interpreter. The CPU time of each page
is limited; the kernel ends the process at the limit, whatever code it runs.
"""

import gc
import itertools
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

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
        from exonym.models.links.link_model_file import load_link_model
        from exonym.readers.read_links import ModelLinkReader

        return ModelLinkReader(load_link_model(Path(self.link_model)))


def main(fd: int) -> int:
    """Make the judge that the first message describes, then read pages until the driver closes its end."""
    import exonym.readers.parsing  # noqa: F401  before the limits are set, and not by the driver, which imports Setup

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pipe = Pipe(socket.socket(fileno=fd))
    messages = itertools.chain.from_iterable(iter(pipe.receive, None))
    first = next(messages, None)
    if first is None:
        return 0
    setup = msgspec.msgpack.decode(first, type=Setup)
    try:
        judge, link_reader = setup.make_judge(), setup.make_link_reader()
    except ExonymError as error:
        pipe.send(str(error).encode())
        pipe.flush()
        return 2
    limit_memory(setup.limits.memory_bytes)
    # What is loaded stays; a page's own objects are many, short-lived and without cycles.
    gc.freeze()
    gc.set_threshold(50_000)
    pipe.send(b"")  # ready
    pipe.flush()
    decode_job = msgspec.msgpack.Decoder(Job).decode
    for message in messages:
        limit_cpu(setup.limits.cpu_seconds)
        page = read_safely(decode_job(message), judge, setup.wants, link_reader)
        pipe.send(packed(page))
        pipe.flush()
        if page.failure == OUT_OF_MEMORY:
            return WORN_OUT
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
