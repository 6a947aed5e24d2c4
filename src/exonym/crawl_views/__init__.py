"""The views of a crawl: tables and curves made of its journal. Report, dashboard and status show the same ones.

visit_index          all visits in a DuckDB database, kept up to date with the journal
index_file           the file of the database: opened, or made anew
index_tables         its tables, and how rows of the journal are counted into them
server_counts        the table of servers with their counts
waiting_links        the table of links that wait, by server
view                 a table that is sorted, filtered and paged by the database
views                every view by its name
view_files           a whole view as a CSV file
timeline             harvest, pace and bytes over pages and over time
why                  everything that is known of one page or one server
crawl_facts          what was asked, when, by whom, and how it ended
quick_look           dead seeds and best servers without an index, for `exonym status`
crawl_report         the views as a report in one HTML file, with the tables as CSV
quality              audit, samples and budgets reached, for the dashboard
report_tables        tables of the report that are no views
timeline_charts      curves as charts and figures
comparison           several crawls side by side
language_comparison  pages by language of crawls side by side

Everything here only reads a crawl, which may be running.
"""
