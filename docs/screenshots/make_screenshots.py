"""Makes the screenshots of the docs: crawls a practice web, serves its dashboard, and photographs the main views.

    .venv/bin/python docs/screenshots/make_screenshots.py

It needs Debian's Chromium (apt install chromium) and fonts (apt install fonts-thai-tlwg fonts-noto-cjk).
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
EXONYM = [sys.executable, "-m", "exonym"]
SIZE = {"width": 1200, "height": 820}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def main() -> None:
    """Make all screenshots, over the old ones."""
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder) / "thai"
        subprocess.run([*EXONYM, "demo", str(crawl), "--quiet"], check=True)
        command = [*EXONYM, "serve", str(crawl), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
            try:
                photograph(browser, address)
            finally:
                browser.close()
                server.terminate()


def photograph(browser: "Browser", address: str) -> None:
    """The overview, a table, a server and a page; and the overview on a phone, in dark mode."""
    shown = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    shown.goto(address)
    overview = shown.url
    while shown.locator("canvas").count() < 4:
        pass
    save(shown, "overview")
    shown.goto(f"{overview}tables/statuses-by-server")
    save(shown, "status-codes")
    shown.goto(f"{overview}tables/servers")
    shown.locator("tbody a").first.click()
    save(shown, "server")
    shown.goto(f"{overview}tables/visits?only=relevant&sort=id&first=30")
    shown.locator("tbody a").first.click()
    save(shown, "page")
    phone = browser.new_page(viewport={"width": 390, "height": 780}, color_scheme="dark")
    phone.goto(address)
    while phone.locator("canvas").count() < 4:
        pass
    save(phone, "phone")


def save(shown: "Page", name: str) -> None:
    """What the window shows, as an image of few colours: small, and still sharp."""
    from PIL import Image

    path = HERE / f"{name}.png"
    shown.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)


if __name__ == "__main__":
    main()
