"""Where a model comes from, as its file tells it: examples, options, libraries, validations, command, time."""

import platform
import time
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np

from exonym.models.links.trained import TrainedLinkModel
from exonym.models.topic import TopicModel
from exonym.training.options import CommonOptions
from exonym.training.term_matrix import TermMatrix
from exonym.training.validation import Validation
from exonym.version import __version__

AnyModel = TypeVar("AnyModel", TopicModel, TrainedLinkModel)


def with_provenance(model: AnyModel, name: str, more: dict[str, Any]) -> AnyModel:
    """The model under a name, with more facts of where it comes from."""
    return replace(model, name=name, provenance={**model.provenance, **more})


def trained_from(matrix: TermMatrix, options: CommonOptions, command: str, examples: str) -> dict[str, Any]:
    """What training itself knows; `examples` is what they are: "pages" or "links"."""
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


def made_now(command: str) -> dict[str, Any]:
    """When, by which command and on what Python a model was made."""
    return {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "command": storable(command),
        "python": platform.python_version(),
    }


def storable(text: str) -> str:
    """A text as files can hold it: names of files, and what is typed, may be bytes that are no text."""
    return text.encode("utf-8", "replace").decode()


def validation_figures(validation: Validation) -> dict[str, Any]:
    """How well models did, for a model's provenance."""
    return {
        "folds": validation.folds,
        "repeats": validation.repeats,
        "by_site": validation.by_site,
        "g_mean": validation.g_mean,
        "g_mean_deviation": validation.g_mean_deviation,
        "precision": validation.precision,
        "recall": validation.recall,
        "remark": validation.remark,
    }


def figures_of(validations: Iterable[Validation]) -> list[dict[str, Any]]:
    """`validation_figures` of each validation, with the kind of model."""
    return [{"kind": one.kind, **validation_figures(one)} for one in validations]
