"""HAPRC: a weight table that learns from queries, run again over a small corpus or CACM."""
