"""The page crawler of Srisukha et al. (2008), as Suebchua's thesis describes it: naive Bayes on features of links."""

import numpy as np

from exonym.batches import NO_ROW, Floats, LinkBatch
from exonym.strategies.link_models import Guessing
from exonym.strategies.segment.segment_links import STEPS


class NaiveBayes(Guessing):
    """`naive-bayes`: order links by the probability that the target page is relevant; each link is judged alone.

    The relevance of the page on which a link was found takes the place of the relevance degree of a segment. Seeds have
    score 1.
    """

    unit = "page"

    def score(self, links: LinkBatch) -> Floats:
        scores = self.guess_steps(links, links.source_relevance.astype(np.float64)) / STEPS
        return np.where(links.source == NO_ROW, 1.0, scores)
