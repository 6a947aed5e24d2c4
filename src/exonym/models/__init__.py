"""Trained models as crawls use them: topic models, weight tables, link models, and the terms that they count.

terms, terms_by_number, remembered       pages as terms, and terms as numbers
topic, links/, weight_table(_words)      one kind of model each; calibration turns scores into probabilities
model_file, topic_file, links/file, weight_table_file, any_model_file
                                         models in files: the only modules here that open files

Models are made by `exonym.training`; nothing here imports scikit-learn, so that a crawl starts at once. Used by judges,
strategies and readers.
"""
