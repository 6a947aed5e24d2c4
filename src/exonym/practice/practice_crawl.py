"""Settings for crawls of a practice web: no other server is disturbed, so nobody has to wait."""

from typing import Any

PRACTICE_OPERATOR = "https://exonym.example/demo"
PRACTICE_ADDRESS = "127.0.0.1:8080"  # where `exonym practice-web` serves unless told otherwise


def practice_settings() -> dict[str, dict[str, Any]]:
    """Sections and keys of crawl.toml for a crawl of a practice web on this machine."""
    return {
        "politeness": {
            "operator": PRACTICE_OPERATOR,
            "delay_seconds": 0.02,
            "address_delay_seconds": 0.0,
            "retry_seconds": 0.2,
        },
        # Few connections: if all servers of such a small web were visited at once, a strategy would have no choice.
        "network": {"connections": 10, "connect_to": PRACTICE_ADDRESS},
    }
