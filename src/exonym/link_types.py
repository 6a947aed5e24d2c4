"""Which links lead to files (images, PDF …) instead of pages: they are not queued, because a request is worth a page.

Evidence is an address's ending, and what the server has answered to such addresses so far. An ending that names a file
is believed until the server answers such an address with a page. An ending that says nothing (`.php`, or none) is
followed until the server has answered it with files only. A few links that are not believed are followed nevertheless,
at most one for 200 pages fetched, on servers that have many of them: so a server with pages at `photo.jpg` is noticed.
Only `Crawl` uses this module.
"""

import re
from collections import Counter
from functools import lru_cache

import numpy as np

from exonym.batches import NO_ROW, SITEMAP_HOP, LinkBatch, Outcome, PageBatch
from exonym.strategies.base import State

_ENDINGS = {
    "images": "jpg jpeg jpe jfif png gif webp svg svgz bmp ico tif tiff avif heic psd eps ai raw",
    "documents": "pdf doc docx docm xls xlsx xlsm ppt pptx pps ppsx odt ods odp rtf ps epub mobi djvu csv",
    "sound and film": "mp3 wav ogg oga m4a flac aac mid midi wma mp4 m4v avi mov wmv mpg mpeg flv webm mkv 3gp rm swf",
    "archives and programs": "zip rar gz tgz tar 7z bz2 xz zst exe msi dmg pkg iso apk deb rpm jar cab bin torrent",
    "data": "xml rss atom rdf json css js mjs woff woff2 ttf otf eot ics vcf kml kmz gpx map wasm",
}
FILE_KINDS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}
_OFFICE = "application/vnd.openxmlformats-officedocument."
DOCUMENT_TYPES = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": f"{_OFFICE}wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": f"{_OFFICE}spreadsheetml.sheet",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": f"{_OFFICE}presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "rtf": "application/rtf",
    "ps": "application/postscript",
    "epub": "application/epub+zip",
    "djvu": "image/vnd.djvu",
    "csv": "text/csv",
}
OTHER_FILES = "other files"  # the kind of those that are files by a server's answers alone

PAGES_PER_TRIAL = 200
_FOUND_BEFORE_TRIAL = 10  # links of one server; tenfold after each trial
_FILES_TO_BELIEVE = 3  # answers of a server, none of them a page
_FILES_ANYWHERE = 5  # answers of all servers, none of them a page

# At the end of a name; what is pasted after an address (a space, a quotation mark) does not belong to the ending.
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,8})(?:%2[0-9A-F])*$")
_LONGEST_NAME = 40


@lru_cache(maxsize=65_536)
def shape_of(url: str) -> str:
    """What of a URL in normal form tells its type: mostly the ending, as in `jpg`, "" without one, "/" for a directory.

    `:jpg` for a title as wikis have it (`File:Photo.jpg`), which is a page; `view.php?` for a script with a query,
    because one script of a server may give pages and another images.

    >>> shape_of("http://a.example/b/Photo.JPG?w=9"), shape_of("http://a.example/wiki/File:Photo.jpg")
    ('jpg', ':jpg')
    """
    path, _, query = url.partition("?")
    name = path.rpartition("/")[2].partition(";")[0]
    if not name:
        return "/"
    found = _ENDING.search(name) if "." in name else None
    if found is None:
        return ""
    ending = found[1].lower()
    if ending in FILE_KINDS:
        title = name[: found.start()]
        return f":{ending}" if ":" in title or "%3A" in title else ending
    return f"{name.lower()[-_LONGEST_NAME:]}?" if query else ending


