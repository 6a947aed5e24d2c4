"""Gathers links from a web graph, validates link models on them, and trains one that knows its provenance."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from exonym.errors import ConfigError
from exonym.judges.settings import Plain, described, parts_of
from exonym.models.links.features import FEATURES
from exonym.models.links.reading import ReadOptions, read_options_of
from exonym.models.links.trained import LinkModelKind, TrainedLinkModel
from exonym.models.terms import TermOptions
from exonym.nations import Nation, load_nation, with_names
from exonym.progress import Progress, no_progress
from exonym.training.links.back_link_file import read_back_links
from exonym.training.links.examples import Gathered, Gathering, gather_links
from exonym.training.links.matrix import link_matrix
from exonym.training.links.train import Ablation, ablation, train_link_model, validated
from exonym.training.options import LinkTrainOptions, TrainRequest
from exonym.training.provenance import figures_of, made_now, storable, with_provenance
from exonym.training.validation import Validation, validated_in_all_ways
from exonym.urls import site_of
from exonym.webgraph.graph import Graph
from exonym.webgraph.judging import judge_again, judge_settings


@dataclass(frozen=True, slots=True)
class LinkModelRequest(TrainRequest):
    """A link model to be trained: from which graph, and how."""

    graph: Path
    gathering: Gathering  # without the back-links of the file below
    options: LinkTrainOptions  # its `reading` is replaced by what the next three say
    nation: str = ""  # two letters or a file; "" for the nation of the judge, if it has one
    names: Path | None = None
    language: str = "en"  # of the words of links
    judge: Plain | None = None  # which pages are relevant; None: as the graph says
    back_links: Path | None = None  # a file of back-links, in addition to the graph's own
    ablation: bool = True  # validate models without each feature, too


class Origin(NamedTuple):
    """What a model was trained from."""

    gathered: Gathered
    relevant_if: str  # in a few words
    nation: str  # its two letters; "" if none was named


@dataclass(frozen=True, slots=True)
class LinkModelTrained:
    """The model, what it was trained from, and how well such models do; the model's own validation comes first."""

    request: LinkModelRequest
    model: TrainedLinkModel
    origin: Origin
    validations: tuple[Validation, ...]
    ablations: tuple[Ablation, ...]
    remarks: tuple[str, ...]


def train_links(request: LinkModelRequest, progress: Progress = no_progress) -> LinkModelTrained:
    """Gather, validate and train."""
    graph = Graph.open(request.graph)
    nation = _nation(request, request.judge or judge_settings(graph))
    options = _options(request, nation)
    gathered = _gather(graph, request, _gathering(request, progress), progress)
    matrix = link_matrix(gathered.examples, options.reading, progress)  # once, for all that follows
    kinds = get_args(LinkModelKind) if request.compare else (options.kind,)
    validations = validated_in_all_ways(options, kinds, not request.plain_only, partial(validated, matrix), progress)
    by_site = replace(options, by_site=not request.plain_only)
    ablations = tuple(ablation(matrix, by_site, progress)) if request.ablation else ()
    origin = Origin(gathered, _relevant_if(graph, request.judge), nation.code if nation else "")
    provenance = _provenance(request, origin) | {"validations": figures_of(validations)}
    model = with_provenance(train_link_model(matrix, by_site, progress), storable(request.name), provenance)
    remarks = tuple(_remarks(graph, nation, validations))
    return LinkModelTrained(request, model, origin, validations, ablations, remarks)


def _nation(request: LinkModelRequest, judge: Plain) -> Nation | None:
    """The nation that was named, or that pages are relevant for."""
    about: Plain = next((part for part in parts_of(judge) if part.get("kind") == "about"), {})
    named = request.nation or str(about.get("nation", ""))
    if not named and request.names:
        raise ConfigError("--names adds to the names of a nation: name that too, as in --nation TH.")
    if not named:
        return None
    nation = load_nation(named)
    own = request.names or (Path(str(about["names"])) if about.get("names") and not request.nation else None)
    return with_names(nation, own) if own else nation


def _options(request: LinkModelRequest, nation: Nation | None) -> LinkTrainOptions:
    """The options with how links are read; without a nation there are no names to look for."""
    reading = read_options_of(nation, request.language) if nation else ReadOptions(terms=TermOptions(request.language))
    features = FEATURES if nation else tuple(feature for feature in FEATURES if feature != "names")
    return replace(request.options, reading=reading, features=features)


def _gathering(request: LinkModelRequest, progress: Progress) -> Gathering:
    """The gathering with the back-links of a file, which is read first so that a wrong file fails at once."""
    path = request.back_links
    if path is None:
        return request.gathering
    size = 0
    with suppress(OSError):  # reading it gives the better message
        size = path.stat().st_size
    named = read_back_links(path, lambda done: progress(f"Reading {path.name}, bytes", done, size))
    return replace(request.gathering, back_links=named)


def _gather(graph: Graph, request: LinkModelRequest, gathering: Gathering, progress: Progress) -> Gathered:
    progress("Gathering links", 0, 1)
    if request.judge is None:
        return _with_sites_by_domain(gather_links(graph, gathering))
    # Next to the graph, so that its columns need not be copied; in a temporary directory if that is read-only.
    beside = graph.directory.resolve().parent
    place = beside if os.access(beside, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=".exonym-judged-", dir=place) as directory:
        jobs, total = request.options.jobs, len(graph)
        judged = judge_again(
            graph,
            Path(directory) / "graph",
            request.judge,
            jobs,
            lambda done: progress("Judging pages", done, total),
        )
        return _with_sites_by_domain(gather_links(judged, gathering))


def _with_sites_by_domain(gathered: Gathered) -> Gathered:
    """The examples with registered domains as sites, not servers: all pages of one owner are held out together."""
    examples = gathered.examples
    names = np.array([site_of(url) for url in examples.texts.urls], np.str_)
    return replace(
        gathered, examples=replace(examples, sites=np.unique(names, return_inverse=True)[1].astype(np.int64))
    )


def _remarks(graph: Graph, nation: Nation | None, validations: tuple[Validation, ...]) -> Iterator[str]:
    if nation is None:
        yield "No nation was named, so that names play no part. Name one: --nation XX."
    if not graph.has("around"):
        yield "The graph has no words around links. Import it with --keep-around."
    if not graph.has("country"):
        yield "The graph does not know where servers stand: their countries are those of their domains."
    yield from dict.fromkeys(one.remark for one in validations if one.remark)


def _relevant_if(graph: Graph, judge: Plain | None) -> str:
    """What makes pages relevant, in a few words."""
    known, truth = judge or graph.manifest.provenance.get("judge"), graph.manifest.provenance.get("truth")
    if isinstance(known, dict):
        return described(known)
    return truth if isinstance(truth, str) else "as the graph says"


def _provenance(request: LinkModelRequest, origin: Origin) -> dict[str, Any]:
    """What the command knows of the model's provenance."""
    gathered, gathering, listed = origin.gathered, request.gathering, origin.gathered.listed
    counts = ("seeds", "back_links", "pages", "segments", "relevant_segments")
    return {
        **made_now(request.command),
        "graph": storable(str(request.graph)),
        "relevant_if": storable(origin.relevant_if),
        "nation": origin.nation,
        "gathered": {name: getattr(gathered, name) for name in counts},
        "degree_threshold": gathering.threshold,
        "hops": gathering.hops,
        "gathering_seed": gathering.seed,
        **({"back_link_file": {**listed._asdict(), "file": storable(listed.file)}} if listed else {}),
    }
