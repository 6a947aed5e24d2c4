"""The `exonym` command: options in, text or JSON out. What it does is in the layers below.

A command is a file, a group of commands a folder: `program` lists all of them in panels and loads one when it is used,
`help_text` writes `--help`, `options` has what commands share, `output` prints results, `page_source` reads a page that
one names, `terminal/` shows long work, `old_names` understands version 0.1.0. Nothing else imports from here.

Exit codes: 0 done, 2 wrong use or input (one line on stderr), 130 interrupted, 1 a defect of ours.
"""

from exonym.cli.program import main

__all__ = ["main"]
