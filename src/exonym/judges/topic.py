"""Pages on a topic, by a trained model, in an allowed language, as in the thesis."""

from dataclasses import replace

from exonym.extract.document import Document
from exonym.judges.base import Judge, Verdict
from exonym.language.detector import percent
from exonym.models.terms import Fields
from exonym.models.topic import TopicModel

_MOST_TERMS = 5  # in the evidence


class TopicJudge:
    """Judges a page that is in an allowed language by a topic model."""

    def __init__(self, model: TopicModel, language: Judge, threshold: float = 0.0) -> None:
        self._model = model
        self._language = language
        self._threshold = threshold or model.threshold

    def judge(self, document: Document) -> Verdict:
        """As relevant as the model finds it likely; relevant from the threshold on."""
        written = self._language.judge(document)
        if not written.relevant:
            return replace(written, relevance=0.0)
        likely, telling = self._model.explained(fields_of(document), _MOST_TERMS)
        terms = ", ".join(term for term, _ in telling) or "no known term"
        why = f"{self._model.name}: {percent(likely)} likely; {terms}"
        is_relevant = likely >= self._threshold
        return Verdict(likely, is_relevant, written.language, written.shares, why, written.inherited)


def fields_of(document: Document) -> Fields:
    """The fields of a page that a topic model reads."""
    return Fields(document.title, document.blocks, "\n".join(document.links.anchors))
