"""What commands show on a terminal and read from it.

`keys` reads key presses, `label_screen` shows pages to label, `crawl_progress` shows a running crawl, `status_line`
shows what long work is doing, `numbers` formats sizes and times. Only commands print: the rest of
the package never does.
"""
