"""Asks once whether a Ray cluster answers at an address; run as a process, because Ray may wait there for long."""

import sys


def main(address: str) -> None:
    """End with 0 if a cluster answers; Ray says on stderr what is wrong."""
    from ray._raylet import GcsClient  # type: ignore[attr-defined]  # compiled

    GcsClient(address=address)


if __name__ == "__main__":
    main(sys.argv[1])
