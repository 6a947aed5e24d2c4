"""The provenance that a model file records: examples, options, libraries, validations, command, time."""

import platform
import time
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np

from exonym.models.links.trained import TrainedLinkModel
from exonym.models.topic import TopicModel
from exonym.training.term_matrix import TermMatrix
from exonym.training.train_options import CommonOptions, TrainRequest
from exonym.training.validation import Validation
from exonym.version import __version__

AnyModel = TypeVar("AnyModel", TopicModel, TrainedLinkModel)


def with_provenance(
    model: AnyModel, request: TrainRequest, validations: Iterable[Validation], more: dict[str, Any]
) -> AnyModel:
    """The model under the name requested; `more` is what its provenance has beyond time, command and validations."""
    provenance = {
        **model.provenance,
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": storable(request.command),
        "python": platform.python_version(),
        **more,
        "validations": [{"kind": validation.kind, **validation_figures(validation)} for validation in validations],
    }
    return replace(model, name=storable(request.name), provenance=provenance)


def trained_from(matrix: TermMatrix, options: CommonOptions, command: str, examples: str) -> dict[str, Any]:
    """What training itself knows of the provenance; `examples` names the examples: "pages" or "links"."""
    relevant = int(matrix.positives.sum())
    return {
        "made_by": f"Exonym {__version__}, {command}",
        f"relevant_{examples}": relevant,
        f"irrelevant_{examples}": len(matrix) - relevant,
        "sites": len(np.unique(matrix.sites)),
        "seed": options.seed,
        "most_terms": options.most_terms,
        f"least_{examples}": options.least_examples,
        "libraries": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }


def storable(text: str) -> str:
    """The text with lone surrogates replaced: file names and command lines may hold bytes that are not UTF-8."""
    return text.encode("utf-8", "replace").decode()


def validation_figures(validation: Validation) -> dict[str, Any]:
    """The figures of a validation as plain data."""
    return {
        "folds": validation.folds,
        "repeats": validation.repeats,
        "by_site": validation.by_site,
        "g_mean": validation.g_mean,
        "g_mean_deviation": validation.g_mean_deviation,
        "precision": validation.mean_of("precision"),
        "recall": validation.mean_of("recall"),
        "remark": validation.remark,
    }
