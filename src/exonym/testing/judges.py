"""A check of the laws that every judge must keep, also in another process; and a judge that misbehaves, for tests."""

import json
import os
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from exonym.extract.document import Document, LinkColumns
from exonym.extract.html import extract
from exonym.judges.base import Judge, Verdict
from exonym.judges.by_name import make_judge

_URL = "http://www.example.org/"
_TEXTS = (
    "",
    " \n\t ",
    "1234567890 +-*/ 2024-01-01",
    "The quick brown fox jumps over the lazy dog and runs into the deep green wood.",
    "ประเทศไทยมีกรุงเทพมหานครเป็นเมืองหลวง และมีอาหารอร่อย",
    "日本の首都は東京です。毎日たくさんの観光客が訪れています。",
    "\x00\x01\x0b\x7f\x80\ufffe\uffff\ufdd0 control \U0001f600 \U000e0001 \ud800 lone",
    "a" * 200_000,
    "ก" * 200_000,
    "\u0301" * 1_000,
)
LONGEST_EVIDENCE = 500  # characters: a journal has millions of rows
_LABELS = ("windows-874", "x" * 2_000, "\x1b[31m\n\ud800", "utf-8\x00")
MAKE_JUDGE = "exonym.judges.by_name:make_judge"
_ELSEWHERE = "from exonym.testing.judges import print_verdicts; print_verdicts()"
_TAGS = ("", "en", "th", "TH_th", "x-klingon", "-", "\x00", "é" * 35)


def check_judge(make: Callable[[], Judge]) -> None:
    """Raise AssertionError, saying which law is broken, unless the judges that `make` makes keep them all."""
    first, second = make(), make()
    documents = odd_documents()
    verdicts = [_lawful(first, document) for document in documents]
    for document, verdict in zip(reversed(documents), reversed(verdicts), strict=True):
        assert _lawful(first, document) == verdict, f"judged again, another verdict: {document.text[:60]!r}"
        assert _lawful(second, document) == verdict, f"an equal judge, another verdict: {document.text[:60]!r}"


def _lawful(judge: Judge, document: Document) -> Verdict:
    what, before = repr(document.text[:60]), replace(document)
    try:
        verdict = judge.judge(document)
    except Exception as error:
        raise AssertionError(f"raises {error!r} for {what}") from error
    assert 0.0 <= verdict.relevance <= 1.0, f"relevance {verdict.relevance} of {what} is not in 0..1"
    assert isinstance(verdict.relevant, bool), f"relevant is no yes or no for {what}"
    assert all(0.0 <= share <= 1.0 + 1e-9 for share in verdict.shares.values()), f"shares of {what} are not in 0..1"
    assert document == before, f"changes the document {what}"
    _check_words(verdict, what)
    return verdict


def _check_words(verdict: Verdict, what: str) -> None:
    """Raise AssertionError unless a journal can store the texts of a verdict, and a terminal show them."""
    assert "\n" not in verdict.evidence, f"evidence for {what} is more than one line"
    assert len(verdict.evidence) <= LONGEST_EVIDENCE, f"evidence for {what} has {len(verdict.evidence):,} characters"
    for text in (verdict.evidence, verdict.language, *verdict.shares):
        is_fit = not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)
        assert is_fit, f"control characters or lone surrogates in the verdict on {what}: {text[:100]!r}"
    assert len(verdict.language) <= 35, f"language of {what} is no code: {verdict.language[:60]!r}"
    assert sum(verdict.shares.values()) <= 1.0 + 1e-6, f"shares of {what} are more than the whole"


def odd_documents() -> list[Document]:
    """Pages, most of them unusual, that every judge must be able to judge."""
    plain = [_document(text, tag) for text in _TEXTS for tag in _TAGS]
    labelled = [replace(_document(text, "en"), charset_label=label) for text in _TEXTS[:4] for label in _LABELS]
    inherited = [replace(_document(text, ""), parent_language="th") for text in _TEXTS[:4]]
    bodies = (b"", b"\xff\xfe", b"<frameset><frame src=a>", b"<p>" * 5_000, bytes(range(256)) * 20)
    return [*plain, *labelled, *inherited, *(extract(body, _URL, "text/html") for body in bodies)]


def _document(text: str, language_tag: str) -> Document:
    link = LinkColumns([_URL + "next"], [text[:20]], [""], [""], ["html/body/a"], ["a"])
    return Document(_URL, text[:50], text, language_tag, "utf-8", "bytes", link, is_frameset=not text)


def check_judge_settings(settings: dict[str, Any], factory: str = MAKE_JUDGE) -> None:
    """Raise AssertionError unless the judge that `settings` describe keeps the laws, and is the same elsewhere.

    Readers and imports make judges from settings in other processes. The factory is named like
    "package.module:function", so that another process can find it.
    """
    check_judge(lambda: _made_by(factory, settings))
    request = json.dumps({"settings": settings, "factory": factory})
    ran = subprocess.run([sys.executable, "-c", _ELSEWHERE], input=request, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"cannot be made in another process: {ran.stderr[-500:]}"
    here, elsewhere = _verdicts(settings, factory), json.loads(ran.stdout)
    for document, ours, other in zip(odd_documents(), here, elsewhere, strict=True):
        assert ours == other, f"in another process, another verdict: {document.text[:60]!r}: {ours} and {other}"


def print_verdicts() -> None:
    """In the other process: read settings and factory from standard input, print the verdicts as JSON."""
    request = json.loads(sys.stdin.read())
    print(json.dumps(_verdicts(request["settings"], request["factory"])))


def _verdicts(settings: dict[str, Any], factory: str) -> list[list[Any]]:
    judge = _made_by(factory, settings)
    verdicts = map(judge.judge, odd_documents())
    return [[it.relevance, it.relevant, it.language, it.shares, it.evidence, it.inherited] for it in verdicts]


def _made_by(factory: str, settings: dict[str, Any]) -> Judge:
    module, _, name = factory.partition(":")
    judge: Judge = getattr(import_module(module), name)(settings)
    return judge


class MisbehavingJudge:
    """Judges like another, until the title of a page orders it to burn CPU, eat memory, hang, raise or die."""

    def __init__(self, inner: Judge) -> None:
        self._inner = inner

    def judge(self, document: Document) -> Verdict:
        """The inner judge's verdict, unless the title is a command."""
        match document.title:
            case "burn CPU":
                while True:
                    pass
            case "hang":
                while True:
                    signal.pause()
            case "eat memory":
                eaten: list[bytes] = []
                while True:
                    eaten.append(bytes(16 * 1024 * 1024))
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "raise":
                raise RuntimeError("as asked")
        return self._inner.judge(document)


def make_misbehaving_judge(settings: dict[str, Any]) -> Judge:
    """A factory of judges for reader processes; with `fail_at_start` in the settings it raises."""
    if settings.get("fail_at_start"):
        raise RuntimeError("as asked, at the start")
    return MisbehavingJudge(make_judge(settings))
