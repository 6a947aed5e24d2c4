"""`python -m exonym …`: the command `exonym`, for those who have this Python and not its scripts in their path."""

from exonym.cli.program import main

main()
