"""crawl.toml: what it may say, what its defaults are, and how mistakes in it are told."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym import __version__
from exonym.config import Settings, language_of, load, settings_of, template, user_agent
from exonym.config.loading import known_keys
from exonym.config.template import toml_value
from exonym.errors import ConfigError, DirectoryError

THAI = {"target": {"languages": ["th"]}}


def settings(**sections: dict[str, Any]) -> Settings:
    return settings_of(THAI | sections)


def message(**sections: dict[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        settings(**sections)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def loaded(tmp_path: Path, text: str | bytes) -> Settings:
    path = tmp_path / "crawl.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(path)


def test_template_parses_to_the_defaults() -> None:
    assert settings_of(tomllib.loads(template(THAI))) == settings()


def test_template_parses_to_the_defaults_when_its_comments_are_taken_away() -> None:
    lines = template(THAI).splitlines()
    keys = {key.rpartition(".")[2] for key in known_keys()}
    plain = [line.removeprefix("# ") if line.removeprefix("# ").split(" =")[0] in keys else line for line in lines]
    assert settings_of(tomllib.loads("\n".join(plain))) == settings()


@pytest.mark.parametrize("key", known_keys())
def test_template_documents_every_key(key: str) -> None:
    section, _, leaf = key.rpartition(".")
    body = template({}).partition(f"[{section}]\n")[2].partition("\n[")[0].splitlines()
    place = next(number for number, line in enumerate(body) if line.startswith(f"# {leaf} = "))
    assert body[place - 1].startswith("# ")
    assert " = " not in body[place - 1]


def test_template_sets_what_is_asked() -> None:
    asked = THAI | {"strategy": {"name": "lswc", "S": 1, "T": 1}, "limits": {"pages": 10_000}}
    found = settings_of(tomllib.loads(template(asked)))
    assert found.limits.pages == 10_000
    assert found.strategy.options == {"S": 1, "T": 1}


@given(st.text() | st.integers(-(2**62), 2**62) | st.booleans() | st.floats(allow_nan=False) | st.lists(st.text()))
def test_values_survive_being_written_as_toml(value: object) -> None:
    assert tomllib.loads(f"key = {toml_value(value)}")["key"] == value


def test_strategy_keeps_its_options_apart_from_its_name() -> None:
    choice = settings(strategy={"name": "limited-distance", "T": 2, "prioritized": True}).strategy
    assert choice.name == "limited-distance"
    assert choice.options == {"T": 2, "prioritized": True}


def test_whole_seconds_may_be_written_without_a_point() -> None:
    assert settings(politeness={"delay_seconds": 2}).politeness.delay_seconds == 2.0


def test_key_of_version_0_1_0_is_still_read() -> None:
    assert settings(judge={"hearsay": False}).judge.inherit_language is False
    assert "judge.inherit_language must be true or false" in message(judge={"hearsay": "no"})


def test_mistake_in_a_file_is_told_by_its_line(tmp_path: Path) -> None:
    lines = [
        "[target]",
        'languages = ["th"]',
        "# [limits] is below",
        "[target.about]",
        "variety = 0",
        "[limits]",
        "x = 1",
    ]
    with pytest.raises(
        ConfigError, match=r"crawl\.toml:5: target\.about\.variety must be .* section \[target\.about\]"
    ):
        loaded(tmp_path, "\n".join(lines))
    with pytest.raises(ConfigError, match=r"crawl\.toml:7: unknown key limits\.x"):
        loaded(tmp_path, "\n".join(lines).replace("variety = 0", "variety = 1"))
    with pytest.raises(ConfigError, match=r"crawl\.toml:4: seeds\.urls: 'a b' is not a URL"):
        loaded(tmp_path, "\n".join([*lines[:2], '[seeds]\nurls = ["a.example", "a b"]']))


def test_seeds_are_brought_to_normal_form() -> None:
    assert settings(seeds={"urls": ["HTTP://Example.ORG:80"]}).seeds.urls == ["http://example.org/"]


def test_unknown_key_is_told_with_the_nearest_known_one() -> None:
    assert message(strategy={"nmae": "bfs"}) == ("crawl.toml: unknown key strategy.nmae. Did you mean strategy.name?")
    assert message(limits={"page": 3}) == "crawl.toml: unknown key limits.page. Did you mean limits.pages?"


def test_key_in_the_wrong_section_is_told_its_right_one() -> None:
    assert message(limits={"delay_seconds": 3}).endswith("Did you mean politeness.delay_seconds?")
    assert message(pages=3).endswith("unknown key pages. Did you mean limits.pages?")  # type: ignore[arg-type]


def test_unknown_section_is_told_with_the_nearest_known_one() -> None:
    assert message(politness={}).endswith("unknown key politness. Did you mean [politeness]?")


def test_key_like_no_other_is_sent_to_the_reference_page() -> None:
    assert message(limits={"colour": 1}).endswith("See docs/reference/crawl-toml.md for the keys there are.")


def test_out_of_range_value_is_told_with_key_rule_and_value() -> None:
    assert message(limits={"pages": -3}) == (
        "crawl.toml: limits.pages must be a whole number of 0 or more, got -3. Set it in crawl.toml, section [limits]."
    )


@pytest.mark.parametrize(
    ("section", "key", "value", "rule"),
    [
        ("limits", "pages", "many", "a whole number"),
        ("limits", "pages", 1.5, "a whole number"),
        ("limits", "pages", True, "a whole number"),
        ("limits", "pages", 10**30, "a whole number"),
        ("network", "connections", 0, "a whole number of 1 or more"),
        ("politeness", "delay_seconds", float("inf"), "a number from 0"),
        ("politeness", "delay_seconds", float("nan"), "a number from 0"),
        ("politeness", "delay_seconds", "2", "a number from 0"),
        ("network", "allow_private", 1, "true or false"),
        ("network", "connect_to", "127.0.0.1", "a host and a port"),
        ("network", "connect_to", "127.0.0.1:99999", "a host and a port"),
        ("network", "user_agent", "two\r\nlines", "plain ASCII text"),
        ("politeness", "operator", "nobody", "a web page or an e-mail address"),
        ("politeness", "operator", "ftp://example.org/", "a web page or an e-mail address"),
        ("politeness", "operator", "a@b.org\r\nX: y", "a web page or an e-mail address"),
        ("seeds", "urls", "http://example.org/", "a list of texts"),
        ("seeds", "urls", [1], "a list of texts"),
        ("strategy", "name", 3, "a text in quotes"),
        ("strategy", "S", [1], "a number, a text, true or false"),
        ("strategy", "S", {"a": 1}, "a number, a text, true or false"),
    ],
)
def test_wrong_value_is_told_with_its_rule(section: str, key: str, value: object, rule: str) -> None:
    said = message(**{section: {key: value}})
    assert f"{section}.{key} must be {rule}" in said
    assert f"section [{section}]" in said


def test_seed_that_is_no_url_is_refused() -> None:
    assert "seeds.urls: 'an example' is not a URL" in message(seeds={"urls": ["an example"]})


def test_target_without_languages_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"target\.languages is missing"):
        settings_of({})


def test_toml_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"crawl\.toml:2: not valid TOML: "):
        loaded(tmp_path, "[limits]\npages 3\n")


def test_deep_nesting_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nested too deeply"):
        loaded(tmp_path, "a = " + "[" * 100_000)


def test_file_in_another_encoding_is_told_its_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"crawl\.toml:2: not UTF-8"):
        loaded(tmp_path, b"[seeds]\n# \xff\n")


def test_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    assert loaded(tmp_path, b'\xef\xbb\xbf[target]\nlanguages = ["th"]\n') == settings()


def test_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="exonym new"):
        load(tmp_path / "nowhere" / "crawl.toml")


def test_directory_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="cannot be read"):
        load(tmp_path)


_ANY_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(known_keys()), _ANY_VALUE)
def test_any_value_gives_settings_or_one_line_of_advice(key: str, value: object) -> None:
    section, _, leaf = key.rpartition(".")
    try:
        assert isinstance(settings_of(THAI | {section: {leaf: value}}), Settings)
    except ConfigError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017


@pytest.mark.parametrize("text", ["th", "tha", "Thai", "TH", "th-TH", " thai "])
def test_language_has_one_code_however_it_is_written(text: str) -> None:
    assert language_of(text) == "th"


def test_language_outside_the_table_is_taken_by_its_code() -> None:
    assert language_of("gsw") == "gsw"


@pytest.mark.parametrize("text", ["", "Klingonese", "t", "12", "ไทย"])
def test_text_that_is_no_language_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="no language that Exonym knows"):
        language_of(text)


def test_language_given_twice_counts_once() -> None:
    assert settings_of({"target": {"languages": ["th", "Thai", "lo"]}}).target.languages == ["th", "lo"]


def test_live_crawl_without_operator_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"politeness\.operator is missing"):
        settings(seeds={"urls": ["http://example.org/"]}).check_live()


def test_live_crawl_without_seeds_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"seeds\.urls is empty"):
        settings(politeness={"operator": "a@example.org"}).check_live()


def test_live_crawl_with_operator_and_seeds_is_allowed() -> None:
    settings(seeds={"file": "seeds.txt"}, politeness={"operator": "https://example.org/us"}).check_live()


def test_user_agent_names_version_and_operator() -> None:
    asked = settings(politeness={"operator": "https://example.org/us"}, network={"user_agent": "MyLibrary/1"})
    assert user_agent(asked) == f"Exonym/{__version__} (+https://example.org/us) MyLibrary/1"
    assert user_agent(settings(politeness={"operator": "a@example.org"})) == f"Exonym/{__version__} (+a@example.org)"


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        settings().limits.pages = 3  # type: ignore[misc]


def test_settings_travel_between_processes() -> None:
    asked = settings(strategy={"name": "lswc", "S": 1})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(asked), type=Settings) == asked


def test_section_within_a_section_is_read() -> None:
    found = settings_of({"target": {"about": {"nation": "TH", "languages": ["English"], "domains": [".TH", "ไทย"]}}})
    assert found.target.languages == []
    assert found.about.languages == ["en"]
    assert found.about.domains == ["th", "xn--o3cw4h"]
    assert settings_of(tomllib.loads(template({"target.about": {"nation": "TH"}}))).about.nation == "TH"


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ({"nations": "TH"}, "unknown key target.about.nations. Did you mean target.about.nation?"),
        ({"share": 0}, "target.about.share must be a number above 0, 1 at most, got 0"),
        ({"domains": ["co.th"]}, "target.about.domains must be top-level domains"),
        ({"languages": ["Klingonese"]}, "target.about.languages: "),
        ({"nation": "a\0b"}, "target.about.nation must be the path of a file"),
        ("TH", "target.about must be a section"),
    ],
)
def test_mistake_in_a_section_within_a_section_is_told(about: object, told: str) -> None:
    assert told in message(target={"languages": ["th"], "about": about})


@pytest.mark.parametrize("value", [0, 0.25, 1, "auto"])
def test_eagerness_is_a_number_or_auto_and_no_option_of_the_strategy(value: object) -> None:
    chosen = settings(strategy={"name": "soft", "eagerness": value})
    assert chosen.strategy.eagerness == value
    assert chosen.strategy.options == {}


def test_eagerness_out_of_range_is_told_with_both_ways_to_write_it() -> None:
    assert message(strategy={"name": "soft", "eagerness": 2.0}) == (
        'crawl.toml: strategy.eagerness must be a number from 0 to 1 or "auto", got 2.0. '
        "Set it in crawl.toml, section [strategy]."
    )
