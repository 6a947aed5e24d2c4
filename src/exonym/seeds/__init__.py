"""Where crawls begin: addresses from web directories, tables, sitemaps and archives, chosen and written down."""
