"""Judges: look at a page that was read and say whether it is what the crawl is for (a `Verdict`).

base                                  what a judge is, and the laws that it keeps
language, about, topic, words, weight_table, combining      one kind of judge each: pure functions of a page
settings                              judges as plain data: what crosses process borders and stands in manifests
by_name                               from crawl.toml to settings, from settings to judges; the only one to open files

Judges run in reader processes, in imports and judgements of graphs, and in simulations that must agree with live
crawls. They know models, nations and languages, and nothing of a crawl.
"""
