"""The measurements that the papers made on a web, made on a web graph: each analysis returns tables.

analyse                                 all analyses by name: the entry for commands and notebooks
graph_subject                           what relevant pages are called, and which published figures to show too
overview best_servers                   sizes and origin; the servers with most relevant pages
languages locality                      languages by domain; where links lead, also by anchor
seed_distance nearest_relevant          how far relevant pages are from seeds and from each other
segments holdings degrees components    links between segments; relevant pages per server; links per page; components
link_parts search names                 used by these: links in parts, breadth-first search, texts that name a nation
"""
