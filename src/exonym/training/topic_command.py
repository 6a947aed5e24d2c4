"""A topic model from named sources: material gathered, models validated, one trained, with where it comes from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

from exonym.models.topic import ModelKind, TopicModel
from exonym.progress import Progress, no_progress
from exonym.training.material.gathering import GatheredExamples, MaterialRequest, gather
from exonym.training.options import TrainOptions
from exonym.training.provenance import figures_of, made_now, storable, with_provenance
from exonym.training.term_matrix import TermMatrix, count_terms
from exonym.training.topic import cross_validated, train_topic
from exonym.training.validation import Validation, leak_of, validated_in, ways

_MOST_NAMES = 1_000  # of sources


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """What is to be trained, from what, and how it is to be validated."""

    name: str
    material: MaterialRequest
    options: TrainOptions
    compare: bool = False  # validate both kinds of models
    plain_only: bool = False  # the thesis' folds alone, not those by site
    command: str = ""


@dataclass(frozen=True, slots=True)
class TopicTrained:
    """The model, what it was trained from, and how well such models do; the first validation is the model's own."""

    request: TopicRequest
    model: TopicModel
    material: GatheredExamples
    validations: tuple[Validation, ...]
    remarks: tuple[str, ...]

    @property
    def leak(self) -> float | None:
        """How much better plain folds make the model look, for pages of one site are alike; None if not compared."""
        return leak_of(self.validations, self.model.kind)


def train_from(request: TopicRequest, progress: Progress = no_progress) -> TopicTrained:
    """Gather, validate and train."""
    material = gather(request.material, lambda pages, done, total: progress(f"{pages:,} pages read, part", done, total))
    options = request.options
    counted = count_terms(material.examples, options.terms, progress, options.jobs)  # once, for all that follows
    material = _without_texts(material)
    validations = _validations(request, material, counted, progress)
    provenance = _provenance(request, material) | {"validations": figures_of(validations)}
    model = with_provenance(train_topic(counted, options, progress), storable(request.name), provenance)
    return TopicTrained(request, model, material, validations, tuple(_remarks(request, material, validations)))


def _without_texts(material: GatheredExamples) -> GatheredExamples:
    """What is left to be told of; hundreds of megabytes are not needed while models are validated."""
    slim = [one._replace(fields=one.fields._replace(body="", anchors="")) for one in material.examples]
    return replace(material, examples=slim)


def _validations(
    request: TopicRequest, material: GatheredExamples, counted: TermMatrix, progress: Progress
) -> tuple[Validation, ...]:
    asked = ways(
        request.options,
        get_args(ModelKind) if request.compare else (request.options.kind,),
        _has_sites(material) and not request.plain_only,
    )
    return validated_in(asked, lambda options, tell: cross_validated(counted, options, tell), progress)


def _has_sites(material: GatheredExamples) -> bool:
    """Whether folds by site are others than plain ones."""
    return material.sites < len(material.examples)


def _remarks(request: TopicRequest, material: GatheredExamples, validations: tuple[Validation, ...]) -> Iterator[str]:
    if not _has_sites(material) and not request.plain_only:
        yield "No two pages are known to be of one site, so that folds by site would be plain ones."
    yield from dict.fromkeys(one.remark for one in validations if one.remark)


def _provenance(request: TopicRequest, material: GatheredExamples) -> dict[str, Any]:
    """What the model is told beside what training says itself."""
    return {
        **made_now(request.command),
        "sources": [
            {"name": storable(one.name), "positive": one.positive, "pages": one.pages}
            for one in material.sources[:_MOST_NAMES]
        ],
        "left_out": material.left_out,
    }
