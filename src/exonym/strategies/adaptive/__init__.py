"""The adaptive strategy: scores that are learned during the crawl, from facts about each link."""
