"""Made-up web graphs that have the published shape of real ones."""
