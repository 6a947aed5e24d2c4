"""Suebchua 2014: crawling website segments for topics, run again with tables and figures of the thesis."""
