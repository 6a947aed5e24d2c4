"""The operating system in our words: `files`, `processes` and `limits` of processes. Knows nothing of crawling."""
