"""What commands show on a terminal and take from it: keys, screens, a line of progress, signals, numbers.

`keys` and `label_screen` put pages before a person, `crawl_progress` and `crawl_summary` show a crawl, `status_line`
says what long work is doing, `signals` turns Ctrl-C into a wish to stop, `numbers` writes sizes and times as people
read them. For commands alone: the library prints nothing.
"""
