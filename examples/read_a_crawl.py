"""Reads a crawl: its status, rows of its journal, and the text of its first relevant page.

python examples/read_a_crawl.py [DIR]          without DIR, it first crawls a small practice web
"""

import subprocess
import sys
import tempfile

import exonym as ex


def show(directory: str) -> None:
    """Print the totals of the crawl, its first relevant pages, and the text of the first one."""
    crawl = ex.open_crawl(directory)
    totals = crawl.status.totals
    print(f"{totals.pages} pages, {totals.relevant} of them relevant ({totals.harvest_rate:.0%})")
    relevant = [row for row in crawl.rows() if row.relevant]
    for row in relevant[:5]:
        print(f"{row.language}  {row.relevance:.2f}  {row.url}  ({row.why})")
    page = crawl.page(relevant[0])
    print(f"{page.url}: {len(page.body)} bytes of body, which begin: {page.text[:60]!r}")


def main() -> None:
    if len(sys.argv) > 1:
        show(sys.argv[1])
        return
    with tempfile.TemporaryDirectory() as directory:
        demo = [sys.executable, "-m", "exonym", "demo", directory, "--size", "200"]
        subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
        show(directory)


if __name__ == "__main__":
    main()
