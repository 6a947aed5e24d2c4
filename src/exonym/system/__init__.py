"""The operating system and Python in our words; nothing here knows of crawling.

`files`, `processes` and `limits` of processes; `extras`, the optional packages; `late_names`, imports when asked for.
"""
