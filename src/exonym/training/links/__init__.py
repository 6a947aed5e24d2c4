"""Link models trained from the links of a web graph whose pages were judged.

examples, back_links, back_link_file   links between segments, gathered as in the thesis
matrix, fit, train                     the links as numbers, weights learned from them, models, what features contribute
command, report                        `exonym model links train`
threshold_search, tuning               which relevance degree, S and D suit a graph
"""
