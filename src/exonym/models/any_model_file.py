"""Opens a model file of any kind: the first bytes show whether it is a topic model, a link model or a weight table."""

from pathlib import Path

from exonym.errors import ModelError
from exonym.models.links.link_model_file import load_link_model
from exonym.models.links.trained import TrainedLinkModel
from exonym.models.topic import TopicModel
from exonym.models.topic_file import load_model
from exonym.models.weight_table import WeightTable
from exonym.models.weight_table_file import load_table
from exonym.system.files import disk_errors


def load_any_model(path: Path) -> TopicModel | TrainedLinkModel | WeightTable:
    """The model in a file; ModelError for anything that is not one, DirectoryError where there is no file."""
    with disk_errors(path), path.open("rb") as file:
        beginning = file.read(64)
    if beginning.startswith(b"exonym topic model "):
        return load_model(path)
    if beginning.startswith(b"exonym link model "):
        return load_link_model(path)
    if beginning.lstrip().startswith(b"{"):  # weight tables are JSON
        return load_table(path)
    raise ModelError(f"{path} is no topic model, link model or weight table. Train one with `exonym model`.")
