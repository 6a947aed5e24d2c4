"""Made-up web graphs that have the published shape of real ones.

`profile` has the parameters (files in profiles/), `population` draws servers and pages, `link_drawing` draws the links
between them, `page_facts` their charsets and lengths, `generate` runs the steps and writes the graph. `check` compares
a graph with its profile and `published` with what papers say of the real one.
"""
