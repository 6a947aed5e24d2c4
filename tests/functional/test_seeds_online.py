"""`exonym seeds wikidata|commoncrawl`: services that answer, are busy, break off, and turn us away."""

import json
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import EXONYM, refused_here, run
from quiet_server import served
from waiting import wait_until

from exonym.config import Settings
from exonym.config.settings import Network, PolitenessSettings
from exonym.errors import ConfigError
from exonym.fetch.one_by_one import fetching
from exonym.seeds.commoncrawl import IndexLookup, newest_crawl, read_index
from exonym.seeds.seed import FoundSeed, Seed, SkippedSeed
from exonym.seeds.services import LONGEST_WAIT_SECONDS, TRIES, Asking, AskService, asking_settings
from exonym.seeds.wikidata import Question, WikidataClass, read_wikidata

OPERATOR = "https://exonym.example/tests"
SPARQL = "http://query.example/sparql"
INDEX = "http://index.example"
TRACE = b"SPARQL-QUERY: queryStr=SELECT ?item\njava.util.concurrent.TimeoutException\n\tat java.util.concurrent\n"


class Answer(NamedTuple):
    """What a service says once."""

    status: int = 200
    body: bytes = b""
    retry_after: str = ""
    claimed_bytes: int = 0  # more than the body has: the connection breaks


class Service(BaseHTTPRequestHandler):
    """Gives one answer after the other, the last again and again; every request is written down."""

    answers: ClassVar[list[Answer]] = []
    asked: ClassVar[list[str]] = []
    agents: ClassVar[set[str]] = set()
    asked_one: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        type(self).agents.add(self.headers["User-Agent"])
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/sparql-results+json;charset=utf-8")
        self.send_header("Content-Length", str(answer.claimed_bytes or len(answer.body)))
        if answer.retry_after:
            self.send_header("Retry-After", answer.retry_after)
        self.end_headers()
        self.wfile.write(answer.body)
        self.asked_one.set()

    def log_message(self, format: str, *words: object) -> None:
        return None


@contextmanager
def serving(answers: Sequence[Answer]) -> Iterator[str]:
    Service.answers[:] = answers
    Service.asked.clear()
    Service.agents.clear()
    Service.asked_one.clear()
    with served(Service) as address:
        yield address


@contextmanager
def asking(answers: Sequence[Answer], rests: list[float] | None = None) -> Iterator[AskService]:
    """Asks a service of these answers; rests are written down in the place of being taken."""
    with serving(answers) as address:
        polite = PolitenessSettings(operator=OPERATOR, delay_seconds=2.0, retry_seconds=60.0)
        settings = Settings(politeness=polite, network=Network(connect_to=address))
        wait = rests.append if rests is not None else lambda seconds: None
        with fetching(settings, wait) as fetcher:
            yield Asking(fetcher, settings, lambda doing: None).reply


