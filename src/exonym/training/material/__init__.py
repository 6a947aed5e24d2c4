"""Training material: examples of pages of a topic and of others, from files, archives, crawls, graphs and labels."""
