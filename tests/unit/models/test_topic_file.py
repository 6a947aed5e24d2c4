"""Topic models in files: what only they have (`test_model_files` has the rest)."""

import numpy as np
import pytest
from model_formats import TOPIC_FORMAT

from exonym.errors import ModelError
from exonym.models.terms import TermOptions, term_needs
from exonym.models.topic import TopicModel
from exonym.models.topic_file import differing_versions, parsed, serialised

forged, facts = TOPIC_FORMAT.forged, TOPIC_FORMAT.facts
NUMBERS = np.array([1.0, -1.0])


@pytest.mark.parametrize(
    "hostile",
    [
        forged(lambda header: header.update(term_count=-2)),
        forged(lambda header: header.update(term_count=10**18, term_bytes=-8 * 10**18)),
        forged(lambda header: header.update(term_count=10**30)),
        forged(lambda header: header.update(term_bytes=10**12)),
        forged(lambda header: header.update(term_bytes=11, term_count=1)),
        forged(lambda header: header.update(term_count=2.5)),
        forged(lambda header: header.update(kind="linear")),
        forged(lambda header: header.update(kind="pickle")),
        forged(lambda header: header.update(bias=None)),
        forged(lambda header: header.update(bias=1e300)),
        forged(lambda header: header.update(threshold=2)),
        forged(lambda header: header.update(extra=1)),
        forged(lambda header: header.pop("slope")),
        forged(lambda header: header.update(options={"language": "en", "body_weight": -1})),
        forged(lambda header: header.update(options={"kind": "letters"})),
        forged(lambda header: header.update(options={"longest_gram": 10**9})),
        forged(lambda header: header.update(options=[])),
        forged(lambda header: header.update(provenance=[])),
        forged(lambda header: header.update(needs={"PyStemmer": 3})),
        forged(lambda header: header.update(needs={"PyStemmer": "9"}, options={"language": "lo"})),
        forged(body=b"a\nb" + np.array([1.0, np.nan]).tobytes()),
        forged(body=b"a\nb" + np.array([1.0, np.inf]).tobytes()),
        forged(body=b"a\na" + NUMBERS.tobytes()),
        forged(body=b"a\xff\xff" + NUMBERS.tobytes()),
        forged(body=b"abc" + NUMBERS.tobytes()),
        forged(body=b"a\nb" + NUMBERS.tobytes() + b"more"),
        forged(body=b""),
    ],
)
def test_file_that_was_forged_is_refused_in_one_line(hostile: bytes) -> None:
    with pytest.raises(ModelError) as told:
        parsed(hostile, "m")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "model",
    [TOPIC_FORMAT.plain, TopicModel("", "linear", TermOptions("en"), (), np.zeros(0), 0.0, np.zeros(0))],
    ids=["without rarities", "without terms"],
)
def test_models_without_rarities_or_terms_are_loaded_too(model: TopicModel) -> None:
    assert facts(parsed(serialised(model), "m")) == facts(model)


def test_libraries_of_another_version_are_named() -> None:
    assert differing_versions(TOPIC_FORMAT.full) == []
    older = parsed(forged(lambda header: header.update(needs={"PyStemmer": "0.1"})), "m")
    assert differing_versions(older) == [f"PyStemmer 0.1 (here {term_needs(TermOptions())['PyStemmer']})"]
