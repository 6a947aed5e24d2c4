"""Chan and Yamana 2010: crawling Chinese, Japanese and Korean pages, run again beside the published tables."""
