"""The adaptive strategy: its floor, and what it knows before its first page."""

import json
import math
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exonym.batches import NO_ROW
from exonym.errors import ConfigError, DirectoryError, ExonymError
from exonym.models.prior_file import Prior, load_prior, save_prior
from exonym.readers.link_ids import ids_of
from exonym.strategies.adaptive.additive import SEED_SCORE, pair_name
from exonym.strategies.adaptive.facts import IS_NOTED, facts_digest
from exonym.strategies.adaptive.odds import ONE, harvest_step, score_of
from exonym.strategies.adaptive.strategy import Adaptive
from exonym.strategies.adaptive.worded import LEAST_SCORE
from exonym.strategies.by_name import make_strategy
from exonym.testing.random_batches import link_batch, page_batch


def test_the_score_of_a_chance_is_its_log_odds_rounded_down_to_quarters() -> None:
    # ln(0.05 / 0.95) = -2.944, ln(1) = 0, ln(9) = 2.197
    assert [score_of(chance) for chance in (0.05, 0.5, 0.9, 0.0)] == [-3.0, 0.0, 2.0, -math.inf]


def test_there_is_no_floor_before_enough_was_learned() -> None:
    strategy = Adaptive(floor=0.05)
    strategy.lessons[0] = strategy.lessons_before_floor - 1
    assert strategy.floor == -math.inf
    strategy.lessons[0] += 1
    assert strategy.floor == score_of(0.05 / 8)


def test_the_floor_rises_when_the_harvest_rate_falls_below_it() -> None:
    strategy = Adaptive(floor=0.05)
    strategy.lessons[0] = strategy.lessons_before_floor
    strategy.harvest[0] = round(0.05 * ONE)
    assert strategy.floor == score_of(0.05 / 8)
    strategy.harvest[0] -= 1
    assert strategy.floor == score_of(0.05)


def test_a_floor_of_0_is_none() -> None:
    strategy = Adaptive()
    strategy.lessons[0], strategy.harvest[0] = 10**6, 0
    assert strategy.floor == -math.inf


@pytest.mark.parametrize("floor", [-0.1, 1.0, math.nan])
def test_floor_is_a_probability(floor: float) -> None:
    with pytest.raises(ConfigError, match=r"strategy\.floor must be 0 \(none\), or less than 1"):
        make_strategy("adaptive", {"floor": floor})


def test_the_harvest_rate_of_late_approaches_that_of_the_pages() -> None:
    harvest = ONE
    for _ in range(20):  # 20 times 512 pages without a relevant one leave (1 - 1/512) ** 10,240 = e ** -20
        for _ in range(512):
            harvest += int(harvest_step(harvest, 0))
    assert 0 <= harvest / ONE < 1e-6


def test_shipped_weights_are_about_the_present_facts() -> None:
    assert load_prior().facts == facts_digest(), "train it again: docs/why/adaptive.md says how"


def test_strategies_made_by_name_begin_with_the_shipped_weights_unless_told_otherwise() -> None:
    shipped, cold = (make_strategy("adaptive", options) for options in ({}, {"prior": "none"}))
    assert isinstance(shipped, Adaptive)
    assert isinstance(cold, Adaptive)
    assert not cold.weights.any()
    weights = load_prior().weights
    for pair in shipped.pairs:
        part = shipped.weights[shipped.tables.part(pair)]
        assert {cell: part[cell] / ONE for cell in np.flatnonzero(part)} == pytest.approx(
            weights.get(pair_name(pair), {})
        )


def test_no_weights_of_single_domains_are_shipped() -> None:
    assert not [pair for pair in load_prior().weights if "domain" in pair.split("+")]


def test_prior_in_a_file_is_used(tmp_path: Path) -> None:
    save_prior(Prior(facts_digest(), {"failed": {3: -1.5}}, {}), tmp_path / "own.json")
    strategy = make_strategy("adaptive", {"prior": "own.json"}, directory=tmp_path)
    assert isinstance(strategy, Adaptive)
    assert np.flatnonzero(strategy.weights).tolist() == [strategy.tables.part(("failed", "")).start + 3]
    assert strategy.weights.sum() == -1.5 * ONE


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "does not exist|No such file"),
        (b"", "is no prior"),
        (b"\xff\xfe", "is no prior"),
        (b"{}", "is no prior: .* missing required field"),
        ({"format": "exonym prior 9"}, "has the format 'exonym prior 9'"),
        ({"facts": "0"}, "learned by another version"),
        ({"weights": {"failed": {"4": 1.0}}}, r"is damaged: the weight 1 of failed in cell 4\."),
        ({"weights": {"failed": {"0": 9.0}}}, r"is damaged: the weight 9 of failed in cell 0\."),
        ({"weights": {"failed": {"-1": 1.0}}}, "is damaged"),
        ({"weights": {"failed": {"a": 1.0}}}, "is no prior"),
    ],
)
def test_what_is_no_prior_is_told_in_a_line(
    content: bytes | dict[str, object] | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.json"
    if isinstance(content, dict):
        whole = {"format": "exonym prior 1", "facts": facts_digest(), "weights": {}, "provenance": {}} | content
        path.write_text(json.dumps(whole))
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ExonymError, match=re.escape(str(path))) as raised:
        make_strategy("adaptive", {"prior": "own.json"}, directory=tmp_path)
    assert re.search(message, str(raised.value))
    assert "\n" not in str(raised.value)


def test_what_was_learned_about_other_facts_is_refused() -> None:
    class Simple(Adaptive):
        pairs = (("server", ""),)

    with pytest.raises(DirectoryError, match="is about other facts than this version"):
        Adaptive().restore(Simple().state())


def test_hosts_of_a_domain_that_never_paid_come_last_however_promising() -> None:
    chance = random.Random(1)
    strategy = Adaptive("th")
    pages = replace(page_batch(chance, 40), outcome=np.zeros(40, np.uint8), relevant=np.zeros(40, np.bool_))
    farm = [f"http://h{number}.farm.example/" for number in range(40)]
    strategy.learn(replace(pages, text=farm, server=ids_of(farm)))
    links = replace(link_batch(chance, 3), source=np.arange(3), source_relevant=np.ones(3, np.bool_))
    found = [f"http://{name}.example/" for name in ("new.farm", "a", "b")]
    scores = strategy.score(replace(links, text=found, server=ids_of(found)))
    assert scores[0] == LEAST_SCORE < min(scores[1:])
    seeds = replace(links, source=np.full(3, NO_ROW), text=[found[0]] * 3, server=ids_of([found[0]] * 3))
    assert set(strategy.score(seeds)) == {SEED_SCORE}


def test_copies_that_learned_the_same_do_not_add_up_to_many_times_as_much() -> None:
    chance = random.Random(2)
    pages = page_batch(chance, 40)
    pages = replace(pages, relevant=np.ones(40, np.bool_), outcome=np.zeros(40, np.uint8))
    noted = replace(pages, note=np.full(40, IS_NOTED, np.uint64))
    alone, *copies = (Adaptive("th", text=False) for _ in range(17))
    for strategy in (alone, *copies):
        strategy.differences()
        strategy.learn(noted)
    told = [strategy.differences() for strategy in copies]
    for differences in told[1:]:
        copies[0].add_differences(differences)
    (cells,) = alone.tables.of(np.array([IS_NOTED]))
    once, together = alone.weights[cells].sum(), copies[0].weights[cells].sum()
    assert once < together < 8 * once
    assert np.array_equal(copies[0].seen, 16 * alone.seen)
