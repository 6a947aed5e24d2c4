"""What strangers install: the built wheel, in an environment with its base dependencies and no sources in sight."""

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A symbolic link beside each dependency, as if it were installed: nothing is fetched from the network.
_NAME = re.compile(r"[\w.-]+")


def built(directory: Path, *options: str) -> Path:
    command = [sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", str(directory), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = directory.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built of the sdist, which is beside it."""
    return built(tmp_path_factory.mktemp("dist"))


def base_distributions(wheel: Path) -> dict[str, metadata.Distribution]:
    """What a plain `pip install` of the wheel installs, taken from the environment of this test."""
    (described,) = metadata.distributions(name="exonym", path=[str(wheel)])
    found: dict[str, metadata.Distribution] = {}
    waiting = list(described.requires or [])
    while waiting:
        requirement = waiting.pop()
        match = _NAME.match(requirement)
        assert match is not None, requirement
        name = re.sub(r"[-_.]+", "-", match[0]).lower()
        if "extra ==" in requirement or name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            assert ";" in requirement, requirement  # for another Python or system
        else:
            waiting += found[name].requires or []
    return found


@pytest.fixture(scope="module")
def bin_directory(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of a fresh environment that has the wheel and what it depends on, and nothing else."""
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place, symlinks=True)
    python = place / "bin/python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for distribution in base_distributions(wheel).values():
        for top in {file.parts[0] for file in distribution.files or [] if file.parts[0] not in ("..", "__pycache__")}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(distribution.locate_file(top))))
    return place / "bin"


def run(command: Path | str, *arguments: str, cwd: Path, given: str = "") -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    words = [str(command), *arguments]
    return subprocess.run(words, cwd=cwd, env=environment, input=given, capture_output=True, text=True)


def contents(archive: zipfile.ZipFile) -> dict[str, int]:
    return {file.filename: file.CRC for file in archive.infolist()}


def test_wheel_has_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/exonym").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if not name.startswith("exonym-")}
    assert packed == sources
    # Of each kind of data that is read at run time, one.
    for ending in (
        "/py.typed",
        ".js",
        ".html",
        "/data/TH.toml",
        "/small_corpus.txt",
        "/thai2006.toml",
        "/profiles-1.json",
    ):
        assert [name for name in packed if name.endswith(ending)], ending


def test_sdist_builds_the_wheel_of_the_sources(wheel: Path, tmp_path: Path) -> None:
    direct = built(tmp_path, "--wheel")
    with zipfile.ZipFile(wheel) as from_sdist, zipfile.ZipFile(direct) as from_sources:
        assert contents(from_sdist) == contents(from_sources)
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "/.venv" in name or "__pycache__" in name]


def test_installed_package_crawls_identifies_and_shows_without_its_sources(bin_directory: Path, tmp_path: Path) -> None:
    asked = run(bin_directory / "python", "-c", "import exonym; print(exonym.__file__)", cwd=tmp_path)
    assert Path(asked.stdout.strip()).is_relative_to(bin_directory.parent), asked
    exonym = bin_directory / "exonym"
    demo = run(exonym, "demo", "--size", "200", cwd=tmp_path)
    assert (demo.returncode, demo.stderr) == (0, "")
    assert "harvest rate" in demo.stdout
    thai = run(exonym, "identify", "language", "-", cwd=tmp_path, given="<p>กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย")
    assert "Thai (th)" in thai.stdout, thai
    nation = run(exonym, "nation", "show", "TH", "--json", cwd=tmp_path)
    assert json.loads(nation.stdout)["name"] == "Thailand", nation


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["simulate", "web", "--strategy", "bfs"], "research"),
        (["graph", "analyse", "web"], "research"),
        (["model", "topic", "train", "--positive", "a.warc", "-o", "b"], "train"),
        (["label", "crawl", "-o", "labels.jsonl"], "train"),
        (["experiment", "tflswc2014", "-o", "out"], "research,train"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:2]),
)
def test_command_that_needs_more_says_what_to_install(
    bin_directory: Path, tmp_path: Path, arguments: list[str], extra: str
) -> None:
    refused = run(bin_directory / "exonym", *arguments, cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused
    assert f"pip install 'exonym[{extra}]'" in refused.stderr
    assert list(tmp_path.iterdir()) == []
