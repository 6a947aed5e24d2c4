"""Links that wait: which comes next, and which were seen before.

`base` has the contract and the rules that all frontiers share; `disk` is the one that survives a kill, made of `queues`
(what waits), `seen` (what is known), `blocks` and `rows` (how it is packed), `log` (what a commit appends) and `turns`.
The plain twin in memory that it is compared with is `exonym.testing.reference`; the compiled simulator has a frontier
of its own (`exonym.simulation.engine`).
"""
