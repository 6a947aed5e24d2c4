"""Topic models: training with validation, and judging a page, beside scikit-learn's own pipeline in the same run.

    python benchmarks/topic.py [--pages 80000] [--relevant 6112] [--repeats 10] [--jobs 2]

Pages are made up, reproducibly (seed 7): 400 words of a Zipf vocabulary, some of them the topic's, some the site's own,
as menus are. Figures of accuracy say nothing about real pages; those of time do.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from exonym.models.terms import Fields
from exonym.models.topic import ModelKind, TopicModel
from exonym.models.topic_file import load_model, save_model
from exonym.training.examples import Example
from exonym.training.term_matrix import count_terms
from exonym.training.topic import TrainOptions, cross_validated, train_topic

SEED = 7
WORDS = 60_000
TOPIC_WORDS = 400
LITTLE = [  # the most frequent words, which models leave out
    *("the", "of", "and", "to", "in", "is", "that", "it", "was", "for", "on", "are", "as", "with", "his", "they", "at"),
    *(
        "be",
        "this",
        "have",
        "from",
        "or",
        "one",
        "had",
        "by",
        "but",
        "not",
        "what",
        "all",
        "were",
        "we",
        "when",
        "your",
    ),
    *("can", "said", "there", "use", "an", "each", "which", "she", "do", "how", "their", "if", "will", "up", "other"),
]
LETTERS = list("etaoinshrdlucmfwypbgk")


def main() -> None:
    """Print what was measured."""
    options = _options()
    pages = made_pages(options.pages, options.relevant, 400)
    print(f"{len(pages):,} pages of 400 words, {options.relevant:,} relevant, seed {SEED}, jobs {options.jobs}")
    for kind in ("naive-bayes", "linear"):
        model = _measure_training(pages, kind, options)
        _measure_judging(pages, model)


def made_pages(count: int, relevant: int, words: int) -> list[Example]:
    """Pages on as many sites as there are forties of them; a site is mostly of one class."""
    chance = np.random.default_rng(SEED)
    vocabulary = np.array(sorted({"".join(chance.choice(LETTERS, chance.integers(3, 10))) for _ in range(WORDS)}))
    chance.shuffle(vocabulary)
    vocabulary[: len(LITTLE)] = LITTLE
    common = np.cumsum(1 / (np.arange(len(vocabulary)) + 2.7))  # as Mandelbrot found for English
    common /= common[-1]
    positive = np.zeros(count, np.bool_)
    positive[:relevant] = True
    sites = np.arange(count) // 40  # relevant pages together, then the others
    mixed = chance.choice(count, count // 10, replace=False)
    sites[mixed] = sites[chance.permutation(mixed)]
    own = chance.integers(0, len(vocabulary), (int(sites.max()) + 1, 30))
    topic = chance.integers(100, len(vocabulary), TOPIC_WORDS)
    return [_page(number, positive, sites, (vocabulary, common, own, topic), words) for number in range(count)]


def _page(number: int, positive: np.ndarray, sites: np.ndarray, words: tuple, length: int) -> Example:  # type: ignore[type-arg]
    vocabulary, common, own, topic = words
    chance = np.random.default_rng((SEED, number))
    drawn = np.searchsorted(common, chance.random(length))
    site = int(sites[number])
    drawn[:20] = own[site][chance.integers(0, 30, 20)]
    told = int(chance.integers(2, 15)) * (1 if positive[number] else chance.random() < 0.1)
    drawn[20 : 20 + told] = topic[chance.integers(0, len(topic), told)]
    text = vocabulary[drawn].tolist()
    fields = Fields(" ".join(text[18:26]), " ".join(text[20:]), "\n".join(text[:20]))
    return Example(f"http://s{site}.example/{number}", f"s{site}.example", fields, bool(positive[number]))


def _measure_training(pages: list[Example], kind: ModelKind, options: argparse.Namespace) -> TopicModel:
    asked = TrainOptions(kind=kind, repeats=options.repeats, jobs=options.jobs)
    plain = TrainOptions(kind=kind, repeats=options.repeats, jobs=options.jobs, by_site=False)
    begun, used = time.perf_counter(), _cpu()
    material = count_terms(pages, asked.terms, jobs=options.jobs)
    read = time.perf_counter()
    by_site = cross_validated(material, asked)
    validated = time.perf_counter()
    model = train_topic(material, asked)
    trained = time.perf_counter()
    print(f"\n{kind}: read {read - begun:.1f} s, validated 10 x {options.repeats} in {validated - read:.1f} s,")
    print(f"  trained {trained - validated:.1f} s: {trained - begun:.1f} s in all (asked: 180)")
    print(f"  CPU of all processes {_cpu() - used:.0f} s: {(_cpu() - used) / options.jobs:.0f} s on quiet cores")
    leak = cross_validated(material, plain)
    print(f"  and plain folds {time.perf_counter() - trained:.1f} s")
    print(f"  G-mean by site {by_site.g_mean:.4f} ± {by_site.g_mean_deviation:.4f}, plain folds {leak.g_mean:.4f}")
    ours, theirs = _one_fit(pages, asked), _peer_fit(pages, kind)
    print(f"  one fit from text to weights, CPU: ours {ours:.2f} s, scikit-learn {theirs:.2f} s: {theirs / ours:.1f} x")
    return model


def _cpu() -> float:
    """Seconds used by this process and those it began that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _one_fit(pages: list[Example], options: TrainOptions) -> float:
    from exonym.training.topic import fitted

    begun = time.process_time()
    few = _balanced(pages)
    found = count_terms(few, options.terms, jobs=1)
    fitted(found, np.arange(len(found)), options, (0,))
    return time.process_time() - begun


