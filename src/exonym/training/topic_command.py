"""Gathers pages from named sources, validates topic models on them, and trains one that knows its provenance."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from exonym.models.topic import ModelKind, TopicModel
from exonym.progress import Progress, no_progress
from exonym.training.material.gathering import GatheredExamples, MaterialRequest, gather
from exonym.training.options import TrainOptions, TrainRequest
from exonym.training.provenance import figures_of, made_now, storable, with_provenance
from exonym.training.term_matrix import count_terms
from exonym.training.topic import cross_validated, train_topic
from exonym.training.validation import Validation, validated_in_all_ways

_MOST_SOURCES = 1_000  # named in the provenance


@dataclass(frozen=True, slots=True)
class TopicRequest(TrainRequest):
    """A topic model to be trained: from which pages, and how."""

    material: MaterialRequest
    options: TrainOptions


@dataclass(frozen=True, slots=True)
class TopicTrained:
    """The model, what it was trained from, and how well such models do; the model's own validation comes first."""

    request: TopicRequest
    model: TopicModel
    material: GatheredExamples
    validations: tuple[Validation, ...]
    remarks: tuple[str, ...]


def train_from(request: TopicRequest, progress: Progress = no_progress) -> TopicTrained:
    """Gather, validate and train."""
    material = gather(request.material, lambda pages, done, total: progress(f"{pages:,} pages read, part", done, total))
    options = request.options
    counted = count_terms(material.examples, options.terms, progress, options.jobs)  # once, for all that follows
    material = _without_texts(material)
    has_sites = material.sites < len(material.examples)  # if not, folds by site are plain folds
    validations = validated_in_all_ways(
        options,
        get_args(ModelKind) if request.compare else (options.kind,),
        has_sites and not request.plain_only,
        partial(cross_validated, counted),
        progress,
    )
    remarks = [one.remark for one in validations if one.remark]
    if not has_sites and not request.plain_only:
        remarks.insert(0, "No two pages are known to be of one site, so that folds by site would be plain ones.")
    provenance = _provenance(request, material) | {"validations": figures_of(validations)}
    model = with_provenance(train_topic(counted, options, progress), storable(request.name), provenance)
    return TopicTrained(request, model, material, validations, tuple(dict.fromkeys(remarks)))


def _without_texts(material: GatheredExamples) -> GatheredExamples:
    """The material without texts: hundreds of megabytes that are not needed while models are validated."""
    slim = [one._replace(fields=one.fields._replace(body="", anchors="")) for one in material.examples]
    return replace(material, examples=slim)


def _provenance(request: TopicRequest, material: GatheredExamples) -> dict[str, Any]:
    """What the command knows of the model's provenance."""
    return {
        **made_now(request.command),
        "sources": [
            {"name": storable(one.name), "positive": one.positive, "pages": one.pages}
            for one in material.sources[:_MOST_SOURCES]
        ],
        "left_out": material.left_out,
    }
