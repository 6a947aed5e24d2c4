"""Whether a judge made again from its plain settings, in another process, says the same: workers and imports do so."""

import json
import subprocess
import sys
from importlib import import_module
from typing import Any

from exonym.judges.base import Verdict
from exonym.testing.judges import check_judge, odd_documents

MAKE_JUDGE = "exonym.judges.by_name:make_judge"
_ELSEWHERE = "from exonym.testing.judges_elsewhere import print_verdicts; print_verdicts()"


def check_judge_settings(settings: dict[str, Any], factory: str = MAKE_JUDGE) -> None:
    """Raise AssertionError unless the judge that `settings` describe keeps the laws, and is the same elsewhere.

    The factory is named as in "package.module:function", so that another process can find it.
    """
    check_judge(lambda: _made(settings, factory))
    asked = json.dumps({"settings": settings, "factory": factory})
    ran = subprocess.run([sys.executable, "-c", _ELSEWHERE], input=asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"cannot be made in another process: {ran.stderr[-500:]}"
    here, elsewhere = _verdicts(settings, factory), json.loads(ran.stdout)
    for document, one, other in zip(odd_documents(), here, elsewhere, strict=True):
        assert one == other, f"in another process, another verdict: {document.text[:60]!r}: {one} and {other}"


def print_verdicts() -> None:
    """In the other process: read what is asked from standard input, print the verdicts as JSON."""
    asked = json.loads(sys.stdin.read())
    print(json.dumps(_verdicts(asked["settings"], asked["factory"])))


def _verdicts(settings: dict[str, Any], factory: str) -> list[list[Any]]:
    judge = _made(settings, factory)
    return [_plain(judge.judge(document)) for document in odd_documents()]


def _plain(verdict: Verdict) -> list[Any]:
    return [verdict.relevance, verdict.relevant, verdict.language, verdict.shares, verdict.evidence]


def _made(settings: dict[str, Any], factory: str) -> Any:
    module, _, name = factory.partition(":")
    return getattr(import_module(module), name)(settings)
