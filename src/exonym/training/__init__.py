"""Training of models from examples: topic, about, weight table and link models, validated before they are saved.

Crawls use the models through `exonym.models`. scikit-learn is imported here and nowhere else. Used
by labelling, experiments and the command line; knows crawl directories, graphs and judges.

examples, labels, corpus, material/   what models are trained from
options, term_matrix, fit             examples as numbers, and weights learned from them
folds, validation, scores, platt      held-out examples: how good a kind of model is, and what its scores mean
topic, links/, about, retrieval       one kind of model each (retrieval: documents for weight tables)
provenance, *_command, *_report       where a model comes from, and reports about it
"""
