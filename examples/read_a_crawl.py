"""From a crawl to its pages: journal rows, and the response of one of them out of the archive.

python examples/read_a_crawl.py [DIR]          without DIR it crawls a small practice web first
"""

import sys
import tempfile
from pathlib import Path

from exonym.archive.reading import read_responses
from exonym.practice import PracticeWeb
from exonym.testing.live import crawl_practice_web, rows_of


def show(directory: Path) -> None:
    """The relevant pages of a crawl, and how long the first one's archived body is."""
    relevant = [row for row in rows_of(directory) if row.relevant]
    for row in relevant[:5]:
        print(f"{row.language}  {row.relevance:.2f}  {row.url}  ({row.why})")
    for file in sorted((directory / "warc").glob("*.warc.gz")):
        for response in read_responses(file):
            if response.url == relevant[0].url:
                print(f"archived in {file.name} at {response.offset}: {len(response.body)} bytes of body")
                return


def main() -> None:
    if len(sys.argv) > 1:
        show(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as directory:
        crawl_practice_web(Path(directory), PracticeWeb(seed=3, pages=200), {"limits": {"pages": 40}})
        show(Path(directory))


if __name__ == "__main__":
    main()
