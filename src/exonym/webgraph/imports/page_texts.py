"""The texts of pages that were kept, from chunks to columns of nodes. Memory: one chunk."""

from pathlib import Path

import numpy as np

from exonym.webgraph.imports.chunks import load_chunk
from exonym.webgraph.imports.columns import PageColumns
from exonym.webgraph.imports.ragged import Places, starts_of
from exonym.webgraph.writing import GraphWriter


def put_page_texts(writer: GraphWriter, name: str, chunks: list[Path], pages: PageColumns) -> None:
    """Write a text column of pages; nodes without a page have an empty text."""
    ids = pages.ids
    starts: Places = writer.room(f"{name}.offsets", len(ids) + 1)
    starts[:] = 0
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", f"{name}_lengths")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        counts = pages.counts_in(number, nodes)
        starts[1:][nodes[counts]] = chunk[f"{name}_lengths"][counts]
    np.cumsum(starts, out=starts)
    data = writer.room(f"{name}.bytes", int(starts[-1]))
    for number, path in enumerate(chunks):
        chunk = load_chunk(path, "url_id", "page_url", f"{name}_lengths", f"{name}_bytes")
        nodes = np.searchsorted(ids, chunk["url_id"])[chunk["page_url"]]
        own = starts_of(chunk[f"{name}_lengths"])
        # Texts are long: one by one they cost less than an index of every byte.
        for record in np.flatnonzero(pages.counts_in(number, nodes)).tolist():
            text = chunk[f"{name}_bytes"][own[record] : own[record + 1]]
            data[starts[nodes[record]] : starts[nodes[record]] + len(text)] = text
