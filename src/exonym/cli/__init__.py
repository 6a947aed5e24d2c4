"""The `exonym` command: reads options, calls the layers below, prints text or JSON.

A command is a file, a group of commands a folder. `program` lists all commands in panels and loads one when it is used,
`help_text` writes `--help`, `options` has the options that commands share, `option_groups` passes several of them as
one object, `output` prints results, `page_source` reads pages that a person names, `terminal/` shows long work,
`old_names` translates names of version 0.1.0. No other package imports from here.

Exit codes: 0 done, 2 wrong use or input (one line on stderr), 130 interrupted, 1 a defect of ours.
"""

from exonym.cli.program import main

__all__ = ["main"]
