"""Wikidata: the question that is asked, and the seeds in whatever comes back."""

import gzip
import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed
from exonym.seeds.wikidata import (
    KINDS,
    Question,
    WikidataClass,
    answer_in,
    kind_from,
    query_of,
    query_url,
    read_saved,
    seed_of,
)

ENTITY = "http://www.wikidata.org/entity/"
# In the shape of https://query.wikidata.org/sparql?format=json, application/sparql-results+json.
ANSWER = """{
  "head" : {
    "vars" : [ "item", "url", "itemLabel" ]
  },
  "results" : {
    "bindings" : [ {
      "item" : { "type" : "uri", "value" : "http://www.wikidata.org/entity/Q101" },
      "url" : { "type" : "uri", "value" : "http://www.one.example.ac.th/" },
      "itemLabel" : { "xml:lang" : "th", "type" : "literal", "value" : "มหาวิทยาลัย {หนึ่ง}" }
    }, {
      "item" : { "type" : "uri", "value" : "http://www.wikidata.org/entity/Q102" },
      "url" : { "type" : "uri", "value" : "https://two.example.com" },
      "itemLabel" : { "type" : "literal", "value" : "Q102" }
    }, {
      "item" : { "type" : "uri", "value" : "http://www.wikidata.org/entity/Q103" },
      "url" : { "type" : "uri", "value" : "https://three.example.org/th" },
      "itemLabel" : { "xml:lang" : "en", "type" : "literal", "value" : "Three, \\"the third\\"" }
    } ]
  }
}
"""
SEEDS = [
    Seed("http://www.one.example.ac.th/", "Wikidata Q101 (CC0)", "", "มหาวิทยาลัย {หนึ่ง}"),
    Seed("https://two.example.com/", "Wikidata Q102 (CC0)"),
    Seed("https://three.example.org/th", "Wikidata Q103 (CC0)", "", 'Three, "the third"'),
]
# What the endpoint writes into the middle of an answer when its 60 seconds are over.
TRACE = """SPARQL-QUERY: queryStr=SELECT ?item ?url ?itemLabel WHERE { { SELECT
java.util.concurrent.TimeoutException
\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)
\tat com.bigdata.rdf.sail.webapp.BigdataServlet.submitApiTask(BigdataServlet.java:292)
"""


def saved(path: Path, content: str | bytes) -> list[FoundSeed]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_saved(path, lambda _: None))


# Questions


def test_question_is_about_official_websites_of_what_is_in_the_country_by_its_code() -> None:
    query = query_of(Question("TH", ("th",)))
    assert '?country wdt:P297 "TH"' in query
    assert "wdt:P17 ?country" in query
    assert "wdt:P856 ?url" in query
    assert 'wikibase:language "th,en,mul"' in query
    assert "wdt:P31" not in query
    assert "LIMIT" not in query


def test_page_is_chosen_before_labels_are_looked_up() -> None:
    query = query_of(Question("JP", ("ja",), WikidataClass("university", "Q3918")), 5_000, 10_000)
    assert "wdt:P31/wdt:P279* wd:Q3918" in query
    assert query.index("ORDER BY ?item ?url LIMIT 5000 OFFSET 10000") < query.index("SERVICE wikibase:label")
    assert query.count("{") == query.count("}")


def test_query_comes_back_from_its_address_as_it_was() -> None:
    query = query_of(Question("TH", ("th", "en")), 10, 20)
    for endpoint in ("https://query.wikidata.org/sparql", "http://127.0.0.1/sparql?name=x"):
        words = parse_qs(urlsplit(query_url(endpoint, query)).query)
        assert (words["query"], words["format"]) == ([query], ["json"])


def test_kinds_go_by_name_or_number() -> None:
    assert kind_from("University") == WikidataClass("university", "Q3918")
    assert kind_from("political-party") == WikidataClass("political party", "Q7278")
    assert kind_from("q42") == WikidataClass("Q42", "Q42")
    assert len(set(KINDS.values())) == len(KINDS)
    with pytest.raises(ConfigError, match="Did you mean university"):
        kind_from("universty")
    for text in ("", "Q", "Q3918 } DROP ALL {", "wd:Q3918"):
        with pytest.raises(ConfigError, match="as Q3918"):
            kind_from(text)


# Answers


def test_answer_of_the_endpoint_gives_seeds_with_item_licence_and_title() -> None:
    answer = answer_in(ANSWER.encode())
    assert answer.flaw == ""
    assert list(map(seed_of, answer.rows)) == SEEDS
    assert seed_of(answer.rows[1], "bank") == Seed("https://two.example.com/", "Wikidata Q102 (CC0)", "bank")


