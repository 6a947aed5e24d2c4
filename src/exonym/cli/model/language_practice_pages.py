"""`exonym model language practice-pages`: writes labelled pages of a practice web, to measure identifiers on."""

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Annotated

from exonym.cli.options import AsJson, number, output, random_seed
from exonym.cli.output import emit
from exonym.cli.terminal.status_line import status_line


def practice_pages(
    output: Annotated[Path, output("LABELLED.jsonl", "The file to write.")],
    pages: Annotated[int, number("pages", "How many pages to write.", 100, 100_000)] = 2_000,
    seed: Annotated[int, random_seed("Another number makes other pages.")] = 7,
    as_json: AsJson = False,
) -> None:
    """Write labelled pages of a practice web, for `exonym model language evaluate`.

    The proportions of Thai pages and of pages that are hard to identify are those of the paper on the Thai web.
    """
    from exonym.language_names import name_of
    from exonym.practice.language_pages import language_pages
    from exonym.system.files import disk_errors, replacing

    with status_line("Making pages"):
        chosen = language_pages(seed, pages)
    with disk_errors(output), replacing(output) as draft, draft.open("w", encoding="utf-8") as file:
        for page in chosen:
            body = base64.b64encode(page.body).decode()
            fields = {"label": page.label, "case": page.case, "url": page.url, "http_charset": page.http_charset}
            file.write(json.dumps({**fields, "html_base64": body}) + "\n")
    labels = dict(Counter(page.label for page in chosen).most_common())
    cases = dict(Counter(page.case for page in chosen).most_common())
    emit(
        {"output": str(output), "pages": len(chosen), "seed": seed, "labels": labels, "cases": cases},
        [
            [("language", "pages"), *((name_of(label), f"{count:,}") for label, count in labels.items())],
            "",
            [("kind of page", "pages"), *((case, f"{count:,}") for case, count in cases.items())],
            f"\nWrote {output}: {len(chosen):,} pages.",
        ],
        as_json,
    )
