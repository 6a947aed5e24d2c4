"""The compiled simulator: the rules of `exonym.crawl` a second time, over arrays, with a frontier of its own.

`loop` runs a simulation, `rounds` (scores from a table) and `asking` (scores from the strategy) have the rules of the
crawl, `score_tables` makes the tables, `graph_batches` fills link and page columns from a graph, `arrays` and
`frontier*` hold the state of the crawl and the links that wait. `tests/agreement/test_engine_equals_reference.py` and
`test_live_equals_engine.py` hold this implementation and `exonym.crawl` equal, visit by visit. Only `exonym.simulation`
uses this package.
"""
