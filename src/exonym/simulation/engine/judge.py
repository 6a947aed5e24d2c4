"""What the judge says of pages: the graph's truth, or what one that errs would say at a given precision and recall."""

import numpy as np

from exonym.batches import Flags, Outcome, Relevances
from exonym.simulation.plan import Plan
from exonym.webgraph.graph import Graph


def judged_relevant(graph: Graph, plan: Plan) -> Flags:
    """The graph's relevance, or that of a judge that misses some pages and takes others for relevant, by chance."""
    truth: Flags = np.asarray(graph.relevant)
    if plan.judge_precision >= 1 and plan.judge_recall >= 1:
        return truth
    draws = np.random.default_rng(plan.judge_seed).random(len(truth), dtype=np.float32)
    could_be_taken = (graph.outcome == Outcome.PAGE) & ~truth
    found = plan.judge_recall * np.count_nonzero(truth)
    mistaken = found * (1 - plan.judge_precision) / plan.judge_precision
    chance = mistaken / max(1, int(np.count_nonzero(could_be_taken)))
    judged: Flags = np.where(truth, draws < plan.judge_recall, could_be_taken & (draws < chance))
    return judged


def judged_relevance(relevance: Relevances | None, judged: Flags, truth: Flags) -> Relevances:
    """How relevant pages are to the judge, if the graph says how relevant they are; where it errs, it errs in this."""
    plain: Relevances = judged.astype(np.float32)
    return plain if relevance is None else np.where(judged == truth, relevance, plain)
