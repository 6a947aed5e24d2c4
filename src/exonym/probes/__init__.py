"""Random probes: links that are visited to learn what waits, whatever the strategy promises.

`random_probes` draws them and remembers what they led to, `completeness` estimates from that how much was found.
"""
