"""Text that nobody here wrote: Debian's packaged documentation and translations, in some hundred languages.

Packages are downloaded with apt-get (from whatever Debian mirror the machine uses) and unpacked, never installed.
HTML help pages are taken as they are, but for their `lang` attributes, which would be the answer; translations are
read from gettext's .mo files and set together to texts of 200 to 3,200 letters. Text that was left in English is
left out: messages that equal their original, pages of which a tenth stands word for word in English ones; so are
pages whose `lang` is another than their path's.
"""

import gettext
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from language_cases import plain

from exonym.errors import ConfigError
from exonym.extract.html import extract
from exonym.language_names import language_of

HELP = "ca cs da de el en-us es et eu fi fr gl hi hu id it ja km ko nl pl pt pt-br ru sk sl sv tr vi zh-cn zh-tw"
UI = (
    "af am ar as ast be bg bn br bs ca cs cy da de dz el eo es et eu fa fi fr ga gd gl gu gug he hi hr hu id in is it "
    "ja ka kk km kmr kn ko lt lv mk ml mn mr nb ne nl nn nr nso oc om or pa-in pl pt pt-br ro ru rw si sk sl sr ss st "
    "sv szl ta te tg th tn tr ts ug uk uz ve vi xh za zh-cn zh-tw zu"
)
FAQ = "de fr it ja ko nl pt ru zh-cn"
REFERENCE = "de en es fr id it ja pt zh-cn zh-tw"
GUIDE = "ca de es fr it ja ru vi zh-cn zh-tw"
OTHERS = (
    "debian-faq maint-guide "
    "installation-guide-amd64 apache2-doc plasma-workspace-data plasma-desktop-data kate5-data cinnamon-l10n "
    "libgtk-3-common libglib2.0-data mate-control-center-common vlc-l10n evolution-common "
    "gimp-data gnucash-common nautilus-data gnome-control-center-data gnome-desktop3-data tryton-client "
    "fdroidserver tuxpaint-data cheese-common onboard-common mate-desktop-common clamtk "
    "budgie-control-center-data lomiri-common lomiri-music-app ayatana-webmail command-not-found"
)
# Not python3-django and iso-codes: the classic identifier's profiles are trained on Django's messages and on names.
PACKAGES = [
    *(f"libreoffice-help-{code}" for code in HELP.split()),
    *(f"libreoffice-l10n-{code}" for code in UI.split()),
    *(f"debian-faq-{code}" for code in FAQ.split()),
    *(f"debian-reference-{code}" for code in REFERENCE.split()),
    *(f"maint-guide-{code}" for code in GUIDE.split()),
    *OTHERS.split(),
]
# For a second opinion: packages that nobody had looked at while identifiers were made.
OTHER_PROGRAMS = (
    "libgtk-4-common gnome-shell-common gnome-software-common gnumeric-common abiword-common epiphany-browser-data "
    "totem-common rhythmbox-data gedit-common kwin-data kio-extras-data kde-cli-tools-data k3b-i18n calligra-data "
    "kdevelop-l10n kipi-plugins-common gnome-user-docs gthumb-data baobab"
)
HELD_OUT = [*OTHER_PROGRAMS.split()]
SIZES = (200, 400, 800, 1_600, 3_200)  # letters of a text put together from messages
FEWEST_LETTERS = SIZES[0]
MOST_UNTRANSLATED = 0.1
LONGEST_ANCHOR, SHORTEST_ANCHOR = 40, 4

T = TypeVar("T")

