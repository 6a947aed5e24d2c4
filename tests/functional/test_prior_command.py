"""`exonym model prior train` as users run it."""

from pathlib import Path

from commands import json_of, printed, refused

from exonym.models.prior_file import load_prior


def test_prior_is_learned_from_graphs_and_used(tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 6)):
        printed("graph", "generate", "-o", name, "--size", 3_000, "--random-seed", seed, cwd=tmp_path)
    document = json_of("model", "prior", "train", "one", "two", "-o", "own.json", cwd=tmp_path)
    prior = load_prior(tmp_path / "own.json")
    assert document == {"prior": "own.json", "graphs": ["one", "two"], "weights": sum(map(len, prior.weights.values()))}
    assert [graph["seed"] for graph in prior.provenance["graphs"]] == [5, 6]
    words = ("simulate", "one", "--k", 1)
    for options in ("prior=own.json", "prior=none"):
        words += ("--strategy", f"adaptive:{options}")
    learned, cold = json_of(*words, cwd=tmp_path)["results"]
    # It was learned on this very web: were it no help there, something would be wrong.
    assert learned["area"] > cold["area"]


def test_graph_without_relevant_pages_teaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "pages.csv").write_text("url,language\nhttp://a.example/,en\n")
    (tmp_path / "links.csv").write_text("source,target\n")
    words = ("--pages", "pages.csv", "--links", "links.csv", "--language", "th", "--seed", "http://a.example/")
    printed("graph", "import", "-o", "empty", *words, cwd=tmp_path)
    assert "no relevant pages" in refused("model", "prior", "train", "empty", "-o", "own.json", cwd=tmp_path)
    assert not (tmp_path / "own.json").exists()