def _balanced(pages: list[Example]) -> list[Example]:
    relevant = [page for page in pages if page.positive]
    return relevant + [page for page in pages if not page.positive][: len(relevant)]


def _peer(kind: ModelKind) -> object:
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    if kind == "naive-bayes":
        return make_pipeline(CountVectorizer(min_df=2, stop_words="english"), MultinomialNB())
    terms = TfidfVectorizer(min_df=2, stop_words="english", sublinear_tf=True)
    return make_pipeline(terms, LogisticRegression(C=10.0, max_iter=1_000))


def _peer_fit(pages: list[Example], kind: ModelKind) -> float:
    """Without stemming, which scikit-learn has not."""
    begun = time.process_time()
    few = _balanced(pages)
    _peer(kind).fit(["\n".join(page.fields) for page in few], [page.positive for page in few])  # type: ignore[attr-defined]
    return time.process_time() - begun


def _measure_judging(pages: list[Example], model: TopicModel) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "topic.model")
        save_model(model, path)
        size = path.stat().st_size
        loading = _microseconds(lambda: load_model(path), 3)
        model = load_model(path)
    few = _balanced(pages)[:2_000] + _balanced(pages)[-2_000:]
    peer = _peer(model.kind)
    peer.fit(["\n".join(page.fields) for page in few], [page.positive for page in few])  # type: ignore[attr-defined]
    half = [page.fields for page in pages[-1_000:]]
    whole = [Fields(one.title, one.body + "\n" + two.body, one.anchors) for one, two in pairwise(half)]
    print(f"  file {size / 1e6:.1f} MB, {len(model.terms):,} terms, loads in {loading / 1e3:.0f} ms")
    for words, fields in (("400", half), ("800", whole)):
        ours = _microseconds(lambda fields=fields: [model.probability(one) for one in fields], 5) / len(fields)  # type: ignore[misc]
        some = ["\n".join(one) for one in fields[:200]]
        theirs = _microseconds(lambda some=some: [peer.predict_proba([one]) for one in some], 3) / len(some)  # type: ignore[attr-defined, misc]
        print(f"  judging {words} words: {ours:.0f} µs (asked: 200), scikit-learn {theirs:.0f}: {theirs / ours:.0f} x")


def _microseconds(work: Callable[[], object], times: int) -> float:
    """The median of several runs, CPU."""
    took = []
    for _ in range(times):
        begun = time.process_time()
        work()
        took.append(time.process_time() - begun)
    return statistics.median(took) * 1e6


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=80_000)
    parser.add_argument("--relevant", type=int, default=6_112)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