_CODE = r"[a-z]{2,3}(?:[-_](?:[A-Z]{2}|[a-z]{2}|Hans|Hant))?(?:@[a-z]+)?"
_MESSAGES_PATH = re.compile(rf"/({_CODE})/LC_MESSAGES/")
_PAGE_PATHS = [
    re.compile(pattern)
    for pattern in (
        rf"/libreoffice/help/({_CODE})/text/",
        rf"/(?:manual|installation-guide-amd64)/({_CODE})/",
        rf"\.({_CODE})\.html$",
    )
]
_LANG = re.compile(rb"\s(?:xml:)?lang\s*=\s*(?:\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_TIME_ZONE = re.compile(r"[A-Z]\w+(/[A-Z][\w+-]*)+")  # hundreds of names that are no text
_HEAD = 2_000
_ENGLISH_LINE = 20  # letters of a line that is no accident


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A page of packaged documentation."""

    label: str
    body: bytes
    text: str
    anchors: list[str]
    is_consistent: bool  # its own lang says what its path says, or nothing


def fetch_packages(directory: Path, packages: list[str]) -> Path:
    """The folder into which all packages are unpacked; what is there already is not fetched again."""
    archives, trees = directory / "debs", directory / "trees"
    archives.mkdir(parents=True, exist_ok=True)
    trees.mkdir(exist_ok=True)
    missing = [name for name in packages if not (trees / name).exists() and not list(archives.glob(f"{name}_*.deb"))]
    if missing:
        print(f"Downloading {len(missing)} packages into {archives} …", file=sys.stderr)
        subprocess.run(["apt-get", "-qq", "download", *missing], cwd=archives, check=True, stderr=subprocess.DEVNULL)
    for name in packages:
        if not (trees / name).exists():
            archive = next(archives.glob(f"{name}_*.deb"))
            subprocess.run(["dpkg", "-x", archive, trees / f"{name}.part"], check=True)
            (trees / f"{name}.part").rename(trees / name)
    return trees


def label_of(code: str) -> str:
    """The code under which Exonym knows the language of a path's part (pt_BR, zh-cn, sr@latin); "" none."""
    try:
        return language_of(code.partition("@")[0].replace("_", "-"))
    except ConfigError:
        return ""


def letters(text: str) -> int:
    """How many letters a text has; marks count, as half of Thai is written with them."""
    return sum(character.isalpha() or (character > "\u0300" and not character.isascii()) for character in text)


def help_pages(trees: Path, most: int) -> Iterator[HelpPage]:
    """At most `most` pages a language and package, from all over the package."""
    found: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(trees.rglob("*.html")):
        match = next(filter(None, (pattern.search(str(path)) for pattern in _PAGE_PATHS)), None)
        if match and (label := label_of(match[1])):
            found.setdefault((path.relative_to(trees).parts[0], label), []).append(path)
    english = _english_lines([paths for (_, label), paths in found.items() if label == "en"])
    for (_, label), paths in found.items():
        kept = 0
        for path in spread(paths, 4 * most):
            page = _help_page(path, label)
            if kept < most and letters(page.text) >= FEWEST_LETTERS and _is_labelled_well(page, english):
                kept += 1
                yield page


def _help_page(path: Path, label: str) -> HelpPage:
    written = path.read_bytes()
    body = _LANG.sub(b"", written)
    page = extract(body, "http://debian.example/", "text/html")
    anchors = [anchor for link in page.links if (anchor := " ".join(link.anchor.split())) and is_anchor(anchor)]
    claim = extract(written[:_HEAD], "http://debian.example/", "text/html").language_tag
    return HelpPage(
        label, body, page.text, anchors, not claim or label_of(claim).partition("-")[0] == label.partition("-")[0]
    )


def _english_lines(groups: list[list[Path]]) -> set[str]:
    lines: set[str] = set()
    for path in (path for paths in groups for path in paths):
        lines.update(line for line in _help_page(path, "en").text.split("\n") if letters(line) >= _ENGLISH_LINE)
    return lines


def _is_labelled_well(page: HelpPage, english: set[str]) -> bool:
    if page.label == "en" or not page.is_consistent:
        return page.is_consistent
    left = sum(letters(line) for line in page.text.split("\n") if line in english)
    return left <= MOST_UNTRANSLATED * letters(page.text)


class Catalogue(gettext.GNUTranslations):
    """A .mo file whose messages can be listed."""

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Original and translation."""
        for original, translation in vars(self).get("_catalog", {}).items():
            name = original[0] if isinstance(original, tuple) else original
            if name:
                yield name.rpartition("\x04")[2], translation


def messages(trees: Path) -> dict[str, list[str]]:
    """Translated messages by language, each once, in the order of packages and files; originals are English."""
    found: dict[str, dict[str, None]] = {}
    for path in sorted(trees.rglob("*.mo")):
        match = _MESSAGES_PATH.search(str(path))
        label = label_of(match[1]) if match else ""
        if label and label != "en":
            for original, translation in _pairs(path):
                if translation != original and not _TIME_ZONE.fullmatch(original):
                    found.setdefault(label, {})[plain(translation)] = None
                    found.setdefault("en", {})[plain(original)] = None
    return {label: [text for text in texts if letters(text) > 1] for label, texts in found.items()}


def _pairs(path: Path) -> list[tuple[str, str]]:
    try:
        with path.open("rb") as file:
            return list(Catalogue(file).pairs())
    except (OSError, ValueError, LookupError):  # a damaged or oddly encoded file is none of ours to mend
        return []


def texts(lines: list[str], most: int) -> list[str]:
    """At most `most` texts of different lengths, put together from messages that follow each other."""
    pages: list[str] = []
    page: list[str] = []
    count = 0
    # Of a language with few messages, many short texts are worth more than a few long ones.
    sizes = SIZES if sum(map(letters, lines)) >= most * sum(SIZES) / len(SIZES) else SIZES[:1]
    for line in lines:
        page.append(line)
        count += letters(line)
        if count >= sizes[len(pages) % len(sizes)]:
            pages.append("\n".join(page))
            page, count = [], 0
    return spread(pages, most)


def is_anchor(text: str) -> bool:
    """Whether a text could be an anchor that tells its language: 4 to 40 characters with letters."""
    return SHORTEST_ANCHOR <= len(text) <= LONGEST_ANCHOR and letters(text) >= SHORTEST_ANCHOR


def spread(items: list[T], most: int) -> list[T]:
    """At most `most` items, from all over the list."""
    return [items[number * len(items) // most] for number in range(most)] if len(items) > most else items
