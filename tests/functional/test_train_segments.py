"""`exonym model links train|show|judge` as people and scripts use them."""

import json
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run_here

from exonym.archive.records import record
from exonym.batches import Outcome
from exonym.cli import main
from exonym.practice import PracticeOptions, PracticeWeb
from exonym.practice.graph.write import write_topic_graph
from exonym.webgraph import Graph, GraphWriter

FEATURES = ["degree", "names", "countries", "domains", "words"]
QUICK = ["--folds", "3", "--repeats", "2", "--jobs", "1"]
QUICKEST = ["--folds", "2", "--repeats", "1", "--jobs", "1", "--no-ablation"]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A practice web of 600 pages: 93 are relevant, on several sites."""
    directory = tmp_path_factory.mktemp("webs") / "graph"
    write_topic_graph(PracticeWeb(2, 600, PracticeOptions(topics=True)), directory, "thai-tourism", jobs=1)
    return directory


@pytest.fixture(scope="module")
def model(graph: Path) -> Path:
    """A model of the graph, with its report beside it and, as JSON, what the command said."""
    path = graph.with_name("thai.links")
    words = ["-o", str(path), str(graph), "--nation", "TH", "--compare", "--report", str(path.with_name("report.html"))]
    with path.with_suffix(".json").open("w") as file, redirect_stdout(file), pytest.raises(SystemExit) as left:
        main(["model", "links", "train", *words, *QUICK, "--json"])
    assert left.value.code == 0
    return path


@pytest.fixture
def trained(model: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(model.with_suffix(".json").read_text())
    return found


# What training tells


def test_json_has_the_names_that_scripts_rely_on(trained: dict[str, Any], graph: Path) -> None:
    assert trained.keys() >= {
        *("model", "bytes", "report", "name", "kind", "nation", "language", "features", "terms", "threshold", "seed"),
        *("graph", "relevant_if", "degree_threshold", "hops", "seeds", "back_links", "back_link_file", "pages"),
        *("segments", "relevant_segments", "links", "sites", "validations", "leak", "ablation", "telling"),
        *("published", "remarks", "command", "provenance"),
    }
    web = Graph.open(graph)
    assert (trained["name"], trained["kind"], trained["nation"]) == ("thai", "bayes", "TH")
    assert trained["seeds"] == int((web.relevant & (web.outcome == Outcome.PAGE)).sum())
    assert trained["seeds"] < trained["back_links"] < trained["pages"] <= web.manifest.fetched
    assert trained["relevant_segments"] < trained["segments"] <= web.manifest.segments
    assert trained["features"] == FEATURES


def test_both_kinds_are_validated_by_site_and_by_plain_folds(trained: dict[str, Any]) -> None:
    ways = [(one["kind"], one["by_site"], one["folds"], one["repeats"]) for one in trained["validations"]]
    assert ways == [("bayes", True, 3, 2), ("bayes", False, 3, 2), ("linear", True, 3, 2), ("linear", False, 3, 2)]
    by_site, plain = trained["validations"][:2]
    assert trained["leak"] == pytest.approx(plain["g_mean"] - by_site["g_mean"], abs=2e-4)
    assert plain["g_mean"] > 0.7


def test_each_feature_is_left_out_and_tried_alone(trained: dict[str, Any]) -> None:
    assert [one["feature"] for one in trained["ablation"]] == FEATURES
    for one in trained["ablation"]:
        assert one["lost"] == pytest.approx(one["g_mean_of_all"] - one["g_mean_without"], abs=2e-4)
        assert 0 <= one["g_mean_alone"] <= 1


def test_words_and_names_of_the_topic_speak_for_it(trained: dict[str, Any]) -> None:
    telling = trained["telling"]
    assert list(telling) == [
        *("degree", "text_names", "url_names", "source_country", "country", "source_domain", "domain", "words")
    ]
    assert "0.0 to 0.1" in [one["value"] for one in telling["url_names"]["against"]]
    assert all(one["weight"] > 0 for one in telling["words"]["for"])


def test_figures_of_the_thesis_stand_beside_as_theirs(graph: Path, tmp_path: Path) -> None:
    code, out, err = run_here("model", "links", "train", "-o", tmp_path / "m.links", graph, "--nation", "TH", *QUICK)
    assert (code, err) == (0, "")
    theirs = "87.3 % (Thai tourism), 88.6 % (Thai estate), 85.6 % (Thai diving)"
    assert f"The thesis, on its own data and by plain folds: G-mean {theirs}." in out
    assert re.search(r"bayes, folds by site +G-mean [\d.]+ % ± [\d.]+, precision [\d.]+ %, recall [\d.]+ %", out)
    assert re.search(r"Leak: [+-][\d.]+ points of G-mean come from knowing other links to the same site", out)
    assert re.search(r"names +G-mean +[\d.]+ % without it \( *[+-][\d.]+ points lost\), +[\d.]+ % alone", out)
    assert re.search(r"back-links +\d+ pages that link to them", out)
    assert re.search(r"share of names in the URL, against +0\.0 to 0\.1 -", out)
    assert f"Wrote {tmp_path / 'm.links'}" in out


def test_report_is_one_page_that_fetches_nothing(trained: dict[str, Any], model: Path) -> None:
    found = model.with_name("report.html").read_text(encoding="utf-8")
    assert not re.search(r"<script|<link|<img|<iframe|src=|@import|url\((?!#)", found)
    assert "Link model thai" in found
    assert "the thesis, on its own data" in found
    assert found.count("<svg") == 1
    assert found.count("<h2>") == 5
    assert trained["report"].endswith("report.html")


def test_same_seed_gives_the_same_model(graph: Path, tmp_path: Path) -> None:
    found = []
    for name in ("a.links", "b.links"):
        words = [
            "-o",
            tmp_path / name,
            graph,
            "--random-seed",
            "5",
            "--start-pages",
            "20",
            "--plain-folds",
            *QUICKEST,
            "--json",
        ]
        _, out, _ = run_here("model", "links", "train", *words)
        found.append(json.loads(out))
    for key in ("validations", "telling", "threshold", "links", "pages"):
        assert found[0][key] == found[1][key]
    assert found[0]["seeds"] == 20
    assert [one["by_site"] for one in found[0]["validations"]] == [False]
    assert (found[0]["leak"], found[0]["ablation"]) == (None, [])


def test_without_a_nation_names_play_no_part(graph: Path, tmp_path: Path) -> None:
    words = ["-o", tmp_path / "m.links", graph, "--kind", "linear", *QUICKEST]
    code, out, _ = run_here("model", "links", "train", *words, "--json")
    found = json.loads(out)
    assert (code, found["kind"], found["nation"]) == (0, "linear", "")
    assert found["features"] == ["degree", "countries", "domains", "words"]
    assert "text_names" not in found["telling"]
    assert any("--nation XX" in remark for remark in found["remarks"])


def test_lower_threshold_calls_no_fewer_segments_relevant(graph: Path, tmp_path: Path) -> None:
    found = []
    for threshold in ("0.25", "1"):
        words = ["-o", tmp_path / f"{threshold}.links", graph, "--threshold", threshold, "--hops", "1", *QUICKEST]
        found.append(json.loads(run_here("model", "links", "train", *words, "--json")[1]))
    assert found[0]["relevant_segments"] > found[1]["relevant_segments"]
    assert found[0]["pages"] == found[1]["pages"]
    assert (found[0]["degree_threshold"], found[0]["hops"]) == (0.25, 1)


# Back-links of a file


@pytest.fixture
def exported(graph: Path, tmp_path: Path) -> Path:
    """A table of twelve back-links: eleven of a seed, one of them from a page that is not in the graph, one of no seed.

    The other ten are from pages that link to no seed in the graph. A line is none.
    """
    web = Graph.open(graph)
    urls, sources = web.texts("url"), np.repeat(np.arange(len(web)), np.diff(web.offsets))
    is_page = web.outcome == Outcome.PAGE
    others = np.setdiff1d(np.flatnonzero(is_page & ~web.relevant), sources[(web.relevant & is_page)[web.targets]])
    seed, other = urls[int(np.flatnonzero(web.relevant & is_page)[0])], urls[int(others[0])]
    lines = [f"{urls[node]},links,{seed}" for node in others[:10].tolist()]
    lines += [f"http://nowhere.example/,links,{seed}", f"{seed},links,{other}", "no address,links,nowhere"]
    path = tmp_path / "exported <b>.csv"
    path.write_text("\n".join(["Source URL,Anchor,Target URL", *lines]))
    return path


def test_back_links_of_a_file_are_added_and_counted(graph: Path, exported: Path, tmp_path: Path) -> None:
    words = ["model", "links", "train", graph, *QUICKEST, "--plain-folds", "--hops", "1", "--json", "-o"]
    without = json.loads(run_here(*words, tmp_path / "a.links")[1])
    assert without["back_link_file"] is None
    report = ["--report", tmp_path / "r.html"]
    code, out, err = run_here(*words, tmp_path / "b.links", "--back-links", exported, *report)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["back_link_file"] == {
        "file": str(exported),
        "links": 12,
        "to_seeds": 11,
        "in_graph": 10,
        "pages": 10,
        "new": 10,
        "skipped": {"no http(s) URL": 1},
    }
    assert found["back_links"] == without["back_links"] + 10
    assert found["pages"] > without["pages"]
    assert found["provenance"]["back_link_file"] == found["back_link_file"]
    assert "back_link_file" not in without["provenance"]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "exported &lt;b&gt;.csv: 10 of 11 back-links are in the graph" in page


def test_back_links_of_a_file_are_told_to_people(graph: Path, exported: Path, tmp_path: Path) -> None:
    told = (
        "exported <b>.csv: 10 of 11 back-links are in the graph; they are on 10 pages, 10 of which have no such link "
        "in the graph; 1 others lead to no seed; 1 left out: no http(s) URL"
    )
    options = ["--back-links", exported]
    code, out, _ = run_here("model", "links", "train", graph, *QUICKEST, "-o", tmp_path / "m.links", *options)
    assert (code, told in out) == (0, True)
    code, out, _ = run_here("model", "links", "tune", graph, "--no-crawls", *options)
    assert (code, told in out) == (0, True)


def test_threshold_is_searched_from_the_back_links_of_a_file_too(graph: Path, exported: Path) -> None:
    words = ["model", "links", "tune", graph, "--no-crawls", "--hops", "1", "--json"]
    without = json.loads(run_here(*words)[1])
    found = json.loads(run_here(*words, "--back-links", exported)[1])
    assert (without["back_link_file"], found["back_link_file"]["in_graph"]) == (None, 10)
    assert (found["seeds"], found["hops"], found["seed"]) == (1_000, 1, 0)
    # More pages to begin from, so that none is lost that there was.
    for more, fewer in zip(found["thresholds"], without["thresholds"], strict=True):
        assert more["existing"] >= fewer["existing"]


@pytest.mark.parametrize(
    "command", [["model", "links", "train", "-o", "m.links", *QUICKEST], ["model", "links", "tune"]]
)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"http://nowhere.example/\n", "none of its 1 back-links is a page of"),
        (b"http://a.example/\thttp://b.example/\n", "none of its 1 back-links leads to one of the"),
        (b"Once upon a time\n", "links.txt has no back-links; line 1: no http(s) URL"),
        (b"\x89PNG\r\n\x1a\n\0\0", "links.txt has no back-links; line 1"),
        (b"", "it is empty"),
        (None, "links.txt cannot be read"),
    ],
)
def test_file_without_back_links_is_refused_in_one_line(
    command: list[str],
    content: bytes | None,
    message: str,
    graph: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "links.txt").write_bytes(content)
    code, out, err = run_here(*command, graph, "--back-links", "links.txt")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "m.links").exists()


# A judge of one's own


def warc_of(directory: Path) -> Path:
    """Twelve sites of two pages; the even ones are about Thailand. All link to each other."""
    path = directory / "pages.warc"
    links = "".join(
        f"<p>Read of {'Thailand' if site % 2 == 0 else 'cooking'} <a href='http://s{site}.example.com/{site}/'>here</a></p>"
        for site in range(12)
    )
    about = ("Bangkok, Phuket and Chiang Mai are in Thailand, and so is Pattaya.", "The kitchen has an oven and a pan.")
    with path.open("wb") as file:
        for number in range(24):
            site = number // 2
            url = f"http://s{site}.example.com/{site}/{'' if number % 2 == 0 else 'more.html'}"
            text = f"<p>{about[site % 2]} This is what the people who live here will tell you about it every day.</p>"
            html = f"<html lang=en><title>Page {number}</title><body>{text}{links}</body></html>"
            answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}".encode()
            fields = f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
            file.write(record(b"response", fields.encode(), answer))
    return path


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """A folder with a graph, `graph`, judged by language, and `crawl/crawl.toml`, for pages about Thailand."""
    words = ["--language", "en", "--keep-text", "--keep-around", "--jobs", "1"]
    assert run_here("graph", "import", warc_of(tmp_path), "-o", tmp_path / "graph", *words)[0] == 0
    crawl = ["--nation", "TH", "--about", "--in", "en", "--operator", "you@example.org"]
    assert run_here("new", tmp_path / "crawl", *crawl)[0] == 0
    return tmp_path


def test_target_of_a_crawl_says_what_is_relevant_and_whose_names_count(imported: Path) -> None:
    before = sorted(path.name for path in imported.iterdir())
    words = ["--relevance", imported / "crawl/crawl.toml", *QUICKEST, "--json"]
    code, out, err = run_here("model", "links", "train", "-o", imported / "m.links", imported / "graph", *words)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["nation"], found["relevant_if"]) == ("TH", "about TH in en")
    # All twelve sites are one segment each, half of them relevant.
    assert (found["seeds"], found["segments"], found["relevant_segments"]) == (12, 12, 6)
    # Of each relevant segment's eleven sources, and of each other's.
    assert found["links"] == {"relevant": 66, "irrelevant": 66}
    assert sorted(path.name for path in imported.iterdir()) == sorted([*before, "m.links"])


def test_graph_judged_beforehand_gives_the_same_model(imported: Path) -> None:
    target = ["--relevance", imported / "crawl/crawl.toml"]
    assert run_here("graph", "judge", imported / "graph", "-o", imported / "judged", *target, "--jobs", "1")[0] == 0
    train = ["model", "links", "train", *QUICKEST, "--json", "-o"]
    first = json.loads(run_here(*train, imported / "a.links", imported / "graph", *target)[1])
    second = json.loads(run_here(*train, imported / "b.links", imported / "judged")[1])
    for key in ("links", "nation", "relevant_if", "telling", "validations", "threshold"):
        assert first[key] == second[key]


# What is in a model


def test_show_tells_what_the_model_goes_by_and_comes_from(trained: dict[str, Any], model: Path) -> None:
    found = json.loads(run_here("model", "links", "show", model, "--json")[1])
    assert found.keys() >= {
        *("model", "bytes", "name", "kind", "language", "features", "names", "matcher", "terms", "threshold", "needs"),
        *("telling", "provenance"),
    }
    assert found["names"] > 1_000
    assert found["telling"] == trained["telling"]
    origin = found["provenance"]
    assert (origin["nation"], origin["graph"], origin["degree_threshold"]) == ("TH", trained["graph"], 0.5)
    assert origin["gathered"]["back_links"] == trained["back_links"]
    assert [one["kind"] for one in origin["validations"]] == ["bayes", "bayes", "linear", "linear"]
    code, out, _ = run_here("model", "links", "show", model)
    assert code == 0
    assert "thai, a bayes link model" in out
    assert "Strongest values" in out


def test_read_writes_names_as_figure_8_of_the_thesis_does(model: Path) -> None:
    link = ["--url", "http://www.example.com/thailand/pattaya.html", "--anchor", "hotel in Pattaya"]
    more = ["--around", "Pattaya is a beach in Thailand", "--degree", "0.5", "--source-domain", "COM"]
    places = ["--source-country", "us", "--country", "TH"]
    code, out, _ = run_here("model", "links", "judge", model, *link, *more, *places)
    assert code == 0
    assert re.search(r"names +0\.6\|1\.0 ", out)
    assert re.search(r"degree +0\.5 ", out)
    assert re.search(r"countries +US\|TH ", out)
    assert re.search(r"domains +com\|com ", out)
    found = json.loads(run_here("model", "links", "judge", model, *link, *more, *places, "--json")[1])
    assert found["shares"] == {"text": 0.6, "url": 1.0}
    # Equation 9: the mean of both.
    assert found["probability"] == pytest.approx(sum(found["halves"].values()) / 2, abs=1e-4)
    assert {one["term"] for one in found["words"]} >= {"pattaya"}


def test_read_takes_what_is_unknown_as_a_value(model: Path) -> None:
    code, out, _ = run_here("model", "links", "judge", model, "--url", "http://192.0.2.1/")
    assert code == 0
    assert re.search(r"countries +unknown\|unknown ", out)
    assert re.search(r"domains +unknown\|unknown ", out)
    assert "none known to the model" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--url", "no address"], "is not a URL"),
        (["--url", "mailto:you@example.org"], "is not http or https"),
        (["--url", "http://a.com/", "--country", "Siam"], "is not a country"),
        (["--url", "http://a.com/", "--source-domain", "co.th"], "is not a top-level domain"),
        (["--url", "http://a.com/", "--degree", "2"], "--degree"),
        ([], "--url"),
    ],
)
def test_read_tells_wrong_use_in_one_line(model: Path, words: list[str], message: str) -> None:
    code, out, err = run_here("model", "links", "judge", model, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "judge"])
def test_file_that_is_no_link_model_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"exonym link model 1\n" + b"0" * 64 + b"\n{}\n")
    words = ["--url", "http://a.com/"] if command == "judge" else []
    for path in (tmp_path / "m", tmp_path / "missing", tmp_path):
        code, out, err = run_here("model", "links", command, path, *words)
        assert (code, out, err.count("\n")) == (2, "", 1)


# Wrong use


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing"], "has no graph in it"),
        (["{graph}", "--nation", "ZZ"], "ZZ does not ship"),
        (["{graph}", "--names", "own.txt"], "--names adds to the names of a nation"),
        (["{graph}", "--nation", "TH", "--names", "missing.txt"], "missing.txt"),
        (["{graph}", "--language", "tlhh"], "tlhh"),
        (["{graph}", "--relevance", "missing.toml"], "missing.toml"),
        (["{graph}", "--relevance", "crawl.toml"], "has no texts to judge. Import it with --keep-text"),
        (["{graph}", "--report", "m.links"], "Name two files"),
        (["{graph}", "--report", "no/where.html"], "does not exist. Make the directory first"),
        (["{graph}", "--threshold", "0"], "--threshold"),
        (["{graph}", "--folds", "1"], "--folds"),
        (["{good}"], "too few links to irrelevant segments to learn from: 0 of"),
        (["{bare}"], "has no texts of links. Import it without --no-anchors"),
        (["{dull}"], "has no relevant page"),
        (["{damaged}"], "targets.npy"),
    ],
)
def test_wrong_use_is_one_line_and_leaves_nothing(
    words: list[str],
    message: str,
    webs: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl.toml").write_text('[target.about]\nnation = "TH"\n')
    code, out, err = run_here(
        "model", "links", "train", "-o", "m.links", *QUICKEST, *(word.format(**webs) for word in words)
    )
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl.toml"]


@pytest.fixture(scope="module")
def webs(graph: Path) -> dict[str, Path]:
    """The graph; without texts of links; with no page, or every page, relevant; with links that lead nowhere."""
    root, web = graph.parent, Graph.open(graph)
    for name, left_out in (("bare", "anchor"), ("dull", "relevant"), ("good", "relevant")):
        with GraphWriter(root / name) as writer:
            writer.link(web, [column for column in web.manifest.columns if column.partition(".")[0] != left_out])
            if left_out == "relevant":
                writer.put("relevant", np.full(len(web), name == "good"))
            writer.finish(web.manifest)
    shutil.copytree(graph, root / "damaged")
    content = bytearray((root / "damaged/targets.npy").read_bytes())
    content[-8:] = b"\xff" * 8
    (root / "damaged/targets.npy").write_bytes(content)
    return {"graph": graph, **{name: root / name for name in ("bare", "dull", "good", "damaged")}}


@pytest.mark.parametrize(("unit", "strategy", "other"), [("site", "site", "segment"), ("page", "naive-bayes", "site")])
def test_model_for_sites_or_pages_is_trained_shown_and_crawled_with(
    unit: str, strategy: str, other: str, graph: Path, tmp_path: Path
) -> None:
    path, web = tmp_path / "m.links", Graph.open(graph)
    words = ["model", "links", "train", "-o", path, graph, "--unit", unit, "--report", tmp_path / "r.html", *QUICKEST]
    found = json.loads(run_here(*words, "--json")[1])
    assert (found["unit"], found["published"]) == (unit, [])
    assert found["relevant_segments"] < found["segments"] <= (web.manifest.servers if unit == "site" else len(web))
    assert f"links to relevant {unit}s" in (tmp_path / "r.html").read_text()
    assert f"a bayes link model of {unit}s" in run_here("model", "links", "show", path)[1]
    judged = run_here("model", "links", "judge", path, "--url", "http://a.com/")[1]
    assert re.search(rf"^ +its {unit} +(ir)?relevant: ", judged, re.MULTILINE)
    crawl = ["simulate", graph, "--max-pages", "50", "--k", "1"]
    assert run_here(*crawl, "--strategy", f"{strategy}:model={path}")[0] == 0
    code, _, err = run_here(*crawl, "--strategy", f"{other}:model={path}")
    assert (code, err.count("\n")) == (2, 1)
    assert f"model must be trained for {other}s, got one for {unit}s" in err


def test_files_are_not_written_over_unless_forced(graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.links"
    path.write_text("mine")
    words = ["model", "links", "train", "-o", path, graph, *QUICKEST]
    code, _, err = run_here(*words)
    assert (code, path.read_text()) == (2, "mine")
    assert "add --force" in err
    assert run_here(*words, "--force")[0] == 0
    assert path.read_bytes().startswith(b"exonym link model 1\n")


def test_names_that_are_no_text_do_not_get_into_the_model(graph: Path, tmp_path: Path) -> None:
    odd = "n\udcff"  # as Python has the byte FF of a command line
    (tmp_path / odd).symlink_to(graph)
    words = ["-o", tmp_path / "m.links", tmp_path / odd, "--name", odd, "--report", tmp_path / "r.html", *QUICKEST]
    assert run_here("model", "links", "train", *words)[0] == 0
    found = json.loads(run_here("model", "links", "show", tmp_path / "m.links", "--json")[1])
    assert found["name"] == "n?"
    assert found["provenance"]["graph"].endswith("n?")
    assert run_here("model", "links", "judge", tmp_path / "m.links", "--url", "http://a.com/", "--anchor", odd)[0] == 0
