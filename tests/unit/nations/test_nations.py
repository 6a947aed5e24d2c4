"""Nations are data: what ships is whole, what people write is checked by line, what is made can be read back."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError, DirectoryError, ExonymError
from exonym.nations import Language, Name, Nation, load_nation, shipped_codes, with_names
from exonym.nations.file_writing import facts_text, names_text, save_nation
from exonym.nations.gazetteer import divisions, letters_of, prefixes_in
from exonym.nations.make import code_of
from exonym.nations.nation import distinct, grouped, names_in, own_languages
from exonym.nations.shipped import names_file_of

FORMS = {"name", "alternate", "short"}
LEAST = 'code = "XX"\nname = "Nowhere"\n'


@pytest.fixture
def thailand() -> Nation:
    return load_nation("TH")


def texts(nation: Nation, kind: str = "") -> set[str]:
    return {name.text for name in nation.names if not kind or name.kind == kind}


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as error:
        load_nation(path)
    assert "\n" not in str(error.value)
    return str(error.value)


# what ships


def test_ten_nations_ship() -> None:
    assert set(shipped_codes()) == set("TH JP KR CN TW VN LA KH MM IS".split())  # noqa: SIM905


@pytest.mark.parametrize("code", shipped_codes())
def test_shipped_nation_is_whole(code: str) -> None:
    nation = load_nation(code)
    assert nation.code == code
    for fact in ("name", "languages", "domains", "country_codes", "calling_code", "currency", "demonyms", "seeds"):
        assert getattr(nation, fact), fact
    assert code.lower() in nation.domains
    assert len(nation.names) >= 500
    assert {name.form for name in nation.names} <= FORMS
    assert all(name.text.strip() == name.text and name.text for name in nation.names)
    assert sum(name.kind in ("province", "region", "city") for name in nation.names) > 100


@pytest.mark.parametrize("code", shipped_codes())
def test_every_shipped_fact_has_a_source_with_a_licence(code: str) -> None:
    nation = load_nation(code)
    cited = {source for text in nation.facts.values() for source in text.split(", ")}
    assert cited | {name.source for name in nation.names} <= set(nation.sources)
    filled = {item for item in Nation.__dataclass_fields__ if getattr(nation, item)}
    assert filled - {"names", "facts", "sources"} <= set(nation.facts)
    assert all(text.partition("; ")[2] for text in nation.sources.values())


@pytest.mark.parametrize("code", shipped_codes())
def test_other_forms_stand_for_a_name_that_is_there(code: str) -> None:
    names = load_nation(code).names
    assert all((name.form == "name") == (not name.of) for name in names)


def test_thailand_is_as_the_world_knows_it(thailand: Nation) -> None:
    assert thailand.name == "Thailand"
    assert thailand.country_codes == ("TH", "THA", "764")
    assert thailand.domains == ("th", "xn--o3cw4h")  # ".ไทย"
    assert "ไทย".encode("idna") == b"xn--o3cw4h"
    assert (thailand.calling_code, thailand.currency) == ("66", "THB")
    assert {"tis-620", "windows-874"} <= set(thailand.charsets)
    assert (thailand.languages[0].code, thailand.languages[0].script) == ("th", "Thai")
    assert thailand.prefixes["Amphoe"] == "district"
    assert thailand.prefixes["Koh"] == "island"


def test_thailand_has_its_77_provinces_or_cities_of_their_rank(thailand: Nation) -> None:
    # 76 provinces and Bangkok by law; ISO 3166-2 lists Pattaya besides.
    ranked = [name for name in thailand.names if name.source == "iso" and name.kind in ("province", "city")]
    assert len(ranked) == 78
    assert {"Nakhon Pathom", "Chiang Mai", "Phuket"} <= texts(thailand, "province")


def test_names_of_the_thesis_are_there(thailand: Nation) -> None:
    assert {"Koh Samui", "Samui", "Nakhon Pathom"} <= texts(thailand)
    samui = next(name for name in thailand.names if name.text == "Samui")
    assert (samui.form, samui.of, samui.kind) == ("short", "Koh Samui", "island")


def test_two_countries_share_no_domain() -> None:
    domains = [domain for code in shipped_codes() for domain in load_nation(code).domains]
    assert len(domains) == len(set(domains))


def test_country_is_never_a_stop_word_of_itself_but_a_town_may_bear_the_name_of_another() -> None:
    assert "China" not in load_nation("CN").stop_words
    assert "China" in load_nation("JP").stop_words  # a town on Okinoerabu


def test_burma_is_a_name_of_myanmar() -> None:
    nation = load_nation("mm")
    assert nation.name == "Myanmar"
    assert {"Myanmar", "Burma"} <= texts(nation, "country")


# what is asked for


@pytest.mark.parametrize("given_text", ["", "Narnia", "T", "../x", "TH.names.tsv", "a\0b", "ไทย"])
def test_what_is_no_nation_is_refused_in_one_line(given_text: str) -> None:
    with pytest.raises(ExonymError) as error:
        load_nation(given_text)
    assert "\n" not in str(error.value)


def test_country_that_does_not_ship_is_told_how_to_be_made() -> None:
    with pytest.raises(ConfigError, match="exonym nation make PT"):
        load_nation("pt")


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="does not exist"):
        load_nation(tmp_path / "PT.toml")


# files that people edit


@pytest.mark.parametrize(
    ("written", "line", "said"),
    [
        ('code = "XX"\nname = "Nowhere\n', 2, "not valid TOML"),
        ('code = "XX"\n\n# a comment\nname = 5\n', 4, "name must be a text"),
        ('code = "xx"\nname = "Nowhere"\n', 1, "two capital letters"),
        (LEAST + 'domain = ["xx"]\n', 3, "Did you mean domains?"),
        (LEAST + 'domains = [\n  "xx",\n  "ไทย",\n]\n', 5, 'write it as "xn--o3cw4h"'),
        (LEAST + 'seeds = ["https://a.example/",\n"ftp://b.example/"]\n', 4, "wrong address"),
        (LEAST + 'calling_code = 66\n', 3, "digits in quotes"),
        (LEAST + 'demonyms = "Thai"\n', 3, "list of texts"),
        (LEAST + '\n[[languages]]\ncode = "th"\nshare = 80\n', 6, "share from 0 to 1"),
        (LEAST + '\n[[languages]]\ncode = "th"\n\n[[languages]]\ncode = "Thai"\n', 8, "need a code"),
        (LEAST + '[[languages]]\ncode = "th"\nshare = 0.2\n[[languages]]\ncode = "lo"\nshare = 2\n', 8, "from 0 to 1"),
        (LEAST + "[prefixes]\nKoh = 1\n", 4, "must be a text in quotes"),
        (LEAST + '[names]\nisland = ["Koh Samui",\n  "|Samui"]\n', 5, "write the name first"),
        (LEAST + "names = 3\n", 3, "must be a section"),
        ('name = "Nowhere"\n', 1, "code is missing"),
    ],
)  # fmt: skip
def test_mistake_is_told_by_its_line(tmp_path: Path, written: str, line: int, said: str) -> None:
    path = tmp_path / "XX.toml"
    path.write_text(written, encoding="utf-8")
    message = refused(path)
    assert message.startswith(f"{path}:{line}: "), message
    assert said in message


@pytest.mark.parametrize("row", ["city\thand", "city\thand\t", "Samui", "city\thand\t|Samui", "city\thand\t~Samui"])
def test_mistake_in_the_table_of_names_is_told_by_its_line(tmp_path: Path, row: str) -> None:
    path = tmp_path / "XX.toml"
    path.write_text(LEAST, encoding="utf-8")
    beside = tmp_path / "XX.names.tsv"
    beside.write_text(f"# a comment\ncity\thand\tSamui\n{row}\n", encoding="utf-8")
    assert refused(path).startswith(f"{beside}:3: ")


def test_file_that_is_not_utf8_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "XX.toml"
    path.write_bytes(b'code = "XX"\nname = "\xa1"\n')
    assert refused(path).startswith(f"{path}:2: ")


def test_names_in_the_file_come_before_those_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "XX.toml"
    path.write_text(LEAST + '[names]\nisland = ["Koh Samui|Ko Samui|~Samui"]\n', encoding="utf-8")
    (tmp_path / "XX.names.tsv").write_text("city\tgeonames\tHere\r\n\nisland\tgeonames\tKo Samui\n", encoding="utf-8")
    assert load_nation(path).names == (
        Name("Koh Samui", "island", "hand"),
        Name("Ko Samui", "island", "hand", "alternate", "Koh Samui"),
        Name("Samui", "island", "hand", "short", "Koh Samui"),
        Name("Here", "city", "geonames"),
    )


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("nation") / "XX.toml"
    path.write_bytes((LEAST + text).encode("utf-8", "surrogatepass"))
    said = ""
    try:
        load_nation(path)
    except ExonymError as error:
        said = str(error)
    assert not said or (said.startswith(f"{path}:") and "\n" not in said)


# a user's own names


@pytest.fixture
def nowhere() -> Nation:
    return Nation("XX", "Nowhere", names=(Name("Old Town", "city", "hand"), Name("Nan", "city", "hand")))


def test_names_are_added_and_removed_by_file(tmp_path: Path, nowhere: Nation) -> None:
    path = tmp_path / "names.txt"
    path.write_text("# mine\n+Koh Samui|~Samui\nNew  Town  # lately built\n\n-nan\n", encoding="utf-8")
    assert with_names(nowhere, path).names == (
        Name("Old Town", "city", "hand"),
        Name("Koh Samui", "own", "names.txt"),
        Name("Samui", "own", "names.txt", "short", "Koh Samui"),
        Name("New Town", "own", "names.txt"),
    )


def test_removing_what_is_not_there_is_told_by_its_line(tmp_path: Path, nowhere: Nation) -> None:
    path = tmp_path / "names.txt"
    path.write_text("New Town\n-Old Twon\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"names.txt:2: 'Old Twon' is no name of Nowhere.* Did you mean Old Town\?"):
        with_names(nowhere, path)


@pytest.mark.parametrize("line", ["+", "|Samui", "+~Samui"])
def test_line_without_a_name_is_told(tmp_path: Path, nowhere: Nation, line: str) -> None:
    path = tmp_path / "names.txt"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"names\.txt:1: "):
        with_names(nowhere, path)


# made and saved

PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="|~#"), min_size=1)


@given(st.lists(st.tuples(PLAIN, st.lists(st.tuples(PLAIN, st.booleans()), max_size=3)), max_size=5))
def test_names_written_are_the_names_read(entries: list[tuple[str, list[tuple[str, bool]]]]) -> None:
    lines = ["|".join([first, *("~" * short + text for text, short in others)]) for first, others in entries]
    names = distinct(name for line in lines for name in names_in(line, "city", "hand"))
    read = [name for row in grouped(names) for name in names_in(row.split("\t")[2], *row.split("\t")[:2])]
    assert {name.text for name in distinct(read)} == {name.text for name in names}
    assert all(tuple(name) in {tuple(other) for other in read} for name in names)


def test_saved_nation_is_the_nation_loaded(tmp_path: Path, thailand: Nation) -> None:
    path = tmp_path / "TH.toml"
    beside = save_nation(thailand, path)
    assert beside == tmp_path / "TH.names.tsv"
    loaded = load_nation(path)
    assert replace(loaded, names=()) == replace(thailand, names=())
    assert sorted(loaded.names) == sorted(thailand.names)


def test_nothing_is_written_over(tmp_path: Path, nowhere: Nation) -> None:
    path = tmp_path / "XX.toml"
    names_file_of(path).write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="exists and is not overwritten"):
        save_nation(nowhere, path)
    assert names_file_of(path).read_text(encoding="utf-8") == "mine"
    assert not path.exists()


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=3))
def test_facts_are_valid_toml_whatever_they_say(name: str, words: list[str]) -> None:
    nation = Nation("XX", name, demonyms=tuple(words), prefixes=dict.fromkeys(words, "city"))
    table = tomllib.loads(facts_text(nation, "XX.names.tsv"))
    assert (table["name"], table["demonyms"]) == (name, words)
    assert names_text(nation)


def test_country_is_known_by_code_or_name() -> None:
    assert code_of("pt") == code_of("PRT") == code_of("Portugal") == "PT"
    with pytest.raises(ConfigError, match=r"Did you mean PT\?"):
        code_of("Portugall")


def test_divisions_are_named_by_kind() -> None:
    kinds = {name.text: name.kind for name in divisions("TH")}
    assert (kinds["Chiang Mai"], kinds["Phatthaya"]) == ("province", "city")
    assert all(name.source == "iso" for name in divisions("IS"))


def test_prefixes_are_found_where_places_are_listed_with_and_without() -> None:
    def both(prefix: str, times: int) -> list[Name]:
        return [Name(f"{prefix} P{at}", "city", "g", "alternate", f"P{at}") for at in range(times)]

    names = [*both("Amphoe", 3), *both("King Amphoe", 3), *both("Amphoe Mueang", 3), *both("Mueang", 3)]
    names += [*both("Wat", 2), *both("Greater", 5)]
    assert prefixes_in(names) == {"Amphoe": "district", "King Amphoe": "district", "Mueang": "district"}


def test_japanese_is_written_in_three_scripts() -> None:
    assert letters_of(["Jpan", "Latn"]) == {"Hani", "Hira", "Kana", "Latn"}


def test_names_of_shipped_nations_are_kept_once_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert any(name.text == "Vientiane" for name in load_nation("LA").names)
    (kept,) = (tmp_path / "exonym").iterdir()
    kept.write_text("city\thand\tNowhere\n", encoding="utf-8")
    assert "Nowhere" in {name.text for name in load_nation("LA").names}


def test_names_of_shipped_nations_are_read_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert any(name.text == "Vientiane" for name in load_nation("LA").names)


def spoken(code: str, *languages: str) -> Nation:
    shares = [0.9 - place / 10 for place in range(len(languages))]
    return Nation(code, code, tuple(Language(name, "", share) for name, share in zip(languages, shares, strict=True)))


@pytest.mark.parametrize(
    ("nation", "own"),
    [
        (spoken("NL", "nl", "en", "de", "fr"), ["nl"]),
        (spoken("CH", "de", "en", "fr", "it"), ["de", "fr", "it"]),
        (spoken("SG", "en", "zh", "ms"), ["en", "zh", "ms"]),
        (spoken("IE", "ga", "en"), ["ga"]),
        (spoken("TW", "zh-Hant", "nan"), ["zh-Hant"]),
        (spoken("XZ", "th", "lo"), ["th"]),
        (spoken("XZ", "tts"), []),
        (spoken("XZ"), []),
    ],
)
def test_crawl_for_a_nation_looks_for_its_official_languages(nation: Nation, own: list[str]) -> None:
    known = frozenset(["nl", "en", "de", "fr", "it", "zh", "ms", "ga", "th", "lo"])
    assert own_languages(nation, known) == own
