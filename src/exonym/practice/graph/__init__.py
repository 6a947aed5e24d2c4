"""The practice web as a web graph, and web graphs served as a practice web.

`practice_graph` holds the links of a practice web as arrays, `write` writes them with texts as a graph in files.
`graph_web` answers requests for the pages of any graph, which `node_pages` writes.
"""
