"""The judge of a simulation: it knows the truth of the graph, or errs with a given precision and recall."""

import numpy as np

from exonym.batches import Flags, Outcome, Relevances
from exonym.simulation.plan import Plan
from exonym.webgraph.graph import Graph


def judged_relevant(graph: Graph, plan: Plan) -> Flags:
    """Which pages the judge calls relevant; one that errs misses some and takes others for relevant, by chance."""
    truth: Flags = np.asarray(graph.relevant)
    if plan.judge_precision >= 1 and plan.judge_recall >= 1:
        return truth
    draws = np.random.default_rng(plan.judge_seed).random(len(truth), dtype=np.float32)
    can_be_mistaken = (graph.outcome == Outcome.PAGE) & ~truth
    found = plan.judge_recall * np.count_nonzero(truth)
    mistaken = found * (1 - plan.judge_precision) / plan.judge_precision
    chance = mistaken / max(1, int(np.count_nonzero(can_be_mistaken)))
    judged: Flags = np.where(truth, draws < plan.judge_recall, can_be_mistaken & (draws < chance))
    return judged


def judged_relevance(relevance: Relevances | None, judged: Flags, truth: Flags) -> Relevances:
    """The relevance of pages to the judge: that of the graph, if it has any and the judge is right; else 1 or 0."""
    plain: Relevances = judged.astype(np.float32)
    return plain if relevance is None else np.where(judged == truth, relevance, plain)
