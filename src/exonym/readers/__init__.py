"""Bytes of a page in, a judged page out, in processes with limits on time and memory.

Pages of the web may be hostile, so a reader that crashes or runs too long costs its page and nothing else.
"""