class LinkTypes:
    """Decides which links are asked for; it learns from the answers. Memory: some 300 bytes a shape and server."""

    def __init__(self, wanted: frozenset[str] = frozenset()) -> None:
        """`wanted` are endings of files to be fetched like pages."""
        self._file_kinds = {ending: kind for ending, kind in FILE_KINDS.items() if ending not in wanted}
        # By server and shape: pages and files answered, links found that were not asked for, and trials.
        self._known: dict[tuple[int, str], list[int]] = {}
        self._anywhere: dict[str, list[int]] = {}  # by shape: pages and files answered
        self._named = set(self._file_kinds)  # shapes that name files, everywhere
        self._doubted: set[tuple[int, str]] = set()  # servers and shapes that gave files only
        self._suspicious = set(self._file_kinds)  # shapes that are or were named or doubted: all others are believed
        self._trials = 0
        self.unasked: Counter[str] = Counter()  # links found that were not asked for, by kind of file

    def asked(self, links: LinkBatch, pages: int) -> LinkBatch:
        """The links that are to be queued, when `pages` pages were fetched; seeds and sitemaps always are."""
        if links.text is None:  # of a graph: only the nodes are known
            return links
        # Nearly all links are above suspicion, so the first look must be quick: a set, and no tuples.
        suspicious = self._suspicious
        suspects = [place for place, shape in enumerate(map(shape_of, links.text)) if shape in suspicious]
        if not suspects:
            return links
        is_exempt = (links.source[suspects] == NO_ROW) | (links.hops[suspects] & np.uint8(SITEMAP_HOP) != 0)
        unasked = [
            place
            for place, server, exempt in zip(suspects, links.server[suspects].tolist(), is_exempt.tolist(), strict=True)
            if not (exempt or self._is_worth_asking(server, shape_of(links.text[place]), pages))
        ]
        if not unasked:
            return links
        is_asked = np.ones(len(links), np.bool_)
        is_asked[unasked] = False
        return links.pick(is_asked)

    def _is_worth_asking(self, server: int, shape: str, pages: int) -> bool:
        return self._is_believed(server, shape) or self._is_trial(server, shape, pages)

    def _is_believed(self, server: int, shape: str) -> bool:
        """Whether addresses of this shape lead to pages, by what is known."""
        if shape not in self._named:
            return (server, shape) not in self._doubted
        of_pages, of_files, *_ = self._known.get((server, shape), (0, 0))
        return of_pages > 0 and of_pages >= of_files

    def file_kind(self, server: int, url: str) -> str:
        """The kind of file to which a URL of a server is believed to lead; "" if it is believed to lead to a page."""
        shape = shape_of(url)
        return "" if self._is_believed(server, shape) else self._file_kinds.get(shape, OTHER_FILES)

    def _is_trial(self, server: int, shape: str, pages: int) -> bool:
        """Count a link that is not believed to lead to a page; whether it is asked for nevertheless."""
        known = self._known.setdefault((server, shape), [0, 0, 0, 0])
        known[2] += 1
        if self._trials < pages // PAGES_PER_TRIAL and known[2] >= _FOUND_BEFORE_TRIAL ** (known[3] + 1):
            self._trials += 1
            known[3] += 1
            return True
        self.unasked[self._file_kinds.get(shape, OTHER_FILES)] += 1
        return False

    def learn(self, pages: PageBatch) -> None:
        """Learn what addresses turned out to be: pages, or files. Failures and redirects say nothing."""
        if pages.text is None or pages.is_file is None:
            return
        columns = zip(pages.server.tolist(), pages.text, pages.outcome.tolist(), pages.is_file.tolist(), strict=True)
        for server, url, outcome, is_file in columns:
            if outcome == Outcome.PAGE:
                shape = shape_of(url)
                was_asked = self._is_believed(server, shape)
                self._add(server, shape, not is_file, is_file)
                known = self._known[server, shape]
                if not was_asked and known[3] < known[0] + known[1]:  # a trial that is in no snapshot
                    known[3] += 1
                    self._trials += 1

    def _add(self, server: int, shape: str, *answers: int) -> None:
        known = self._known.setdefault((server, shape), [0, 0, 0, 0])
        anywhere = self._anywhere.setdefault(shape, [0, 0])
        for place, count in enumerate(answers):
            known[place] += count
            anywhere[place] += count
        if known[0]:
            self._doubted.discard((server, shape))
        elif known[1] >= _FILES_TO_BELIEVE:
            self._doubted.add((server, shape))
            self._suspicious.add(shape)
        if shape not in self._file_kinds:
            if anywhere[0]:
                self._named.discard(shape)
            elif anywhere[1] >= _FILES_ANYWHERE and shape.isalnum():
                self._named.add(shape)
                self._suspicious.add(shape)

    def state(self) -> State:
        """What was learned, as arrays; `unasked` is in the totals of the crawl."""
        servers, shapes = [server for server, _ in self._known], [shape for _, shape in self._known]
        return {
            "server": np.array(servers, np.uint64),
            "shape": np.array(shapes, np.str_),
            "counts": np.array(list(self._known.values()), np.int64).reshape(-1, 4),
        }

    def restore(self, state: State) -> None:
        """Go on from what `state` gave."""
        self._known, self._anywhere, self._trials = {}, {}, 0
        self._named, self._doubted = set(self._file_kinds), set()
        self._suspicious = set(self._file_kinds)
        self.merge(state)

    def merge(self, state: State) -> None:
        """Add what those of another partition learned, as their `state` gives it."""
        columns = (state[name].tolist() for name in ("server", "shape", "counts"))
        for server, shape, (of_pages, of_files, found, trials) in zip(*columns, strict=True):
            self._add(server, shape, of_pages, of_files)
            known = self._known[server, shape]
            known[2] += found
            known[3] += trials
            self._trials += trials
