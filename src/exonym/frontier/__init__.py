"""The frontier: links that wait to be visited, in the order of the strategy, and all URLs that were ever met.

`base` has the contract and the rules that all frontiers share. `disk` is the frontier of live crawls, made of `queues`
(waiting links and their order), `seen` (URLs met so far), `link_rows` and `blocks` (waiting links as bytes on disk) and
`log` (what a commit appends). `look_ahead` stands before it and keeps crawls with many connections near the order of
the strategy. `exonym.testing.reference` is a plain frontier in memory, with which `disk` is compared; the compiled
simulator has a frontier of its own (`exonym.simulation.engine`).
"""
