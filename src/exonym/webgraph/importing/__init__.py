"""Web graphs made of crawl directories, WARC and WAT files, and tables, by several processes."""
