"""What the papers measured of a web, measured of a web graph: one file an analysis, each gives tables."""
