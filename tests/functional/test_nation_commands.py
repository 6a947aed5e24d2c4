"""`exonym nation` as users run it: listing, showing, making, and what is said of wrong files."""

import json
from functools import partial
from pathlib import Path

import commands
import pytest

told, refused = partial(commands.printed_here, "nation"), partial(commands.refused_here, "nation")


@pytest.fixture(scope="module")
def portugal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A nation that does not ship, made once: reading the gazetteer takes seconds."""
    directory = tmp_path_factory.mktemp("made")
    said = commands.printed("nation", "make", "Portugal", cwd=directory)
    assert "PT.toml" in said
    assert "PT.names.tsv" in said
    return directory / "PT.toml"


def test_list_tells_the_nations_that_ship() -> None:
    nations = {row["code"]: row for row in json.loads(told("list", "--json"))["nations"]}
    assert set(nations) == {"TH", "JP", "KR", "CN", "TW", "VN", "LA", "KH", "MM", "IS"}
    assert nations["TH"]["name"] == "Thailand"
    assert nations["TH"]["domains"] == ["th", "xn--o3cw4h"]
    assert "Iceland" in told("list")


def test_show_tells_facts_with_their_sources() -> None:
    text = told("show", "th")
    assert text.startswith("Thailand (TH)")
    assert "[cldr]" in text
    assert "CC BY 4.0" in text
    table = json.loads(told("show", "TH", "--json"))
    assert table["languages"][0]["code"] == "th"
    assert table["facts"]["domains"] in table["sources"]
    assert {"text": "Koh Samui", "kind": "island", "source": "hand", "form": "name", "of": ""} in table["names"]


def test_show_adds_and_removes_names_by_file(tmp_path: Path) -> None:
    own = tmp_path / "names.txt"
    own.write_text("Thong Lo\n-Nan\n", encoding="utf-8")
    table = json.loads(told("show", "TH", "--names", own, "--json"))
    shown = {name["text"] for name in table["names"]}
    assert "Thong Lo" in shown
    assert "Nan" not in shown


def test_made_nation_has_facts_and_names(portugal: Path) -> None:
    table = json.loads(told("show", portugal, "--json"))
    assert (table["code"], table["name"], table["currency"], table["calling_code"]) == ("PT", "Portugal", "EUR", "351")
    assert table["country_codes"] == ["PT", "PRT", "620"]
    assert table["domains"] == ["pt"]
    assert table["languages"][0]["code"] == "pt"
    shown = {name["text"] for name in table["names"]}
    assert {"Portugal", "Lisbon", "Lisboa", "Porto", "Coimbra"} <= shown
    assert {name["source"] for name in table["names"]} == {"cldr", "iso", "geonames"}


def test_made_file_is_edited_by_hand_and_never_written_over(portugal: Path) -> None:
    text = portugal.read_text(encoding="utf-8")
    edited = text.replace("demonyms = []", 'demonyms = ["Portuguese"]  # mine')
    portugal.write_text(edited, encoding="utf-8")
    assert "Portuguese" in told("show", portugal)
    assert "exists and is not overwritten" in refused("make", "PT", "-o", portugal)
    assert portugal.read_text(encoding="utf-8") == edited
    portugal.write_text(text, encoding="utf-8")


def test_mistake_points_at_the_line(tmp_path: Path) -> None:
    path = tmp_path / "XX.toml"
    path.write_text('code = "XX"\nname = "Nowhere"\n\ncurency = "XXX"\n', encoding="utf-8")
    assert f"{path}:4: unknown key curency. Did you mean currency?" in refused("show", path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "PT"], "exonym nation make PT"),
        (["show", "Narnia"], "no nation"),
        (["show", "missing.toml"], "does not exist"),
        (["show", "TH", "--names", "missing.txt"], "does not exist"),
        (["make", "Narnia"], "no country"),
        (["make", "PT", "-o", "portugal.txt"], "does not end in .toml"),
        (["make", "PT", "-o", "nowhere/PT.toml"], "nowhere"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(*arguments)
