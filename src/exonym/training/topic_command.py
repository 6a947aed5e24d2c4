"""Gathers pages from named sources, validates topic models on them, and trains one that knows its provenance."""

from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

from exonym.models.topic import ModelKind, TopicModel
from exonym.progress import Progress, no_progress
from exonym.system.processes import TaskRunner
from exonym.training.material.gathering import GatheredExamples, MaterialRequest, gather
from exonym.training.provenance import storable, with_provenance
from exonym.training.term_matrix import count_terms
from exonym.training.topic import cross_validated, train_topic
from exonym.training.train_options import TrainOptions, TrainRequest
from exonym.training.validation import Validation, validated_in_all_ways

_MOST_SOURCES = 1_000  # named in the provenance


@dataclass(frozen=True, slots=True)
class TopicRequest(TrainRequest):
    """A topic model to be trained: from which pages, and how."""

    material: MaterialRequest
    options: TrainOptions


@dataclass(frozen=True, slots=True)
class TopicTrained:
    """The model, its material, and validations of such models; the validation of the model's own kind comes first."""

    request: TopicRequest
    model: TopicModel
    material: GatheredExamples
    validations: tuple[Validation, ...]
    remarks: tuple[str, ...]


def train_from(
    request: TopicRequest, progress: Progress = no_progress, runner: TaskRunner | None = None
) -> TopicTrained:
    """Gather, validate and train; the folds of validations are done by the runner, if there is one."""
    material, options = gather(request.material, progress), request.options
    counted = count_terms(material.examples, options.terms, progress, options.jobs)  # once, for all that follows
    # The texts take hundreds of megabytes that validation does not need.
    slim = [example._replace(fields=example.fields._replace(body="", anchors="")) for example in material.examples]
    material = replace(material, examples=slim)
    has_sites = material.sites < len(material.examples)  # if not, folds by site are plain folds
    validations = validated_in_all_ways(
        options,
        get_args(ModelKind) if request.compare else (options.kind,),
        has_sites and not request.plain_only,
        partial(cross_validated, counted, runner=runner),
        progress,
    )
    remarks = [validation.remark for validation in validations if validation.remark]
    if not has_sites and not request.plain_only:
        remarks.insert(0, "No two pages are known to be of one site, so that folds by site would be plain ones.")
    sources = [source._replace(name=storable(source.name))._asdict() for source in material.sources[:_MOST_SOURCES]]
    facts = {"sources": sources, "left_out": material.left_out}
    model = with_provenance(train_topic(counted, options, progress, runner), request, validations, facts)
    return TopicTrained(request, model, material, validations, tuple(dict.fromkeys(remarks)))
