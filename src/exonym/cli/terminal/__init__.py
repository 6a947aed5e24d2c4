"""What commands show on a terminal and read from it.

`keys` reads key presses, `label_screen` shows pages to label, `crawl_progress` shows a running crawl, `status_line`
shows what long work is doing, `numbers` writes sizes and times as people read them. Only commands print: the rest of
the package never does.
"""
