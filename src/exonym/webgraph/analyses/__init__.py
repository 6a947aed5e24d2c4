"""What the papers measured of a web, measured of a web graph: one file an analysis, each gives tables.

run                                     all analyses by name, the entrance for commands and notebooks
facts languages locality anchors        sizes; languages by domain; where links lead
seed_distance nearest_relevant          how far relevant pages are from seeds and from each other
segments holdings degrees components    links between segments; relevant pages per server; links per page; components
links search names                      beneath these: links in parts, breadth-first search, texts that name a nation
"""
