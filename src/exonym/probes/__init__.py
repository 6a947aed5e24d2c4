"""Random probes: links that are visited to learn what waits, whatever the strategy promises."""