LIST = [
    {"item": f"{ENTITY}Q101", "url": "http://www.one.example.ac.th/", "itemLabel": "มหาวิทยาลัย {หนึ่ง}"},
    {"item": f"{ENTITY}Q102", "url": "https://two.example.com", "itemLabel": "Q102"},
    {"item": f"{ENTITY}Q103", "url": "https://three.example.org/th", "itemLabel": 'Three, "the third"'},
]
CSV = "\r\n".join(
    [
        "item,url,itemLabel",
        f"{ENTITY}Q101,http://www.one.example.ac.th/,มหาวิทยาลัย {{หนึ่ง}}",
        f"{ENTITY}Q102,https://two.example.com,Q102",
        f'{ENTITY}Q103,https://three.example.org/th,"Three, ""the third"""',
    ]
)
TSV = f"""?item\t?url\t?itemLabel
<{ENTITY}Q101>\t<http://www.one.example.ac.th/>\t"มหาวิทยาลัย {{หนึ่ง}}"@th
<{ENTITY}Q102>\t<https://two.example.com>\t"Q102"
"""
OTHER_NAMES = f"website,thing,thingLabel\nhttp://www.one.example.ac.th/,{ENTITY}Q101,มหาวิทยาลัย {{หนึ่ง}}\n"


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (ANSWER, 3),
        (json.dumps(LIST), 3),
        ("\ufeff" + json.dumps(json.loads(ANSWER)["results"]["bindings"], ensure_ascii=False), 3),
        (gzip.compress(ANSWER.encode(), mtime=0), 3),
        (CSV, 3),
        (CSV.replace(",", "\t"), 1),
        (TSV, 2),
        (OTHER_NAMES, 1),
    ],
    ids=["endpoint", "web page", "web page, verbose", "gzip", "csv", "tsv", "tsv of the endpoint", "another query"],
)
def test_saved_answer_gives_the_same_seeds_in_every_form(content: str | bytes, count: int, tmp_path: Path) -> None:
    assert saved(tmp_path / "answer", content)[:count] == SEEDS[:count]


def test_what_is_no_website_is_told() -> None:
    unknown = {"item": f"{ENTITY}Q1", "url": "http://www.wikidata.org/.well-known/genid/a1b2"}
    assert seed_of(unknown) == SkippedSeed("no address")
    assert seed_of({"url": "ftp://files.example.org/"}) == SkippedSeed("no http(s) URL")
    assert seed_of({}) == SkippedSeed("no address")
    blank = b'{"results": {"bindings": [{"url": {"type": "bnode"}}, 7, null]}}'
    assert list(map(seed_of, answer_in(blank).rows)) == [SkippedSeed("no address")] * 3


@given(st.integers(0, len(ANSWER) - 3))
def test_answer_that_breaks_off_gives_all_rows_before_the_break(place: int) -> None:
    rows = answer_in(ANSWER.encode()).rows
    answer = answer_in((ANSWER[:place] + TRACE).encode())
    # A row is whole from its closing brace on; the two first are followed by a comma.
    ends = [ANSWER.index("}, {") + 1, ANSWER.rindex("}, {") + 1, ANSWER.index("} ]") + 1]
    expected = sum(place >= end for end in ends)
    assert answer.rows == rows[:expected]
    assert answer.flaw == (f"cut off after row {expected}" if expected else "no JSON")


def test_break_in_the_middle_of_a_character_costs_one_row() -> None:
    content = ANSWER.encode()
    place = content.index("ม".encode()) + 1
    assert answer_in(content[:place] + TRACE.encode()).rows == []
    later = content.replace(b"Three,", "สาม".encode()[:-1])
    assert len(answer_in(later).rows) == 3


@given(st.binary() | st.text().map(str.encode) | st.recursive(st.none(), st.lists).map(json.dumps).map(str.encode))
def test_any_answer_is_read(content: bytes) -> None:
    for row in answer_in(content).rows:
        assert isinstance(seed_of(row), Seed | SkippedSeed)


@pytest.mark.parametrize("content", [b"<html><body>502 Bad Gateway</body></html>", b"", b'{"boolean": true}', b"3"])
def test_answer_of_another_kind_has_a_flaw(content: bytes) -> None:
    answer = answer_in(content)
    assert answer.rows == []
    assert answer.flaw


def test_deeply_nested_answer_is_read() -> None:
    assert answer_in(b'{"results": {"bindings": ' + b"[" * 200_000).rows == []


@given(st.binary() | st.text().map(str.encode))
def test_any_file_is_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    found = saved(tmp_path_factory.getbasetemp() / "any", content)
    assert all(isinstance(one, Seed | SkippedSeed) for one in found)


def test_saved_answer_that_breaks_off_says_so(tmp_path: Path) -> None:
    found = saved(tmp_path / "a", ANSWER[: ANSWER.rindex("}, {") + 30] + TRACE)
    assert found == [*SEEDS[:2], SkippedSeed("rest of the answer: cut off after row 2")]
