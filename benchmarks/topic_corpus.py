"""How well topic models do on real HTML pages, beside scikit-learn's plain pipeline; and how long training takes.

    python benchmarks/topic_corpus.py [--cache DIR] [--topics science music] [--pages-a-site 120] [--repeats 10]
    python benchmarks/topic_corpus.py --speed 80000 --relevant 8000

Pages are those of topic_packages.py: 0.9 GB are downloaded once. No constant of a model was chosen on them. The peers
have the same folds as the first repetition, all pages without under-sampling, weights for classes (linear), and the
threshold 0.5; they know no fields, stems or calibration.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from topic_packages import TOPICS, Pages, capped, level_cap, linked_folder, packaged_pages, sides

from exonym.models.topic import ModelKind, most_telling
from exonym.training.folds import dealt, possible_folds
from exonym.training.material.gathering import GatheredExamples, MaterialRequest, gather
from exonym.training.scores import Scores, scores_of
from exonym.training.term_matrix import TermMatrix, count_terms
from exonym.training.topic import TrainOptions, cross_validated, train_topic
from exonym.training.topic_command import TopicRequest, train_from
from exonym.training.validation import Validation, worst_mistakes

KINDS: tuple[ModelKind, ...] = ("naive-bayes", "linear")
HEAD = "| topic | pages of it | others | sites | model | by site | plain folds | leak | scikit-learn by site | plain |"


def main() -> None:
    """Print what was measured."""
    options = _options()
    groups = packaged_pages(options.cache)
    if options.speed:
        _measure_speed(*sides(groups, "science"), options)
        return
    print(f"10 folds x {options.repeats}, seed 0; at most {options.pages_a_site} pages a site; G-mean in per cent ± "
          "deviation over the repetitions\n")  # fmt: skip
    print(HEAD + "\n" + "|---|" + "---:|" * 3 + "---|" + "---:|" * 5)
    for topic in options.topics:
        relevant, others = (capped(pages, options.pages_a_site) for pages in sides(groups, topic))
        _measure_topic(topic, _request(options.cache / "linked" / topic, relevant, others), options)


def _request(folder: Path, relevant: Pages, others: Pages) -> MaterialRequest:
    positive = linked_folder(folder / "relevant", relevant.items())
    return MaterialRequest(positive, linked_folder(folder / "irrelevant", others.items()))


def _measure_topic(topic: str, request: MaterialRequest, options: argparse.Namespace) -> None:
    material = gather(request)
    terms = TrainOptions().terms
    counted, matrix = count_terms(material.examples, terms), _peer_matrix(material)
    of_topic = {example.site for example in material.examples if example.positive}
    pages = material.document()["pages"]
    counts = f"{pages['positive']:,} | {pages['negative']:,} | {len(of_topic)}"
    counts += f" + {material.sites - len(of_topic)}"
    for kind in KINDS:
        asked = [TrainOptions(kind=kind, repeats=options.repeats, by_site=by_site) for by_site in (True, False)]
        by_site, plain = (cross_validated(counted, one) for one in asked)
        peers = [f"{100 * _peer_g_mean(counted, matrix, one):.2f}" for one in asked]
        leak = 100 * (plain.g_mean - by_site.g_mean)
        figures = f"{_told(by_site)} | {_told(plain)} | {leak:.2f} | {' | '.join(peers)}"
        print(f"| {topic} | {counts} | {kind} | {figures} |", flush=True)
    if options.terms:
        _print_terms(material, counted, by_site)


def _told(validation: Validation) -> str:
    return f"{100 * validation.g_mean:.2f} ± {100 * validation.g_mean_deviation:.2f}"


def _print_terms(material: GatheredExamples, counted: TermMatrix, validation: Validation) -> None:
    print("  " + " ".join(term for term, _ in most_telling(train_topic(counted), 20)[0]))
    for mistake in worst_mistakes(material.examples, validation, 10):
        print(f"  {mistake.probability:.3f} {'/'.join(mistake.url.split('/')[-3:])}")


def _peer_matrix(material: GatheredExamples) -> Any:
    """Counts of words in all fields together."""
    from sklearn.feature_extraction.text import CountVectorizer

    words = CountVectorizer(min_df=2, stop_words="english")
    return words.fit_transform("\n".join(example.fields) for example in material.examples)


def _peer_g_mean(counted: TermMatrix, matrix: Any, options: TrainOptions) -> float:
    folds = possible_folds(counted.positives, counted.sites, options.folds, options.by_site)
    fold_of = dealt(counted.positives, counted.sites, folds, (options.seed, 0))
    scores = Scores()
    for fold in range(folds.number):
        inside, outside = np.flatnonzero(fold_of == fold), np.flatnonzero(fold_of != fold)
        model = _peer(options.kind).fit(matrix[outside], counted.positives[outside])
        scores += scores_of(np.asarray(model.predict(matrix[inside]), np.bool_), counted.positives[inside])
    return scores.g_mean


def _peer(kind: str) -> Any:
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    if kind == "naive-bayes":
        return make_pipeline(MultinomialNB())
    model = LogisticRegression(class_weight="balanced", solver="liblinear", max_iter=1_000)
    return make_pipeline(TfidfTransformer(sublinear_tf=True), model)


class _Steps:
    """Prints what each step of training took, by what progress says."""

    def __init__(self) -> None:
        self._first = self._last = time.perf_counter(), _cpu()
        self._name = "names of files"

    def __call__(self, what: str, done: int, total: int) -> None:
        name = "HTML read" if "pages read" in what else what
        if name != self._name:
            self.end()
            self._name = name

    def end(self, is_all: bool = False) -> None:
        """Print the step that ends, or all of them."""
        now, begun = (time.perf_counter(), _cpu()), self._first if is_all else self._last
        name = "in all" if is_all else self._name
        print(f"| {name} | {now[0] - begun[0]:.1f} | {now[1] - begun[1]:.1f} |", flush=True)
        self._last = now


def _measure_speed(relevant: Pages, others: Pages, options: argparse.Namespace) -> None:
    relevant = capped(relevant, level_cap(relevant, options.relevant))
    # Exact copies are left out of the material, so that a few more are named than are wanted.
    others = capped(others, level_cap(others, options.speed - sum(map(len, relevant.values()))))
    material = _request(options.cache / "linked" / "speed", relevant, others)
    files = sum(map(len, [*relevant.values(), *others.values()]))
    size = sum(path.stat().st_size for pages in [*relevant.values(), *others.values()] for path in pages)
    asked = TrainOptions(kind=options.kind, repeats=options.repeats, jobs=options.jobs)
    print(f"{options.kind}: {files:,} files, {size / 1e9:.2f} GB")
    print("| step | seconds | CPU seconds of all processes |\n|---|---:|---:|", flush=True)
    steps = _Steps()
    trained = train_from(TopicRequest(material, asked, name="science"), steps)
    steps.end()
    steps.end(is_all=True)
    found = trained.material
    positives = sum(example.positive for example in found.examples)
    print(f"{len(found.examples):,} pages, {positives:,} of the topic, {found.sites} sites, {found.left_out}")
    print(" ".join(f"{'by site' if one.by_site else 'plain'} {_told(one)}" for one in trained.validations))


def _cpu() -> float:
    """Seconds used by this process and those it began that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir(), "exonym-topics"))
    parser.add_argument("--topics", nargs="+", choices=TOPICS, default=list(TOPICS))
    parser.add_argument("--pages-a-site", type=int, default=120)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--terms", action="store_true", help="print telling terms and worst mistakes too")
    parser.add_argument("--speed", type=int, default=0, metavar="PAGES")
    parser.add_argument("--relevant", type=int, default=8_000, help="pages of the topic, with --speed")
    parser.add_argument("--kind", choices=KINDS, default="linear")
    parser.add_argument("--jobs", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
