"""Describes a generated web by tables, one of them as an Arrow table for your own calculations.

python examples/a_web_in_numbers.py
"""

import tempfile
from pathlib import Path

import exonym as ex


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        web = ex.generate_graph(Path(place) / "web", pages=5_000, seed=3)
        print(f"{len(web):,} addresses, {web.manifest.links:,} links, {web.relevant.sum():,} relevant pages\n")
        for table in ex.analyse(web, "languages", "locality"):
            print(table.text())
        degrees = ex.analyse(web, "degrees")[0].to_arrow()
        print(f"{degrees.num_rows} rows of {', '.join(degrees.column_names)}")


if __name__ == "__main__":
    main()
