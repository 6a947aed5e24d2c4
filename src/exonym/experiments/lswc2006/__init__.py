"""Somboonviwat et al. 2006: language specific web crawling, run again and compared claim by claim."""
