"""Judges: decide whether a page that was read is relevant to the crawl (a `Verdict`).

base                                  the protocol of judges, and their laws
language, about, topic, words, weight_table, combining      one kind of judge each: pure functions of a page
settings                              judges as plain data, for other processes and for manifests
by_name                               from crawl.toml to settings, from settings to judges; the only one to open files

Judges run in reader processes, in imports and judgements of graphs, and in simulations that must agree with live
crawls. They know models, nations and languages, and nothing of a crawl.
"""
