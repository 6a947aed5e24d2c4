"""Chan and Yamana 2010: crawling Chinese, Japanese and Korean pages, compared with the published tables."""
