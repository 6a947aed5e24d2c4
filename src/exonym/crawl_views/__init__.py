"""The views of a crawl: tables and curves made of its journal. Report, dashboard and status show the same ones.

visit_index     all visits in a DuckDB database, kept up to date with the journal
view            a table that is sorted, filtered and paged by the database
views           every view by its name
timeline        harvest, pace and bytes over pages and over time
why             everything that is known of one page or one server
crawl_facts     what was asked, when, by whom, and how it ended
crawl_report    the views as a report in one HTML file, with the tables as CSV
comparison      several crawls side by side

Everything here only reads a crawl, which may be running.
"""
