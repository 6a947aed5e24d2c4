"""The practice web as a web graph, and web graphs served as a practice web."""
