"""What was learned, as a crawl asks it: topic models, weight tables, link models, and the terms they count.

Models are made by `exonym.training`; nothing here imports scikit-learn, so that a crawl starts at once.
"""
