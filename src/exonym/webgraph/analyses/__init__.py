"""The analyses of a web graph, one a module: each a function from a graph to tables."""
