"""The `exonym` command as users run it: what it prints, what it writes, how it exits."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import EXONYM, json_here, printed_here, refused, refused_here, run, run_here
from ports import reserved_port
from waiting import wait_until

from exonym import __version__
from exonym.cli import program
from exonym.config import load
from exonym.models.terms import TermOptions
from exonym.models.topic import TopicModel
from exonym.models.topic_file import load_model, save_model
from exonym.nations import load_nation
from exonym.seeds.seeds_file import seed_urls

STATUS_KEYS = {
    *("pages", "relevant", "harvest_rate", "servers", "relevant_servers"),
    *("frontier", "failures", "languages", "strategy", "finished"),
}


@contextmanager
def served_practice_web(*arguments: str) -> Iterator[dict[str, Any]]:
    """What `exonym practice-web --json` says of the web that it serves meanwhile."""
    command = [EXONYM, "practice-web", "--port", "0", "--json", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0


# Words and exit codes


def test_help_names_every_command() -> None:
    result = run("--help")
    assert result.returncode == 0
    for command in ("demo", "new", "crawl", "status", "practice-web"):
        assert command in result.stdout


def test_no_arguments_show_the_help() -> None:
    assert run().stdout == run("--help").stdout


def test_version_is_told() -> None:
    assert run("--version").stdout == f"Exonym {__version__}\n"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom exonym.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'numpy', 'pyarrow', 'pycurl', 'lmdb', 'rich', 'turbohtml'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("arguments", [["nonsense"], ["crawl"], ["status", "a", "b"], ["demo", "--size", "many"]])
def test_wrong_use_is_told_in_one_line(arguments: list[str]) -> None:
    assert "exonym --help" in refused_here(*arguments)


def test_error_shows_where_it_arose_only_when_asked(tmp_path: Path) -> None:
    assert "Traceback" not in run("crawl", tmp_path).stderr
    assert "Traceback" in run("--debug", "crawl", tmp_path).stderr
    assert "Traceback" in run("crawl", tmp_path, EXONYM_DEBUG="1").stderr


def test_defect_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**settings: object) -> None:
        raise ZeroDivisionError("a\nb")

    monkeypatch.setattr(program, "app", broken)
    said = run_here("status", "x")
    assert said.code == 1
    assert "a defect of ours (ZeroDivisionError: a b)" in said.err
    assert len(said.err.splitlines()) == 1


def test_interruption_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**settings: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "app", interrupted)
    assert run_here("status", "x").code == 130


PRESSED_AGAIN = """
import atexit, os, signal, sys
from exonym import __version__
from exonym.cli import program

def app(**settings):
    raise KeyboardInterrupt

