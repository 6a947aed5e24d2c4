"""Every test may press Ctrl-C, also where tests are run in the background and were told to ignore it."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
