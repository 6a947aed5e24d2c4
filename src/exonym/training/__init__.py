"""Models made of examples: topic, about, weight table and link models, validated before they are saved.

What is made here is asked during a crawl by `exonym.models`. scikit-learn is imported here and nowhere else.
"""
