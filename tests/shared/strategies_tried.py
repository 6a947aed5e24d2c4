"""Every strategy that crawls live, with the options that its agreement is tried with."""

from typing import Any

STRATEGIES: list[tuple[str, dict[str, Any]]] = [
    ("adaptive", {"language": "th"}),
    ("adaptive", {"text": False}),
    ("bfs", {}),
    ("dfs", {}),
    ("larger-site-first", {}),
    ("hard", {}),
    ("soft", {}),
    ("limited-distance", {"T": 2}),
    ("limited-distance", {"T": 3, "prioritized": True}),
    ("lswc", {"S": 1, "T": 1}),
    ("lswc", {"S": 3, "T": 5}),
    ("lswc", {"S": 1, "T": 3, "english": False, "count_failures": False}),
    ("server-filter", {}),
    ("server-filter", {"mode": "conservative"}),
    ("directory-filter", {}),
    ("cjk", {}),
    ("best-page", {}),
    ("best-segment", {}),
    ("mean-segment", {}),
    ("segment", {}),
    ("site", {}),
    ("naive-bayes", {}),
    ("segment", {"S": 4, "D": 4, "threshold": 0.25, "history": 0.5, "neighbourhood": 0.5, "doubt": 2}),
]
