"""Every test may press Ctrl-C, also where tests are run in the background and were told to ignore it.

No test fails because a machine is busy: Hypothesis looks at no clock.
"""

import signal

from hypothesis import settings

signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("any load", deadline=None)
settings.load_profile("any load")
