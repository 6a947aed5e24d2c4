"""The measurements that the papers made on a web, made on a web graph: one file an analysis, each returns tables.

run                                     all analyses by name: the entry for commands and notebooks
facts languages locality anchors        sizes; languages by domain; where links lead
seed_distance nearest_relevant          how far relevant pages are from seeds and from each other
segments holdings degrees components    links between segments; relevant pages per server; links per page; components
links search names                      used by these: links in parts, breadth-first search, texts that name a nation
"""
