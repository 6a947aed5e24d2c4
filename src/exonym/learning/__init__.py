"""Topic models and weight tables: learned from examples, asked at crawl time."""