def rows(*numbers: int) -> bytes:
    """An answer of the query service with these items."""
    bindings = [
        {
            "item": {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{number}"},
            "url": {"type": "uri", "value": f"https://www{number}.example.ac.th/"},
            "itemLabel": {"xml:lang": "th", "type": "literal", "value": f"มหาวิทยาลัย {number}"},
        }
        for number in numbers
    ]
    document = {"head": {"vars": ["item", "url", "itemLabel"]}, "results": {"bindings": bindings}}
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


def cut(answer: bytes) -> bytes:
    """An answer whose last row breaks off, as when the 60 seconds are over."""
    return answer[: answer.rindex(b'"itemLabel"')] + TRACE


def numbers_of(found: list[FoundSeed]) -> list[int]:
    return [int(one.source.removeprefix("Wikidata Q").removesuffix(" (CC0)")) for one in found if isinstance(one, Seed)]


def reasons_of(found: list[FoundSeed]) -> list[str]:
    return [one.why for one in found if isinstance(one, SkippedSeed)]


def from_wikidata(answers: Sequence[Answer], rests: list[float] | None = None, kinds: str = "Q1") -> list[FoundSeed]:
    """All that two rows at a time give; kinds are asked for one after the other."""
    questions = [Question("TH", ("th",), WikidataClass(kind, kind)) for kind in kinds.split()]
    with asking(answers, rests) as ask:
        return list(read_wikidata(questions, SPARQL, ask, rows=2))


def offsets() -> list[str]:
    queries = [parse_qs(urlsplit(path).query)["query"][0] for path in Service.asked]
    return [query.partition("OFFSET ")[2].split()[0] for query in queries]


# Wikidata


def test_pages_are_asked_for_until_one_is_not_full_with_a_rest_between() -> None:
    rests: list[float] = []
    found = from_wikidata([Answer(body=rows(1, 2)), Answer(body=rows(3, 4)), Answer(body=rows(5))], rests)
    assert numbers_of(found) == [1, 2, 3, 4, 5]
    assert found[0] == Seed("https://www1.example.ac.th/", "Wikidata Q1 (CC0)", "Q1", "มหาวิทยาลัย 1")
    assert offsets() == ["0", "2", "4"]
    assert [round(one) for one in rests] == [2, 2]
    assert all(OPERATOR in agent for agent in Service.agents)
    assert all(path.startswith("/sparql?") for path in Service.asked)


def test_busy_service_is_left_alone_for_as_long_as_it_says() -> None:
    rests: list[float] = []
    found = from_wikidata([Answer(429, b"Rate limited", "180"), Answer(body=rows(1))], rests)
    assert (numbers_of(found), reasons_of(found)) == ([1], [])
    assert [round(one) for one in rests] == [180]


def test_service_that_times_out_is_asked_again_ever_later_and_given_up() -> None:
    rests: list[float] = []
    found = from_wikidata([Answer(body=rows(1, 2)), Answer(500, TRACE)], rests)
    assert numbers_of(found) == [1, 2]
    assert reasons_of(found) == ["page of the answer: status 500; what follows was not asked for"]
    assert offsets() == ["0", *["2"] * TRIES]
    assert [round(one) for one in rests] == [2, 60, 120, 240]


def test_answer_that_breaks_off_again_and_again_is_kept_and_the_next_page_asked_for() -> None:
    broken = Answer(body=cut(rows(1, 2)))
    found = from_wikidata([broken] * TRIES + [Answer(body=rows(3))])
    assert numbers_of(found) == [1, 3]
    assert reasons_of(found) == ["page of the answer: cut off after row 1; what follows was asked for"]
    assert offsets() == ["0"] * TRIES + ["2"]


def test_half_an_answer_is_kept_when_no_other_comes() -> None:
    answer = rows(1, 2)
    half = Answer(body=answer[: answer.rindex(b'"itemLabel"')], claimed_bytes=len(answer))
    error = Answer(body=b"<html>" + b"x" * 2 * len(answer))
    found = from_wikidata([half, error, *[Answer(503)] * (TRIES - 2), Answer(404)])
    assert numbers_of(found) == [1]
    assert reasons_of(found)[0] == "page of the answer: status 503; what follows was asked for"


@pytest.mark.parametrize(
    ("answer", "why", "times"),
    [
        (Answer(403, b"<html>Please set a user agent</html>"), "status 403", 1),
        (Answer(400, b"MalformedQueryException"), "status 400", 1),
        (Answer(429, b"", str(int(LONGEST_WAIT_SECONDS) + 1)), "status 429", 1),
        (Answer(200, b"<html><body>Wikimedia Error</body></html>"), "no JSON", TRIES),
        (Answer(200, b""), "no JSON", TRIES),
        (Answer(302), "status 302", 1),
    ],
)
def test_answers_of_other_kinds_are_told(answer: Answer, why: str, times: int) -> None:
    found = from_wikidata([answer])
    assert found == [SkippedSeed(f"page of the answer: {why}; what follows was not asked for")]
    assert len(Service.asked) == times


def test_failure_about_one_kind_costs_no_other() -> None:
    found = from_wikidata([Answer(400), Answer(body=rows(7))], kinds="Q3918 Q3914")
    assert numbers_of(found) == [7]
    assert len(reasons_of(found)) == 1


@pytest.mark.parametrize("answer", [Answer(403), Answer(429, b"", "86400")])
def test_service_that_turns_us_away_is_asked_nothing_more(answer: Answer) -> None:
    found = from_wikidata([answer], kinds="Q3918 Q3914")
    assert reasons_of(found) == [
        f"page of the answer: status {answer.status}; what follows was not asked for",
        f"page of the answer: turned away before, by status {answer.status}; what follows was not asked for",
    ]
    assert len(Service.asked) == 1


def test_service_that_is_given_up_is_still_left_alone_for_as_long_as_it_says() -> None:
    rests: list[float] = []
    found = from_wikidata([*[Answer(503, b"", "90")] * TRIES, Answer(body=rows(7))], rests, kinds="Q3918 Q3914")
    assert numbers_of(found) == [7]
    assert [round(one) for one in rests] == [90, 120, 240, 90]


def test_services_may_think_for_longer_than_servers() -> None:
    settings = asking_settings(OPERATOR, allow_private=False)
    assert settings.network.low_speed_seconds > 60
    assert settings.network.total_seconds > 60
    assert settings.politeness.operator == OPERATOR


# Common Crawl


def capture(url: str, languages: str) -> dict[str, str]:
    return {"url": url, "status": "200", "mime-detected": "text/html", "languages": languages}


def lines(*captures: dict[str, str]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in captures)


PAGES = Answer(body=b'{"pages": 5, "pageSize": 5, "blocks": 22}\n')
NONE = Answer(404, b'{"message": "No Captures found for: *.th"}')


def from_index(answers: Sequence[Answer], most_pages: int = 0, domains: tuple[str, ...] = ("th",)) -> list[FoundSeed]:
    with asking(answers) as ask:
        return list(read_index(IndexLookup(INDEX, "CC-MAIN-2026-42", "th", domains, most_pages), ask))


def pages_asked() -> list[str]:
    return [parse_qs(urlsplit(path).query).get("page", ["count"])[0] for path in Service.asked]


def test_index_is_asked_for_its_pages_and_says_which_crawl_it_is() -> None:
    first = lines(capture("https://a.example.co.th/", "tha"), capture("https://a.example.co.th/en", "eng,tha"))
    found = from_index(
        [PAGES, Answer(body=first), NONE, Answer(body=lines(capture("https://b.example.th/", "tha"))), NONE]
    )
    assert found == [
        Seed("https://a.example.co.th/", "CC-MAIN-2026-42", "tha"),
        Seed("https://a.example.co.th/en", "CC-MAIN-2026-42", "eng,tha"),
        Seed("https://b.example.th/", "CC-MAIN-2026-42", "tha"),
    ]
    assert pages_asked() == ["count", "0", "1", "2", "3", "4"]
    assert Service.asked[0].startswith("/CC-MAIN-2026-42-index?url=%2A.th&output=json&showNumPages=true")


def test_some_pages_are_spread_over_the_index() -> None:
    found = from_index([PAGES, NONE], most_pages=2)
    assert pages_asked() == ["count", "0", "2"]
    assert reasons_of(found) == ["page of the index not asked for, by --max-index-pages"] * 3


def test_index_that_fails_is_left_alone_after_three_pages() -> None:
    found = from_index([PAGES, Answer(400)])
    assert pages_asked() == ["count", "0", "1", "2"]
    assert reasons_of(found) == [
        *["page of the index: status 400"] * 3,
        *["page of the index not asked for, after failures"] * 2,
    ]


def test_page_that_breaks_off_is_asked_for_again() -> None:
    whole = lines(capture("https://a.example.th/", "tha"), capture("https://b.example.th/", "tha"))
    one = Answer(body=b'{"pages": 1}')
    found = from_index(
        [one, Answer(body=whole[:-40]), Answer(503, b"Please reduce your request rate."), Answer(body=whole)]
    )
    assert len(found) == 2
    found = from_index([one, Answer(body=whole[:-40])])
    assert found[0] == Seed("https://a.example.th/", "CC-MAIN-2026-42", "tha")
    assert reasons_of(found) == ["line that cannot be read", "page of the index: cut off, or none at all"]


def test_domain_without_pages_costs_no_other() -> None:
    answers = [
        NONE,
        Answer(400),
        Answer(body=b'{"pages": 1}'),
        Answer(body=lines(capture("http://a.example.th/", "tha"))),
    ]
    found = from_index(answers, domains=("xn--o3cw4h", "la", "th"))
    assert reasons_of(found) == ["domain without a page in CC-MAIN-2026-42", "domain: status 400"]
    assert found[-1] == Seed("http://a.example.th/", "CC-MAIN-2026-42", "tha")


def test_newest_crawl_is_asked_for() -> None:
    listed = [{"id": "CC-MAIN-2026-42", "cdx-api": "https://index.commoncrawl.org/CC-MAIN-2026-42-index"}]
    with asking([Answer(body=json.dumps(listed).encode())]) as ask:
        assert newest_crawl(INDEX, ask) == "CC-MAIN-2026-42"
    assert Service.asked == ["/collinfo.json"]
    with asking([Answer(403)]) as ask, pytest.raises(ConfigError, match="--crawl"):
        newest_crawl(INDEX, ask)


# From the command line


def test_websites_of_a_nation_become_a_seeds_file(tmp_path: Path) -> None:
    with serving([Answer(body=rows(2, 1))]) as address:
        words = ["wikidata", "--nation", "TH", "--class", "university", "--endpoint", f"http://{address}/sparql"]
        ran = run("seeds", *words, "--operator", OPERATOR, "--allow-private", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["seeds"], told["domains"], told["skipped"]) == (2, {"th": 2}, {})
    written = (tmp_path / "seeds.txt").read_text(encoding="utf-8").splitlines()
    assert written[1] == (
        "# From Wikidata (CC0), official websites in TH: university: 2 addresses found, including repeated ones."
    )
    assert written[-2] == "https://www1.example.ac.th/\t# Wikidata Q1 (CC0); university; มหาวิทยาลัย 1"
    assert parse_qs(urlsplit(Service.asked[0]).query)["format"] == ["json"]


def test_pages_that_common_crawl_has_become_a_seeds_file(tmp_path: Path) -> None:
    captures = lines(*(capture(f"https://a.example.th/{number}", "tha") for number in ("", "x", "y")))
    with serving([Answer(body=b'{"pages": 1}'), Answer(body=captures)]) as address:
        words = ["commoncrawl", "--language", "tha", "--domain", "th", "--crawl", "CC-MAIN-2026-42"]
        more = ["--endpoint", f"http://{address}", "--operator", OPERATOR, "--allow-private", "--one-per-server"]
        ran = run("seeds", *words, *more, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    last = (tmp_path / "seeds.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "https://a.example.th/\t# CC-MAIN-2026-42; tha"
    assert "3 addresses" in ran.stdout


def test_files_of_the_index_are_read_for_a_nation(tmp_path: Path) -> None:
    table = {"url": ["http://a.example.th/", "http://b.example/"], "content_languages": ["tha", "tha"]}
    (tmp_path / "index").mkdir()
    pq.write_table(pa.table(table), tmp_path / "index" / "part-00000.gz.parquet")
    (tmp_path / "answer.json").write_bytes(lines(capture("http://c.example.th/", "tha")))
    ran = run(
        "seeds",
        "commoncrawl",
        "--language",
        "Thai",
        "--nation",
        "TH",
        "--json",
        "--from",
        "index",
        "--from",
        "answer.json",
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["seeds"], told["skipped"]) == (2, {"another top-level domain": 1})


def test_query_is_printed_and_nothing_asked_or_written(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("mine", encoding="utf-8")
    ran = run(
        "seeds",
        "wikidata",
        "--nation",
        "Portugal",
        "--class",
        "school",
        "--class",
        "museum",
        "--print-query",
        cwd=tmp_path,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count('wdt:P297 "PT"') == ran.stdout.count('"pt,en,mul"') == 2
    assert (tmp_path / "seeds.txt").read_text(encoding="utf-8") == "mine"


def test_service_at_a_private_address_is_refused_unless_allowed(tmp_path: Path) -> None:
    with serving([Answer(body=rows(1))]) as address:
        ran = run(
            "seeds",
            "wikidata",
            "--nation",
            "TH",
            "--endpoint",
            f"http://{address}/",
            "--operator",
            OPERATOR,
            cwd=tmp_path,
        )
    assert ran.returncode == 2
    assert "address refused: 127.0.0.1" in ran.stderr
    assert Service.asked == []


def test_interrupted_wait_for_a_busy_service_ends_cleanly_and_writes_nothing(tmp_path: Path) -> None:
    with serving([Answer(429, b"", "300")]) as address:
        words = ["wikidata", "--nation", "TH", "--endpoint", f"http://{address}/", "--operator", OPERATOR]
        with subprocess.Popen(
            [EXONYM, "seeds", *words, "--allow-private"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        ) as process:
            wait_until(Service.asked_one.is_set, process)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["wikidata"], "needs --nation"),
        (["wikidata", "--nation", "TH"], "--operator"),
        (["wikidata", "--nation", "Atlantis"], "Atlantis"),
        (["wikidata", "--nation", "TH", "--class", "universty"], "Did you mean university"),
        (["wikidata", "--nation", "TH", "--operator", OPERATOR, "--endpoint", "here"], "--endpoint"),
        (["wikidata", "--from", "missing"], "cannot be read"),
        (["wikidata", "--from", "page.html"], "gives no seeds"),
        (["wikidata", "--from", "page.html", "--class", "school"], "--class is part of a query"),
        (["wikidata", "--from", "page.html", "--language", "th"], "no effect without --check"),
        (["commoncrawl"], "needs --language"),
        (["commoncrawl", "--language", "tha"], "--operator"),
        (["commoncrawl", "--language", "tha", "--operator", OPERATOR], "--from"),
        (["commoncrawl", "--language", "tha", "--operator", OPERATOR, "--domain", "th", "--crawl", "x"], "--crawl"),
        (["commoncrawl", "--language", "tha", "--nation", "PT"], "exonym nation make PT"),
        (["commoncrawl", "--language", "tha", "--from", "missing"], "cannot be read"),
        (["commoncrawl", "--language", "tha", "--from", "page.html"], "gives no seeds"),
        (["commoncrawl", "--language", "tha", "--from", "half.parquet"], "no parquet file"),
        (["commoncrawl", "--language", "tha", "--from", "page.html", "--crawl", "x"], "--crawl is part of a query"),
        (["commoncrawl", "--language", "tha", "--from", "empty"], "no parquet file in it"),
    ],
)
def test_wrong_use_is_told_in_one_line_and_writes_nothing(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.html").write_text("<html><body>Error</body></html>", encoding="utf-8")
    (tmp_path / "half.parquet").write_bytes(b"PAR1half")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert said in refused_here("seeds", *words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "half.parquet", "page.html"]
