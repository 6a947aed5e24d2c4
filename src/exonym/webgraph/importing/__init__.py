"""Web graphs made of crawl directories, WARC and WAT files, and tables.

`import_graph` is the entry. `import_sources` finds the files that a path stands for; `tasks` reads one source (or part
of a long file) into `chunks`, with `from_warc`, `from_wat`, `from_crawl` or `from_tables`, which all return the records
of `record`; `run_tasks` runs all tasks, in the processes of `workers`, and then reads the revisits. `joining` makes one
graph of all chunks, with `nodes`, `groups`, `server_countries`, `page_columns` and `link_sorting`. Commands, the Python
API and the practice web use it.
"""
