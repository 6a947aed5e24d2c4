"""`load_model` opens every kind of model file, and judges are made of models that judge pages."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import exonym as ex
from exonym.errors import DirectoryError, ModelError
from exonym.models.links.features import STEPS
from exonym.models.links.link_model_file import save_link_model
from exonym.models.links.link_reader import ReadOptions
from exonym.models.links.trained import LinkWeights, TrainedLinkModel
from exonym.models.terms import TermOptions
from exonym.models.topic import TopicModel
from exonym.models.topic_file import save_model
from exonym.models.weight_table import WeightedTerm, WeightTable
from exonym.models.weight_table_file import save_table

TOPIC = TopicModel("sea", "naive-bayes", TermOptions(), ("reef",), np.array([2.0]), -1.0, np.zeros(0))
TABLE = WeightTable(terms={"reef": WeightedTerm(2.0, 1, 1, 1)}, typical_weight=2.0)
LINKS = TrainedLinkModel(
    "dive",
    "bayes",
    ReadOptions(),
    LinkWeights(("words",), 0.0, np.zeros((3, STEPS)), ({},) * 4, 0.0, ("reef",), np.ones(1), np.zeros(0)),
)


def test_any_model_file_is_opened_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    save_model(TOPIC, path)
    topic = ex.load_model(path)
    assert isinstance(topic, TopicModel)
    assert (topic.name, topic.terms) == ("sea", ("reef",))
    save_link_model(LINKS, path)
    links = ex.load_model(str(path))
    assert isinstance(links, TrainedLinkModel)
    assert (links.name, links.weights.terms) == ("dive", ("reef",))
    save_table(TABLE, path)
    assert ex.load_model(path) == TABLE


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is no topic model, link model or weight table"),
        (b"exonym name model 1\n", "is no topic model, link model or weight table"),
        (b"PK\x03\x04", "is no topic model, link model or weight table"),
        (b"exonym topic model 9\n", "is a topic model of version 9"),
        (b"exonym link model 1\n", "is damaged"),
        (b'{"format": "other", "version": 1}', "is no weight table"),
        (b'\n{"a": 1}', "is no weight table"),
    ],
)
def test_another_file_is_a_model_error(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ModelError, match=reason):
        ex.load_model(tmp_path / "file")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary())
@example(b"exonym topic model ")
@example(b"{")
def test_any_bytes_are_refused_in_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ModelError) as refused:
        ex.load_model(tmp_path / "file")
    assert "\n" not in str(refused.value)


def test_missing_file_and_directory_are_directory_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(DirectoryError):
            ex.load_model(path)


def test_topic_models_and_weight_tables_judge_pages_and_link_models_do_not(tmp_path: Path) -> None:
    save_model(TOPIC, tmp_path / "sea.topic")
    save_table(TABLE, tmp_path / "sea.json")
    save_link_model(LINKS, tmp_path / "sea.links")
    reef, motor = ex.read_page(b"<title>Reef</title><p>A reef"), ex.read_page(b"<p>A motor")
    for source in (TOPIC, TABLE, tmp_path / "sea.topic", tmp_path / "sea.json"):
        judge = ex.load_judge(source)
        assert (judge.judge(reef).relevant, judge.judge(motor).relevant) == (True, False)
    for source in (LINKS, tmp_path / "sea.links"):
        with pytest.raises(ModelError, match="'dive' judges links, not pages"):
            ex.load_judge(source)
