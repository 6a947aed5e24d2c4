"""Links that wait: which comes next, and which were seen before.

`base` has the rules, `reference` the plain twin in memory, `disk` the one that survives a kill.
"""
