"""The measurements that the papers made on a web, made on a web graph: each analysis returns tables.

run                                     all analyses by name: the entry for commands and notebooks
facts languages locality                sizes; languages by domain; where links lead, also by anchor
seed_distance nearest_relevant          how far relevant pages are from seeds and from each other
segments holdings degrees components    links between segments; relevant pages per server; links per page; components
links search names                      used by these: links in parts, breadth-first search, texts that name a nation
"""
