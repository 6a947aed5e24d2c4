"""What is said of a link's facts is true of the numbers that the facts were made from, and its weights add up."""

import math
import re

import numpy as np
import pytest

from exonym.strategies import STRATEGIES
from exonym.strategies.adaptive.additive import Additive
from exonym.strategies.adaptive.explaining import WORDINGS, chance_of, chances_of, text_of, weighed
from exonym.strategies.adaptive.facts import (
    FACTS,
    IS_NOTED,
    MOST_CALLS,
    MOST_FAILED,
    MOST_PAGES,
    domain_facts,
    facts_of_source,
    found_facts,
    segment_facts,
    server_facts,
    word_facts,
)
from exonym.strategies.adaptive.odds import ONE, steps_of
from exonym.urls import id_of

URL = "http://www.example.th/a"
ADDITIVE = [make for make in STRATEGIES.values() if issubclass(make, Additive)]
_RANGE = r"(?:(no)|(\d+)(?: to (\d+)| (or more))?)"


def spans(text: str, number: int) -> bool:
    """Whether the first number of a text, or its range, has this number in it."""
    found = re.search(_RANGE + r" (?:page|irrelevant|relevant|on irrelevant|link|request|step)", text)
    assert found is not None, text
    none, first, last, is_open = found.groups()
    if none:
        return number == 0
    return number >= int(first) if is_open else int(first) <= number <= int(last or first)


def has_share(text: str, share: float) -> bool:
    if "not relevant" in text or "none of them relevant" in text:
        return share == 0
    found = re.search(r"(\d+)(?: to (\d+))? %", text)
    if found is None:
        return share == 1
    first, last = int(found[1]), int(found[2] or found[1])
    return first - 0.5 <= 100 * share <= last + 0.5


def test_every_fact_has_a_wording() -> None:
    assert WORDINGS.keys() == FACTS.keys()


@pytest.mark.parametrize(("name", "pack"), [("server", server_facts), ("segment", segment_facts)])
def test_pages_of_servers_and_segments_are_in_the_ranges_that_are_told(name: str, pack: object) -> None:
    assert callable(pack)
    for pages in range(MOST_PAGES + 1):
        for relevant in range(pages + 1):
            note = int(pack(pages, relevant, 0, 0, 0) if name == "server" else pack(pages, relevant))
            told, age = text_of(name, note, URL), text_of(f"{name}_age", note, URL)
            assert told.startswith(f"its {name} gave ")
            assert age.startswith(f"its {name} gave ")
            assert spans(told, pages), (told, pages)
            assert spans(age, pages), (age, pages)
            assert pages == 0 or has_share(told, relevant / pages), (told, pages, relevant)
    server = int(server_facts(20, 17, 0, 0, 0))
    source = facts_of_source(server, 0, 0, 1, 0)
    assert text_of("source_server", source, URL).endswith(text_of("server", server, URL).removeprefix("its server"))


def test_the_classes_of_words_are_told_from_the_least_to_the_best() -> None:
    assert [text_of("anchor_words", word_facts(0, number), URL) for number in range(4)] == [
        "nothing is known of words like those of its anchor text",
        "the words of its anchor text are more frequent on links to irrelevant pages",
        "the words of its anchor text say little",
        "the words of its anchor text are more frequent on links to relevant pages",
    ]
    told = [text_of("url_words", word_facts(number, 0), URL) for number in range(1, 8)]
    assert len(set(told)) == 7
    assert told[0] == "the words of its URL are much more frequent on links to irrelevant pages"
    assert told[-2] == "the words of its URL are more frequent on links to relevant pages"


def test_counters_are_in_the_ranges_that_are_told() -> None:
    for count in range(16):
        note = int(found_facts(count, 15 - count, count, count))
        for name, number in (("found_relevant", count), ("found_irrelevant", 15 - count), ("found_elsewhere", count)):
            assert spans(text_of(name, note, URL), number)
        assert spans(text_of("found_spoken", note, URL), count)
    for failed in range(2 * MOST_FAILED):
        assert spans(text_of("failed", int(server_facts(0, 0, failed, 0, 0)), URL), failed)
    for calls in range(2 * MOST_CALLS):
        by_relevant, by_irrelevant = text_of("called", int(server_facts(0, 0, 0, calls, 3 * calls)), URL).split(", ")
        assert spans(by_relevant, calls)
        assert spans(by_irrelevant, 3 * calls)
        assert by_relevant.endswith("to its server on relevant pages of other servers")
        assert by_irrelevant.endswith(" on irrelevant ones")
    for distance in range(1, 20):
        assert spans(text_of("distance", int(facts_of_source(0, 0, 0, distance, 0)), URL), distance)


def test_yes_and_no_and_names_are_told_as_they_are() -> None:
    domains = np.array([id_of("th")], dtype=np.uint64)
    note = int(facts_of_source(0, 1, 0, 1, int(domain_facts(domains, domains)[0])))
    assert text_of("source_relevant", note, URL) == "a relevant page recommends it"
    assert text_of("same_server", note, URL) == "the link is from another server"
    assert text_of("own_domain", note, URL) == "a target language is common in its top-level domain"
    assert text_of("domain", note, URL) == "it is in the top-level domain .th"
    assert text_of("domain", note, "http://127.0.0.1/") == "its server has no top-level domain"


def test_class_without_a_number_is_told_by_its_name() -> None:
    first, bits = FACTS["server"]
    assert text_of("server", ((1 << bits) - 1) << first, URL) == f"server is in class {(1 << bits) - 1}"


@pytest.mark.parametrize("make", ADDITIVE)
def test_weights_of_a_note_add_up_to_its_score(make: type[Additive]) -> None:
    strategy = make()
    chance = np.random.default_rng(5)
    strategy.weights[:] = chance.integers(-2 * ONE, 2 * ONE, len(strategy.weights))
    for _ in range(50):
        pages = int(chance.integers(0, 80))
        note = int(
            server_facts(pages, int(chance.integers(0, pages + 1)), 1, *chance.integers(0, 40, 2).tolist())
            | segment_facts(3, 1)
            | found_facts(*chance.integers(0, 16, 4).tolist())
            | facts_of_source(0, 1, 1, int(chance.integers(0, 9)), 0)
        )
        found = weighed(note, URL, strategy.weights, strategy.tables)
        assert found is not None
        assert sorted(pair.facts for pair in found.weighed) == sorted(
            (first, second) if second else (first,) for first, second in strategy.pairs
        )
        expected = sum(strategy.weights[strategy.tables.of(np.array([note]))[0]].tolist())
        assert found.total == pytest.approx(expected / ONE)
        assert found.total == pytest.approx(sum(pair.weight for pair in found.weighed))
        heavy = [abs(pair.weight) for pair in found.weighed]
        assert heavy == sorted(heavy, reverse=True)
        least, most = chances_of(int(steps_of(np.int64(expected))) / 4)
        assert least <= found.chance <= most
        assert note & IS_NOTED


def test_note_of_another_strategy_has_no_facts() -> None:
    strategy = STRATEGIES["adaptive"]()
    assert isinstance(strategy, Additive)
    assert weighed(12, URL, strategy.weights, strategy.tables) is None


def test_chance_is_that_of_the_log_odds() -> None:
    assert chance_of(math.log(3)) == pytest.approx(0.75)
    assert chance_of(-1e9) == 0.0
    assert chance_of(128.0) == pytest.approx(1.0)
