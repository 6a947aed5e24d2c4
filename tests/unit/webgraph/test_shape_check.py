"""The check of Figures 2 and 3: every sentence holds for a web made by it, and fails for one that breaks it."""

from pathlib import Path

import numpy as np
import pytest

from exonym.batches import Outcome, language_code
from exonym.webgraph import Graph, GraphWriter
from exonym.webgraph.generating.check import check_graph
from exonym.webgraph.generating.shape_check import CheckedShape
from exonym.webgraph.manifest import Manifest

# Thai and other pages at the distances 1, 2 … from the only seed.
THAI = (1_000, 256, 128, 64, 32, 16, 8, 4, 2, 1)
OTHER = (500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000)
RATIO_FALLS = "Figure 2: distances up to 7 at which the ratio falls"
RATIO_STAYS = "Figure 2: ratio within distance 7 less ratio of all"
ALL_WITHIN = "Figure 2: pages within distance 7 of the seeds"
MOST = "Figure 3: Thai pages at distance 1 (most)"
FARTHEST = "Figure 3: distance of the farthest Thai page"
NO_RISE = "Figure 3: distances 2 to 10 without a rise or a gap"
FALL = "Figure 3: fall from one distance to the next, from 2 on"
FIT = "Figure 3: fit of an exponential to the fall (r²)"


def web_of(directory: Path, thai: tuple[int, ...] = THAI, other: tuple[int, ...] = OTHER, seeds: int = 1) -> Graph:
    """A Thai seed, and a row of other pages that begins there; all other pages hang on the page of the row before."""
    row = max(len(thai), len(other))
    hung = [*np.repeat(np.arange(len(thai)), thai), *np.repeat(np.arange(len(other)), other)]
    # Nodes: the seed, the row, Thai pages, other pages. The row is linked in a chain; a Thai page links to the seed.
    links = [(node - 1, node) for node in range(1, row + 1)]
    links += [(int(page), row + 1 + number) for number, page in enumerate(hung)]
    links += [(row + 1, 0)] if sum(thai) else []
    nodes = row + 1 + len(hung)
    relevant = np.zeros(nodes, dtype=np.bool_)
    relevant[[0, *range(row + 1, row + 1 + sum(thai))]] = True
    sources, targets = np.array(sorted(links)).T
    columns = {
        **{name: np.zeros(nodes, dtype=np.int64) for name in ("server", "segment", "domain")},
        "outcome": np.full(nodes, Outcome.PAGE),
        "language": np.where(relevant, language_code("th"), language_code("en")),
        "relevant": relevant,
        "offsets": np.searchsorted(sources, np.arange(nodes + 1)),
        "targets": targets,
        "seeds": np.zeros(seeds, dtype=np.int64),
    }
    with GraphWriter(directory) as writer:
        for name, values in columns.items():
            writer.put(name, values)
        writer.finish(Manifest(languages=["th"], domains=["th"]))
    return Graph.open(directory)


def shapes_of(graph: Graph) -> dict[str, CheckedShape]:
    return {shape.name: shape for shape in check_graph(graph).figures}


def test_every_sentence_holds_for_a_web_made_by_them(tmp_path: Path) -> None:
    found = shapes_of(web_of(tmp_path / "web"))
    assert [name for name, shape in found.items() if not shape.holds] == []
    # By hand: 1,001 Thai pages at distance 1, with the seed, of 1,512; 256, 128 … are halved; 19,500 other pages, the
    # seed, 10 pages of the row and 1,511 Thai pages are 21,022, and beyond distance 7 are 4 + 2 + 1 Thai and 3 others.
    assert found[MOST].generated == 1_001 / 1_512
    assert found[FARTHEST].generated == found[FARTHEST].published == 10
    assert found[NO_RISE].generated == found[NO_RISE].published == 9
    assert found[FALL].generated == pytest.approx(0.5)
    assert found[FIT].generated == pytest.approx(1.0)
    assert found[RATIO_FALLS].generated == found[RATIO_FALLS].published == 7
    assert found[ALL_WITHIN].generated == 21_012 / 21_022
    assert found[RATIO_STAYS].generated == pytest.approx(1_505 / 21_012 - 1_512 / 21_022)
    assert found[RATIO_STAYS].difference == found[RATIO_STAYS].generated
    assert found[MOST].difference is None


@pytest.mark.parametrize(
    ("thai", "other", "broken"),
    [
        (THAI, (500, 1_000, 0, 4_000, 4_000, 4_000, 4_000), {RATIO_FALLS}),
        (THAI, (500, 1_000, 2_000), {RATIO_FALLS}),
        (THAI, (*OTHER, 600), {ALL_WITHIN}),
        (THAI, (*OTHER, 6_000), {ALL_WITHIN, RATIO_STAYS}),
        ((500, *THAI[1:]), OTHER, {MOST}),
        ((*THAI, 1), OTHER, {FARTHEST}),
        (THAI[:-1], OTHER, {FARTHEST, NO_RISE}),
        ((1_000, 256, 128, 64, 0, 16, 8, 4, 2, 1), OTHER, {NO_RISE}),
        ((1_000, 64, 128, 32, 16, 8, 6, 4, 2, 1), OTHER, {NO_RISE}),
        ((1_000, 9, 9, 9, 9, 9, 9, 9, 9, 9), OTHER, {FIT, FALL}),
        ((1_000, 9, 8, 7, 6, 5, 4, 3, 2, 1), OTHER, {FIT}),
        ((1_000, 1, 2, 4, 8, 16, 32, 64, 96, 128), OTHER, {NO_RISE, FALL, RATIO_STAYS}),
        ((1_000,), OTHER, {FARTHEST, NO_RISE, FALL, FIT}),
        # The web of generator 2 at 20,000 pages.
        ((2_423, 3, 2, 3, 3, 2), OTHER, {FARTHEST, NO_RISE, FIT}),
    ],
)
def test_a_web_that_breaks_a_sentence_does_not_hold_it(
    thai: tuple[int, ...], other: tuple[int, ...], broken: set[str], tmp_path: Path
) -> None:
    found = shapes_of(web_of(tmp_path / "web", thai, other))
    assert {name for name, shape in found.items() if not shape.holds} == broken


def test_nothing_is_said_of_distances_from_seeds_without_seeds(tmp_path: Path) -> None:
    found = shapes_of(web_of(tmp_path / "web", seeds=0))
    assert {found[name].holds for name in (RATIO_FALLS, RATIO_STAYS, ALL_WITHIN)} == {None}
    assert found[MOST].holds


def test_shapes_do_not_count_as_differences_of_shares(tmp_path: Path) -> None:
    # No share is farther off than 1, distances are.
    assert check_graph(web_of(tmp_path / "web", thai=(1_000,))).farthest <= 1
