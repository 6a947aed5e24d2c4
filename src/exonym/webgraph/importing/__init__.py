"""Web graphs made of crawl directories, WARC and WAT files, and tables.

`import_graph` is the entry. `sources` says what a path stands for; `tasks` reads one source (or part of a long file)
into `chunks`, with `from_warc`, `from_wat`, `from_crawl` or `from_tables`, which all make the records of `record`;
`run` does all tasks, in processes of `workers`, and then the revisits. `joining` makes one graph of all chunks, with
`nodes`, `groups`, `countries`, `page_columns` and `link_columns`. Used by commands, the Python API and the practice
web.
"""
