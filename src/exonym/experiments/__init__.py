"""The papers' experiments, each one command: make its webs, run its crawls, lay our figures beside the published."""