program.app = app
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["exonym", "status"]
program.main()
"""


def test_interruption_while_python_shuts_down_changes_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", PRESSED_AGAIN], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "")


def test_reader_that_leaves_early_hears_no_complaint() -> None:
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run([EXONYM, "--help"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert result.stderr == ""
    assert result.returncode == 0


# exonym new


def test_new_writes_settings_that_load(tmp_path: Path) -> None:
    directory = tmp_path / "my crawl"
    seeds = ["--seed", "https://example.org/", "--seed", "https://example.com/"]
    result = run("new", directory, "--language", "Thai", *seeds, "--operator", "me@example.org", "--strategy", "soft")
    assert result.returncode == 0, result.stderr
    settings = load(directory / "crawl.toml")
    settings.check_live()
    assert settings.target.languages == ["th"]
    assert settings.seeds.urls == ["https://example.org/", "https://example.com/"]
    assert settings.strategy.name == "soft"
    assert f"exonym crawl '{directory}'" in result.stdout


def test_new_copies_a_seed_file(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# ours\nhttps://example.org/ # home\n\nhttps://example.com/\n")
    printed_here("new", tmp_path / "a", "--language", "th", "--seeds", tmp_path / "list")
    assert load(tmp_path / "a" / "crawl.toml").seeds.file == "seeds.txt"
    assert (tmp_path / "a" / "seeds.txt").read_text() == (tmp_path / "list").read_text()


def test_new_takes_addresses_as_seeds_files_have_them(tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes("\ufeffexample.org # home\r\nhttp://a.example/ # note\r\n".encode())
    printed_here("new", tmp_path / "a", "--language", "th", "--seeds", tmp_path / "list", "--seed", "b.example")
    assert seed_urls(load(tmp_path / "a" / "crawl.toml"), tmp_path / "a") == [
        *["https://b.example/", "https://example.org/", "http://a.example/"]
    ]


def test_new_refuses_a_seed_file_with_a_wrong_line(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("https://example.org/\nnot one\n")
    assert "line 2: 'not one' is not a URL" in refused_here(
        "new", tmp_path / "a", "--language", "th", "--seeds", tmp_path / "list"
    )
    assert not (tmp_path / "a").exists()


def test_new_never_writes_over_a_crawl(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_text("mine")
    assert "exists already" in refused_here("new", tmp_path, "--language", "th")
    assert (tmp_path / "crawl.toml").read_text() == "mine"


def test_new_refuses_a_strategy_that_is_not_there(tmp_path: Path) -> None:
    told = refused_here("new", tmp_path / "a", "--language", "th", "--strategy", "lwsc")
    assert "strategy.name must be one of" in told
    assert told.endswith("Correct it; nothing was written.\n")


@pytest.mark.parametrize(
    ("option", "value"), [("--language", "Klingonese"), ("--seed", "no where"), ("--operator", "me")]
)
def test_new_refuses_wrong_values(tmp_path: Path, option: str, value: str) -> None:
    assert value in refused_here("new", tmp_path / "a", "--language", "th", option, value)
    assert not (tmp_path / "a").exists()


def test_new_says_what_is_still_missing(tmp_path: Path) -> None:
    said = printed_here("new", tmp_path / "a", "--language", "th")
    assert "[seeds]" in said
    assert "[politeness]" in said


def test_new_for_pages_about_a_nation_fills_in_names_domains_and_seeds(tmp_path: Path) -> None:
    directory = tmp_path / "a"
    printed_here("new", directory, "--nation", "TH", "--about", "--in", "en")
    settings = load(directory / "crawl.toml")
    assert settings.target.languages == []
    assert settings.about.languages == ["en"]
    assert settings.about.domains == ["th", "xn--o3cw4h"]
    assert settings.seeds.urls == list(load_nation("TH").seeds)
    copied = load_nation(directory / settings.about.nation)
    assert set(copied.names) == set(load_nation("TH").names)
    assert copied.prefixes == load_nation("TH").prefixes


def test_new_copies_a_nation_file_of_the_users_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('code = "QA"  # a remark\nname = "Qatar"\nseeds = ["https://a.qa/"]\n')
    (tmp_path / "mine.names.tsv").write_text("city\thand\tDoha\n")
    printed_here("new", tmp_path / "a", "--nation", tmp_path / "mine.toml", "--about", "--seed", "https://example.org/")
    settings = load(tmp_path / "a" / "crawl.toml")
    assert settings.seeds.urls == ["https://example.org/"]
    assert settings.about.nation == "QA.toml"
    assert (tmp_path / "a" / "QA.toml").read_text() == (tmp_path / "mine.toml").read_text()
    assert [name.text for name in load_nation(tmp_path / "a" / "QA.toml").names] == ["Doha"]


@pytest.mark.parametrize(("nation", "languages"), [("TH", ["th"]), ("TW", ["zh-Hant"]), ("IS", ["is"])])
def test_new_for_a_nation_looks_for_its_languages(tmp_path: Path, nation: str, languages: list[str]) -> None:
    printed_here("new", tmp_path / "a", "--nation", nation)
    settings = load(tmp_path / "a" / "crawl.toml")
    assert settings.target.languages == languages
    assert settings.about.nation == ""
    assert not (tmp_path / "a" / f"{nation}.toml").exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "--language"),
        (["--language", "th", "--about"], "--about needs --nation"),
        (["--nation", "TH", "--in", "en"], "--in needs --about"),
        (["--nation", "QQ", "--about"], "exonym nation make QQ"),
    ],
)
def test_new_refuses_what_does_not_fit(tmp_path: Path, options: list[str], told: str) -> None:
    assert told in refused_here("new", tmp_path / "a", *options)
    assert not (tmp_path / "a").exists()


def test_new_takes_any_setting(tmp_path: Path) -> None:
    settings = ["limits.pages_per_server=50", "network.connect_to=127.0.0.1:8080", "seeds.sitemaps=false"]
    options = [word for setting in settings for word in ("--set", setting)]
    printed_here("new", tmp_path / "a", "--language", "th", *options, "--set", "politeness.delay_seconds=0.5")
    found = load(tmp_path / "a" / "crawl.toml")
    assert found.limits.pages_per_server == 50
    assert found.network.connect_to == "127.0.0.1:8080"
    assert found.seeds.sitemaps is False
    assert found.politeness.delay_seconds == 0.5


@pytest.mark.parametrize(
    "setting", ["pages", "pages=5", "limits.pages=-1", "limits.pigs=1", "=", "limits=5", "a.b.c=1"]
)
def test_new_refuses_a_wrong_setting(tmp_path: Path, setting: str) -> None:
    refused_here("new", tmp_path / "a", "--language", "th", "--set", setting)
    assert not (tmp_path / "a").exists()


def test_new_for_a_topic_keeps_a_copy_of_the_model(tmp_path: Path) -> None:
    options = TermOptions()
    model = TopicModel("ships", "naive-bayes", options, ("ship",), np.array([1.0]), 0.0, np.array([]))
    save_model(model, tmp_path / "ships.topic")
    printed_here("new", tmp_path / "a", "--topic", tmp_path / "ships.topic", "--in", "en")
    found = load(tmp_path / "a" / "crawl.toml")
    assert (found.topic.model, found.topic.languages, found.target.languages) == ("ships.topic", ["en"], [])
    assert load_model(tmp_path / "a" / "ships.topic").name == "ships"
    printed_here("new", tmp_path / "b", "--nation", "TH", "--about", "--topic", tmp_path / "ships.topic", "--in", "en")
    found = load(tmp_path / "b" / "crawl.toml")
    assert (found.about.topic, found.topic.model) == ("ships.topic", "")
    assert "is not a topic model" in refused_here("new", tmp_path / "c", "--topic", tmp_path / "a" / "crawl.toml")


# exonym crawl, exonym status


def test_crawl_without_settings_says_how_to_make_them(tmp_path: Path) -> None:
    assert "exonym new" in refused("crawl", tmp_path / "nowhere")


def test_crawl_without_operator_is_refused(tmp_path: Path) -> None:
    printed_here("new", tmp_path / "a", "--language", "th", "--seed", "https://example.org/")
    assert "politeness.operator is missing" in refused("crawl", tmp_path / "a")


def test_status_of_no_crawl_is_refused(tmp_path: Path) -> None:
    assert str(tmp_path / "nowhere") in refused_here("status", tmp_path / "nowhere")


def test_practice_web_is_served_while_a_command_runs(tmp_path: Path) -> None:
    asked = "import sys, urllib.request as r; r.urlopen(r.Request('http://127.0.0.1:%s/robots.txt' % sys.argv[1]))"
    with reserved_port() as port:
        served = run("practice-web", "--size", "200", "--port", port, "--", sys.executable, "-c", asked, port)
    assert "404" in served.stderr  # a web without such a host was there to say so
    left = run("practice-web", "--size", "200", "--port", "0", "--", sys.executable, "-c", "import sys; sys.exit(7)")
    assert left.returncode == 7
    assert "cannot be run" in refused("practice-web", "--port", "0", "--", tmp_path / "nothing")


def test_crawl_of_a_served_practice_web_fills_a_directory(tmp_path: Path) -> None:
    directory = tmp_path / "a crawl"
    with served_practice_web("--size", "200") as web:
        seeds = [part for url in web["seeds"] for part in ("--seed", url)]
        printed_here("new", directory, "--language", "th", *seeds, "--operator", "me@example.org", "--max-pages", "60")
        with open(directory / "crawl.toml", "r+") as file:
            text = file.read()
            file.seek(0)
            file.write(
                text.replace('# connect_to = ""', f'connect_to = "{web["address"]}"')
                .replace("# delay_seconds = 2.0", "delay_seconds = 0.0")
                .replace("# address_delay_seconds = 0.5", "address_delay_seconds = 0.0")
            )
        result = run("crawl", directory)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert "the page limit is reached" in result.stdout
    assert str(directory / "warc") in result.stdout
    found = json_here("status", directory)
    assert set(found) >= STATUS_KEYS
    assert found["pages"] == 60
    assert found["relevant"] <= found["languages"].get("th", 0) <= found["relevant"] + found["copies"]
    assert list((directory / "warc").glob("*.warc.gz"))
    assert json_here("crawl", directory) == json_here("status", directory)


# exonym demo


def test_demo_crawls_shows_and_goes_on(tmp_path: Path) -> None:
    directory = tmp_path / "a demo"
    first = run("demo", directory, "--size", "200")
    assert first.returncode == 0, first.stderr
    assert "harvest rate" in first.stdout
    assert "\x1b" not in first.stdout
    before = json_here("status", directory)
    assert (before["reason"], before["finished"]) == ("pages", before["frontier"] == 0)
    assert before["relevant"] > 0
    again = run("demo", directory)
    assert again.returncode == 0, again.stderr
    later = json_here("status", directory)
    assert later | {name: before[name] for name in ("seconds", "ended")} == before
    assert json_here("demo", directory) == json_here("status", directory)


def test_better_strategies_harvest_more(tmp_path: Path) -> None:
    rates = []
    for strategy in ("lswc", "soft", "bfs"):
        assert run("demo", tmp_path / strategy, "--size", "600", "--strategy", strategy).returncode == 0
        rates.append(json_here("status", tmp_path / strategy)["harvest_rate"])
    assert rates[0] > rates[1] > rates[2]


def test_demo_refuses_a_directory_that_is_no_demo(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    assert "is not a demo" in refused_here("demo", tmp_path)


def test_interrupted_demo_stops_clean_and_goes_on(tmp_path: Path) -> None:
    directory = tmp_path / "demo"
    command = [EXONYM, "demo", str(directory), "--size", "3000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the practice web is up, the crawl begins
        wait_until(lambda: bool(list(directory.glob("warc/*"))), process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "stopped by you" in output
    assert errors == ""
    assert json_here("status", directory)["finished"] is False
