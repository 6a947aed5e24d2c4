"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]


@contextmanager
def chromium() -> "Iterator[Browser]":
    """A browser; where none is installed, the test is skipped, but fails in continuous integration."""
    path = shutil.which("chromium")
    if path is None:
        message = "Chromium is not installed. Install it, as in: apt install chromium"
        if "EXONYM_TESTS_NEED_ALL" in os.environ:
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def wait_until(shown: "Page", condition: str) -> None:
    """Wait until an expression of JavaScript is true, in whichever frame that is.

    Playwright's own `wait_for_function` evaluates text in the page, which the policies of our pages forbid.
    """
    looking = f"const look = () => ({condition}) ? seen() : requestAnimationFrame(look)"
    shown.evaluate(f"() => new Promise(seen => {{ {looking}; look(); }})")
