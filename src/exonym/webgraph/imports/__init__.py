"""The steps of an import: sources, reading them into chunks, and joining chunks into the columns of a graph."""
