"""What the strategy `adaptive` knows before its first page: weights that were learned in earlier crawls, in a file.

The file is JSON, so that people can read it: for each pair of facts, weights by the number of the cell, in units of
log-odds. The weights that come with Exonym are `adaptive-prior.json`, made by `exonym model prior train`.
"""

from pathlib import Path
from typing import Any

import msgspec

from exonym.errors import ModelError
from exonym.models.model_file import read_whole
from exonym.system.files import replacing

FORMAT = "exonym prior 1"
SHIPPED = Path(__file__).with_name("adaptive-prior.json")


class Prior(msgspec.Struct, forbid_unknown_fields=True):
    """Weights to begin with."""

    facts: str  # a digest of the facts that the weights are about, and of their classes
    weights: dict[str, dict[int, float]]  # by pair of facts, as in "server+segment", then by cell
    provenance: dict[str, Any]
    format: str = FORMAT


def load_prior(path: Path = SHIPPED) -> Prior:
    """The weights in a file; ModelError for anything else."""
    data = read_whole(path, "prior")
    try:
        prior = msgspec.json.decode(data, type=Prior)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is no prior: {error}. Make one with `exonym model prior train`.") from None
    if prior.format != FORMAT:
        raise ModelError(f"{path} has the format {prior.format[:40]!r}, not {FORMAT!r}. Train it again.")
    return prior


def save_prior(prior: Prior, path: Path) -> None:
    """Write weights atomically, a pair of facts in a line."""
    lines = {name: msgspec.json.encode(value).decode() for name, value in msgspec.structs.asdict(prior).items()}
    pairs = ",\n".join(f'  "{pair}": {msgspec.json.encode(cells).decode()}' for pair, cells in prior.weights.items())
    lines["weights"] = "{\n" + pairs + "\n }"
    text = "{\n" + ",\n".join(f' "{name}": {value}' for name, value in lines.items()) + "\n}\n"
    with replacing(path) as draft:
        draft.write_text(text, encoding="utf-8")
