"""Link models trained from the links of a web graph whose pages were judged."""
