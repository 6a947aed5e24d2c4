"""Real HTML pages with topics that nobody here wrote: the documentation packages of Debian.

Each package, or each project where a project has several, is a site; what a site is about is what its programs are for.
Packages were put into groups by their names and descriptions, before any model was trained on them.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from debian_texts import fetch_packages, spread

# Calculation, statistics, biology, chemistry, the brain.
SCIENCE = (
    "python-scipy-doc python-pandas-doc python-sympy-doc python-sklearn-doc python-skimage-doc python-statsmodels-doc "
    "octave-doc r-doc-html maxima-doc gap-doc python-xarray-doc python-dask-doc python-nibabel-doc python-nipype-doc "
    "python-dipy-doc python-mdanalysis-doc python-biopython-doc python-skbio-doc petsc3.18-doc libeigen3-doc "
    "python-mpmath-doc libbiojava4-java-doc libsbml5-doc libcommons-math3-java-doc python-nitime-doc libstatgen-doc "
    "chemps2-doc"
)
ASTRONOMY = (
    "python-astropy-doc python-astroplan-doc python-astroquery-doc python-gwcs-doc saods9-doc libstarlink-ast-doc "
    "starlink-pal-java-doc python-pydl-doc python-pyorbital-doc python-imexam-doc python3-ndcube-doc"
)
MAPS = (
    "grass-doc grass-dev-doc libgeos-doc geographiclib-doc postgis-doc postgresql-15-pgrouting-doc mapproxy-doc "
    "gpsbabel-doc geotranz-doc python-osmnx-doc libchamplain-doc libshumate-doc python-geoalchemy2-doc "
    "libgeocode-glib-doc libreadosm-doc"
)
MUSIC = (
    "lilypond-doc-html csound-doc mopidy-doc beets-doc libaubio-doc python-mutagen-doc puredata-doc "
    "supercollider-common libasound2-doc ecasound-doc libflac-doc lame-doc libopenmpt-doc python-musicbrainzngs-doc "
    "libmusicbrainz5-doc libmpdclient-doc portaudio19-doc rhythmbox-doc librtaudio-doc librtmidi-doc snd-doc stk-doc "
    "libtag1-doc vamp-plugin-sdk-doc libags-audio-doc python-midiutil-doc libsidplayfp-doc libglyr-doc "
    "python-soundfile-doc"
)
OTHER = (
    "python3.11-doc python-django-doc python-flask-doc python-sqlalchemy-doc python-werkzeug-doc libgtk-3-doc "
    "libgtk-4-doc qtbase5-doc-html qtdeclarative5-doc-html postgresql-doc-15 apache2-doc debian-handbook debian-policy "
    "debian-reference-en developers-reference libboost1.81-doc openjdk-17-doc linux-doc-6.1 libstdc++-12-doc "
    "erlang-doc ghc-doc rust-doc libsdl2-doc neutron-doc nova-doc keystone-doc scala-doc sqlite3-doc wx3.2-doc "
    "anarchism llvm-14-doc bind9-doc libghc-pandoc-doc vim-doc sphinx-doc cmake-doc ant-doc git-doc ffmpeg-doc "
    "bash-doc homebank-data libglib2.0-doc tomcat10-docs clang-14-doc docutils-doc libxml2-doc cython-doc jargon "
    "exim4-doc-html libcairo2-doc python-jinja2-doc python-cryptography-doc gnuplot-doc gnubg-data grisbi-common"
)
GROUPS = {"science": SCIENCE, "astronomy": ASTRONOMY, "maps": MAPS, "music": MUSIC, "other": OTHER}
# Of each topic: groups that are of it, and groups that are neither here nor there. A broad topic and three narrow ones;
# music is the one least about programs (how scores are written, what instruments sound like).
TOPICS = {
    "science": (("science", "astronomy"), ("maps",)),
    "astronomy": (("astronomy",), ()),
    "maps": (("maps",), ()),
    "music": (("music",), ()),
}
PROJECTS = {
    "grass-dev-doc": "grass-doc",
    "libgtk-4-doc": "libgtk-3-doc",
    "qtdeclarative5-doc-html": "qtbase5-doc-html",
    "neutron-doc": "nova-doc",
    "keystone-doc": "nova-doc",
    "clang-14-doc": "llvm-14-doc",
    "python-jinja2-doc": "python-flask-doc",
    "python-werkzeug-doc": "python-flask-doc",
}

Pages = dict[str, list[Path]]  # of each site


def packaged_pages(cache: Path) -> dict[str, Pages]:
    """The HTML files of each group's sites; what is not in `cache` is downloaded."""
    trees = fetch_packages(cache, [name for names in GROUPS.values() for name in names.split()])
    found: dict[str, Pages] = {group: {} for group in GROUPS}
    for group, names in GROUPS.items():
        for name in names.split():
            site = PROJECTS.get(name, name).replace(".", "-")  # a folder with a dot would be taken for a host
            found[group].setdefault(site, []).extend(_html_files(trees / name))
    return found


def _html_files(folder: Path) -> list[Path]:
    found = [Path(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith((".html", ".htm"))]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def linked_folder(folder: Path, sites: Iterable[tuple[str, list[Path]]]) -> tuple[str, ...]:
    """A folder with a folder of each site's pages, as `exonym model topic train` reads them; as a source's name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for site, pages in sites:
        (folder / site).mkdir(exist_ok=True)
        for number, page in enumerate(pages):
            os.link(page, folder / site / f"{number:06}-{page.stem[:60]}.html")
    return (str(folder),)


def sides(groups: dict[str, Pages], topic: str) -> tuple[Pages, Pages]:
    """Sites of the topic and other sites."""
    relevant, neither = TOPICS[topic]
    others = [name for name in groups if name not in relevant + neither]
    return _together(groups, relevant), _together(groups, others)


def _together(groups: dict[str, Pages], names: Iterable[str]) -> Pages:
    return {site: pages for name in names for site, pages in groups[name].items()}


def capped(sites: Pages, most: int) -> Pages:
    """At most `most` pages of each site, from all over it."""
    return {site: spread(pages, most) for site, pages in sites.items()}


def level_cap(sites: Pages, wanted: int) -> int:
    """How many pages a site may give so that all together give about as many as wanted."""
    low, high = 1, max(map(len, sites.values()))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(min(len(p), middle) for p in sites.values()) <= wanted else (low, middle - 1)
    return low
