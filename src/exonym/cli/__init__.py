"""The `exonym` command: options in, text out. What it does is in the layers below.

Exit codes: 0 done, 2 wrong use or input (one line on stderr), 130 interrupted, 1 a defect of ours.
"""

from exonym.cli.program import main

__all__ = ["main"]
