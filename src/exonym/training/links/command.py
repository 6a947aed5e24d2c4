"""Gathers links from a web graph, validates link models on them, and trains one that knows its provenance."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np

from exonym.errors import ConfigError
from exonym.judges.judge_settings import Plain, described, parts_of
from exonym.models.links.features import FEATURES
from exonym.models.links.link_reader import ReadOptions, read_options_of
from exonym.models.links.trained import LinkModelKind, TrainedLinkModel
from exonym.models.terms import TermOptions
from exonym.nations import Nation, load_nation, with_names
from exonym.progress import Progress, no_progress
from exonym.system.processes import TaskRunner
from exonym.training.links.back_link_file import read_back_links
from exonym.training.links.link_examples import Gathered, Gathering, gather_links
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import Ablation, ablation, train_link_model, validated
from exonym.training.provenance import storable, with_provenance
from exonym.training.train_options import LinkTrainOptions, TrainRequest
from exonym.training.validation import Validation, validated_in_all_ways
from exonym.urls import site_of
from exonym.webgraph.graph import Graph
from exonym.webgraph.judging import judge_again, judge_settings


@dataclass(frozen=True, slots=True)
class LinkModelRequest(TrainRequest):
    """A link model to be trained: from which graph, and how."""

    graph: Path
    gathering: Gathering  # without the back-links of the file below
    options: LinkTrainOptions  # `reading` is replaced according to `nation`, `names` and `language`
    nation: str = ""  # two letters or a file; "" for the nation of the judge, if it has one
    names: Path | None = None
    language: str = "en"  # of the words of links
    judge: Plain | None = None  # which pages are relevant; None: as the graph says
    back_links: Path | None = None  # a file of back-links, in addition to the graph's own
    ablation: bool = True  # validate models without each feature, too


@dataclass(frozen=True, slots=True)
class LinkModelTrained:
    """The model, its examples, and validations of such models; the validation of the model's own kind comes first."""

    request: LinkModelRequest
    model: TrainedLinkModel
    gathered: Gathered
    relevant_if: str  # in a few words
    nation: str  # its two letters; "" if none was named
    validations: tuple[Validation, ...]
    ablations: tuple[Ablation, ...]
    remarks: tuple[str, ...]


def train_links(
    request: LinkModelRequest, progress: Progress = no_progress, runner: TaskRunner | None = None
) -> LinkModelTrained:
    """Gather, validate and train; the folds of validations are done by the runner, if there is one."""
    graph = Graph.open(request.graph)
    nation = _nation(request, request.judge or judge_settings(graph))
    reading = read_options_of(nation, request.language) if nation else ReadOptions(terms=TermOptions(request.language))
    features = tuple(feature for feature in FEATURES if nation or feature != "names")
    options = replace(request.options, reading=reading, features=features, by_site=not request.plain_only)
    gathered = _gather(graph, request, progress)
    matrix = link_matrix(gathered.examples, reading, progress)  # once, for all that follows
    kinds = get_args(LinkModelKind) if request.compare else (options.kind,)
    validate = partial(validated, matrix, runner=runner)
    validations = validated_in_all_ways(options, kinds, options.by_site, validate, progress)
    ablations = tuple(ablation(matrix, options, progress, runner)) if request.ablation else ()
    model, listed = train_link_model(matrix, options, progress, runner), gathered.listed
    relevant_if, code = _relevant_if(graph, request.judge), nation.code if nation else ""
    counts = ("seeds", "back_links", "pages", "segments", "relevant_segments")
    facts: dict[str, Any] = {
        "graph": storable(str(request.graph)),
        "relevant_if": storable(relevant_if),
        "nation": code,
        "gathered": {name: getattr(gathered, name) for name in counts},
        "degree_threshold": request.gathering.threshold,
        "hops": request.gathering.hops,
        "gathering_seed": request.gathering.seed,
        **({"back_link_file": {**listed._asdict(), "file": storable(listed.file)}} if listed else {}),
    }
    model = with_provenance(model, request, validations, facts)
    remarks = tuple(_remarks(graph, nation, validations))
    return LinkModelTrained(request, model, gathered, relevant_if, code, validations, ablations, remarks)


def _nation(request: LinkModelRequest, judge: Plain) -> Nation | None:
    """The nation that the request names, or the nation of the judge; None if there is none."""
    about: Plain = next((part for part in parts_of(judge) if part.get("kind") == "about"), {})
    named = request.nation or str(about.get("nation", ""))
    if not named and request.names:
        raise ConfigError("--names adds to the names of a nation: name that too, as in --nation TH.")
    if not named:
        return None
    nation = load_nation(named)
    own = request.names or (Path(str(about["names"])) if about.get("names") and not request.nation else None)
    return with_names(nation, own) if own else nation


def _gather(graph: Graph, request: LinkModelRequest, progress: Progress) -> Gathered:
    gathering, path = request.gathering, request.back_links
    if path is not None:  # read first, so that a wrong file fails at once
        size = 0
        with suppress(OSError):  # `read_back_links` gives the better message
            size = path.stat().st_size
        named = read_back_links(path, lambda done: progress(f"Reading {path.name}, bytes", done, size))
        gathering = replace(gathering, back_links=named)
    progress("Gathering links", 0, 1)
    if request.judge is None:
        gathered = gather_links(graph, gathering)
    else:
        # Next to the graph, so that its columns need not be copied; in a temporary directory if that is read-only.
        parent, total = graph.directory.resolve().parent, len(graph)
        place = parent if os.access(parent, os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix=".exonym-judged-", dir=place) as directory:
            target, jobs = Path(directory) / "graph", request.options.jobs
            judged = judge_again(
                graph, target, request.judge, jobs, lambda done: progress("Judging pages", done, total)
            )
            gathered = gather_links(judged, gathering)
    # Sites are registered domains here, not servers: all pages of one owner are held out together.
    examples = gathered.examples
    names = np.array([site_of(examples.texts.urls[at]) for at in examples.first_links.tolist()], np.str_)
    sites = np.unique(names, return_inverse=True)[1].astype(np.int64)
    return replace(gathered, examples=replace(examples, sites=sites))


def _remarks(graph: Graph, nation: Nation | None, validations: tuple[Validation, ...]) -> Iterator[str]:
    if nation is None:
        yield "No nation was named, so that names play no part. Name one: --nation XX."
    if not graph.has("around"):
        yield "The graph has no words around links. Import it with --keep-around."
    if not graph.has("country"):
        yield "The graph has no countries of servers: those of their domains are used."
    yield from dict.fromkeys(validation.remark for validation in validations if validation.remark)


def _relevant_if(graph: Graph, judge: Plain | None) -> str:
    """What makes pages relevant, in a few words."""
    known, truth = judge or graph.manifest.provenance.get("judge"), graph.manifest.provenance.get("truth")
    if isinstance(known, dict):
        return described(known)
    return truth if isinstance(truth, str) else "as the graph says"
