"""`exonym seeds`: from a directory, a table, a sitemap or an archive to a file that a crawl begins from."""

import gzip
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import pytest
from commands import EXONYM, refused_here, run
from quiet_server import served

from exonym.config import Settings
from exonym.config.settings import Network, PolitenessSettings, Seeds
from exonym.crawl_progress import CrawlProgress
from exonym.fetch.one_by_one import fetching
from exonym.judges.language import LanguageJudge
from exonym.live.driver import run as run_live
from exonym.live.stop import StopRequest
from exonym.seeds.checking import Checked, check_seeds, checking_settings
from exonym.seeds.choosing import Choice
from exonym.seeds.domain_table import domain_table
from exonym.seeds.seed import Seed, SkippedSeed
from exonym.seeds.seeds_file import seed_urls
from exonym.seeds.sitemap import read_sitemaps
from exonym.seeds.warc import read_warc_seeds

OPERATOR = "https://exonym.example/tests"
THAI = "ตลาดเก่าริมแม่น้ำเปิดแต่เช้าตรู่ ผู้คนจากทุกหมู่บ้านมาซื้อผักและปลาสดที่นี่ทุกวัน"
ENGLISH = "The old market by the river opens early, and people come from every village to buy fish."
CJK = {
    "/zh": "河边的老市场清早就开门了,各个村子的人每天都到这里来买新鲜的蔬菜和鱼。",
    "/ja": "川のほとりの古い市場は朝早くから開き、どの村からも人々が新鮮な野菜や魚を買いに来ます。",
    "/ko": "강가의 오래된 시장은 아침 일찍 문을 열고, 여러 마을 사람들이 신선한 채소와 생선을 사러 옵니다.",
}
DUMP = """<RDF>
<ExternalPage about="http://b.example.co.th/"><d:Title>Beaches</d:Title>
<topic>Top/Regional/Asia/Thailand</topic></ExternalPage>
<ExternalPage about="http://a.example.com/"><topic>Top/Regional/Asia/Thailand/Travel</topic></ExternalPage>
<ExternalPage about="http://a.example.com/#top"><topic>Top/Regional/Asia/Thailand/Travel</topic></ExternalPage>
<ExternalPage about="http://c.example.org/"><topic>Top/World/Thai</topic></ExternalPage>
<ExternalPage about="http://d.example.org/"><topic>Top/Arts</topic></ExternalPage>
</RDF>"""


def page(text: str) -> bytes:
    return f"<html><head><title>A market</title></head><body><p>{text}</p></body></html>".encode()


# From the command line


def test_directory_dump_becomes_seeds_that_a_new_crawl_takes(tmp_path: Path) -> None:
    (tmp_path / "content.rdf.u8").write_text(DUMP, encoding="utf-8")
    words = ["dmoz", "content.rdf.u8", "--category", "Regional/Asia/Thailand", "--language", "th", "--json"]
    ran = run("seeds", *words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["seeds"], told["found"], told["domains"]) == (3, 4, {"com": 1, "org": 1, "th": 1})
    urls = ["http://a.example.com/", "http://c.example.org/", "http://b.example.co.th/"]
    assert seed_urls(Settings(seeds=Seeds(file="seeds.txt")), tmp_path) == urls
    last = (tmp_path / "seeds.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "http://b.example.co.th/\t# content.rdf.u8; Top/Regional/Asia/Thailand; Beaches"
    words = [EXONYM, "new", "crawl", "--language", "th", "--seeds", "seeds.txt"]
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert seed_urls(Settings(seeds=Seeds(file="seeds.txt")), tmp_path / "crawl") == urls


def test_sample_of_a_table_is_the_same_for_the_same_number(tmp_path: Path) -> None:
    rows = "\n".join(f"{number},site{number}.example" for number in range(1_000))
    (tmp_path / "top.csv").write_text(rows, encoding="utf-8")
    for name, number in (("a", "1"), ("b", "1"), ("c", "2")):
        ran = run(
            "seeds",
            "csv",
            "top.csv",
            "--column",
            "2",
            "--sample",
            "20",
            "--random-seed",
            number,
            "-o",
            name,
            cwd=tmp_path,
        )
        assert ran.returncode == 0, ran.stderr
        assert "seeds    20" in ran.stdout
    first, again, other = (seed_urls(Settings(seeds=Seeds(file=name)), tmp_path) for name in "abc")
    assert first == again != other
    assert len(first) == len(other) == 20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dmoz", "missing"], "cannot be read"),
        (["dmoz", "dump", "--category", "Regional/Asia/Tailand"], "Did you mean Regional/Asia/Thailand"),
        (["dmoz", "dump", "--category", ""], "--category is empty"),
        (["dmoz", "dump", "--language", "Thaii"], "Did you mean Thai"),
        (["dmoz", "table.csv"], "no <ExternalPage>"),
        (["dmoz", "dump", "-o", "table.csv"], "exists"),
        (["dmoz", "dump", "--domain", "co.th"], "no top-level domain"),
        (["dmoz", "dump", "--check", "--language", "th"], "--operator"),
        (["dmoz", "dump", "--check", "--operator", OPERATOR], "--language"),
        (["dmoz", "dump", "--check", "--language", "th", "--operator", "me"], "operator"),
        (["csv", "table.csv", "--column", "link"], "no column 'link'"),
        (["csv", "table.csv", "--language", "th"], "no effect without --check"),
        (["commoncrawl", "--language", "th", "--language", "lo"], "takes one --language"),
        (["sitemap", "https://example.org/sitemap.xml"], "--operator"),
        (["sitemap", "missing.xml"], "cannot be read"),
        (["warc", "missing.warc.gz"], "missing.warc.gz"),
        (["warc", "table.csv"], "gives no seeds"),
        (["warc", "."], "no WARC, ARC or WACZ file"),
        (["csv", "table.csv", "dump"], "unexpected extra argument"),
    ],
)
def test_wrong_use_is_told_in_one_line_and_writes_nothing(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dump").write_text(DUMP, encoding="utf-8")
    (tmp_path / "table.csv").write_text("url\nhttp://a.example/\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert said in refused_here("seeds", *words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dump", "table.csv"]


def test_all_commands_share_their_options_in_one_order() -> None:
    from typer.main import get_command

    from exonym.cli.seeds import app

    commands: dict[str, Any] = vars(get_command(app))["commands"]
    assert list(commands) == ["dmoz", "csv", "sitemap", "warc", "wikidata", "commoncrawl", "hits"]
    shared = ["language", "output", "domain", "one_per_server", "sample", "seed"]
    shared += ["check", "operator", "allow_private", "force", "as_json"]
    for command in commands.values():
        assert [one.name for one in command.params][-len(shared) :] == shared
        assert command.help


# Archives


def warc(path: Path, answers: dict[str, tuple[str, str, bytes]]) -> Path:
    """A WARC file as the standard describes it: status, content type and body by URL."""
    with path.open("wb") as stream:
        for url, (status, kind, body) in answers.items():
            block = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len(block)}\r\n\r\n"
            stream.write(gzip.compress(head.encode() + block + b"\r\n\r\n", mtime=0))
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    html = "text/html; charset=utf-8"
    return warc(
        tmp_path / "some.warc.gz",
        {
            "http://a.example/robots.txt": ("200 OK", "text/plain", b"User-agent: *"),
            "http://a.example/thai": ("200 OK", html, page(THAI)),
            "http://a.example/english": ("200 OK", html, page(ENGLISH)),
            "http://a.example/gone": ("404 Not Found", html, page(THAI)),
            "http://a.example/picture": ("200 OK", "image/png", b"\x89PNG"),
            "dns:a.example": ("200 OK", html, page(THAI)),
        },
    )


def test_pages_of_an_archive_are_seeds(archive: Path) -> None:
    found = list(read_warc_seeds(archive, None, lambda _: None))
    urls = [one.url for one in found if isinstance(one, Seed)]
    assert urls == ["http://a.example/thai", "http://a.example/english"]
    assert len([one for one in found if isinstance(one, SkippedSeed)]) == 4


def test_pages_of_an_archive_can_be_chosen_by_their_language(archive: Path) -> None:
    found = list(read_warc_seeds(archive, LanguageJudge(("th",), inherit_language=False), lambda _: None))
    assert [one for one in found if isinstance(one, Seed)] == [
        Seed("http://a.example/thai", "some.warc.gz", "", "A market")
    ]
    assert SkippedSeed("in another language") in found


def test_torn_archive_gives_what_it_has(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-40])
    ran = run("seeds", "warc", ".", "--language", "th", "--json", cwd=archive.parent)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["seeds"] == 1


# Loopback servers


class Site(BaseHTTPRequestHandler):
    """Some pages and sitemaps; every request is written down as host and path."""

    asked: ClassVar[list[str]] = []
    robots: ClassVar[dict[str, str]] = {"closed.example": "User-agent: *\nDisallow: /"}

    def do_GET(self) -> None:
        host = self.headers["Host"].partition(":")[0]
        type(self).asked.append(host + self.path)
        if self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "http://moved.example/thai")
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", "5")
            self.end_headers()
            self.wfile.write(b"moved")
            return
        body = self._body(host)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self, host: str) -> bytes:
        if self.path == "/robots.txt":
            return self.robots.get(host, "").encode()
        link = '<a href="http://linked.example/thai">ตลาด</a>'
        pages = {"/thai": page(THAI + link), "/english": page(ENGLISH)}
        pages |= {path: page(text) for path, text in CJK.items()}
        maps = {
            "/index.xml": "<sitemapindex><sitemap><loc>http://site.example/one.xml</loc></sitemap>"
            "<sitemap><loc>http://closed.example/two.xml</loc></sitemap>"
            "<sitemap><loc>http://site.example/index.xml</loc></sitemap>"
            "<sitemap><loc>http://site.example/gone.xml</loc></sitemap></sitemapindex>",
            "/one.xml": "<urlset><url><loc>http://site.example/thai</loc></url><url><loc>/path</loc></url></urlset>",
        }
        return pages.get(self.path) or maps.get(self.path, "").encode()

    def log_message(self, format: str, *words: object) -> None:
        return None


@contextmanager
def serving() -> Iterator[str]:
    Site.asked.clear()
    with served(Site) as address:
        yield address


def test_sitemaps_of_an_index_are_read_as_robots_txt_allows_with_a_rest_between() -> None:
    rests: list[float] = []
    with serving() as address:
        polite = PolitenessSettings(operator=OPERATOR, delay_seconds=5.0)
        with fetching(Settings(politeness=polite, network=Network(connect_to=address)), rests.append) as fetcher:
            found = list(read_sitemaps(["http://site.example/index.xml"], fetcher.content, lambda _: None))
    urls = [one.url for one in found if isinstance(one, Seed)]
    assert urls == ["http://site.example/thai", "http://site.example/path"]
    reasons = [one.why for one in found if isinstance(one, SkippedSeed)]
    assert reasons == ["sitemap: robots.txt forbids it", "sitemap: status 404"]
    # robots.txt, then three sitemaps of one server: three rests; and no sitemap of the closed one.
    assert [round(one) for one in rests] == [5, 5, 5]
    assert "closed.example/two.xml" not in Site.asked
    assert Site.asked.count("site.example/robots.txt") == 1


def test_sitemap_file_is_read_without_fetching_what_it_lists(tmp_path: Path) -> None:
    text = "<urlset><url><loc>http://a.example.th/?a=1&amp;b=2</loc></url><url><loc>/path</loc></url></urlset>"
    (tmp_path / "map.xml").write_text(text, encoding="utf-8")
    index = "<sitemapindex><sitemap><loc>http://a.example/more.xml</loc></sitemap></sitemapindex>"
    (tmp_path / "index.xml").write_text(index, encoding="utf-8")
    ran = run("seeds", "sitemap", "map.xml", "index.xml", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["skipped"] == {"path without a server": 1, "sitemap: not fetched: --operator is missing": 1}
    assert seed_urls(Settings(seeds=Seeds(file="seeds.txt")), tmp_path) == ["http://a.example.th/?a=1&b=2"]


def checked(
    urls: list[str], choice: Choice, stop: StopRequest | None = None, languages: Sequence[str] = ("th",)
) -> Checked:
    with serving() as address:
        more: dict[str, dict[str, Any]] = {
            "politeness": {"delay_seconds": 0.0, "address_delay_seconds": 0.0, "retries": 0},
            "network": {"connect_to": address},
            "readers": {"count": 0},
        }
        settings = checking_settings(languages, OPERATOR, more)
        seeds = [Seed(url, "a list") for url in urls]
        return check_seeds(
            seeds,
            choice,
            settings,
            lambda directory, asked, strategy: run_live(directory, asked, ignore, stop or StopRequest(), strategy),
        )


def ignore(_: CrawlProgress) -> None:
    return None


def test_seeds_are_kept_if_their_page_is_in_the_language() -> None:
    urls = [
        *["http://one.example/thai", "http://two.example/english", "http://three.example/moved"],
        *["http://four.example/gone", "http://closed.example/thai"],
    ]
    result = checked(urls, Choice())
    assert [one.url for one in result.seeds] == ["http://one.example/thai", "http://three.example/moved"]
    assert all(one.title == "A market" and one.checked.startswith("Thai: ") for one in result.seeds)
    assert result.rejected == {"page in English": 1, "status 404": 1, "robots.txt forbids it": 1}
    assert result.asked == 5


def test_checked_seeds_are_counted_by_top_level_domain_and_language() -> None:
    by_domain = {"com": ["zh", "ja"], "net": ["zh", "english"], "cn": ["zh", "gone"], "jp": ["ja", "ja", "ko"]}
    paths = [
        (f"s{place}.example.{domain}", path) for domain in by_domain for place, path in enumerate(by_domain[domain])
    ]
    result = checked([f"http://{host}/{path}" for host, path in paths], Choice(), languages=("zh", "ja", "ko"))
    assert len(result.seeds) == 7
    table = domain_table(result.by_domain, ("zh", "ja", "ko"), ("com", "net", "cn", "tw", "jp"))
    assert table.rows == (
        # Chinese, Japanese, Korean; partly, other, no page; fetched
        ("com & net", 2, 1, 0, 0, 1, 0, 4),
        ("cn", 1, 0, 0, 0, 0, 1, 2),
        ("tw", 0, 0, 0, 0, 0, 0, 0),
        ("jp", 0, 2, 1, 0, 0, 0, 3),
        ("Total", 3, 3, 1, 0, 1, 1, 9),
    )


@pytest.mark.parametrize("as_json", [False, True])
def test_check_prints_the_table_for_people_and_for_scripts(as_json: bool, tmp_path: Path) -> None:
    with serving() as address:
        entries = "".join(
            f'<ExternalPage about="http://{address}{path}"><topic>Top/Arts</topic></ExternalPage>'
            for path in ("/ja", "/english")
        )
        (tmp_path / "dump").write_text(f"<RDF>{entries}</RDF>", encoding="utf-8")
        words = ["dmoz", "dump", "--category", "Top", "--check", "--operator", OPERATOR, "--allow-private"]
        words += ["--language", "zh", "--language", "ja", *(["--json"] if as_json else [])]
        ran = run("seeds", *words, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    if as_json:
        told = json.loads(ran.stdout)
        assert told["domains_by_language"]["rows"][0] == ["bare address", 0, 1, 0, 1, 0, 2]
        assert (told["language"], told["seeds"]) == ("zh,ja", 1)
    else:
        assert "2; kept if in Chinese or Japanese" in ran.stdout
        lines = [line.split() for line in ran.stdout.splitlines()]
        assert ["domain", "Chinese", "Japanese", "partly", "other", "no", "page", "fetched"] in lines
        assert ["bare", "address", "0", "1", "0", "1", "0", "2"] in lines


def test_checking_follows_no_link() -> None:
    checked(["http://one.example/thai"], Choice())
    assert Site.asked == ["one.example/robots.txt", "one.example/thai"]


def test_checked_sample_is_filled_with_pages_in_the_language() -> None:
    urls = [f"http://s{number}.example/{'thai' if number % 2 else 'english'}" for number in range(20)]
    result = checked(urls, Choice(sample=3, seed=1))
    assert len(result.seeds) == 3
    assert all(one.url.endswith("/thai") for one in result.seeds)


def test_stopped_check_says_so() -> None:
    stop = StopRequest()
    stop.finish()
    result = checked(["http://one.example/thai"], Choice(), stop)
    assert (result.seeds, result.is_interrupted) == ([], True)


# Graphs


def test_hubs_of_a_generated_web_are_seeds_that_a_simulation_takes(tmp_path: Path) -> None:
    run("graph", "generate", "--size", "1000", "-o", "web", cwd=tmp_path)
    ran = run("seeds", "hits", "web", "-n", "5", "--relevant-only", "-o", "hubs.txt", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["seeds"], told["found"]) == (5, 5)
    lines = [line for line in (tmp_path / "hubs.txt").read_text().splitlines() if not line.startswith("#")]
    assert sorted(line.split("# hub ")[1].split()[0] for line in lines) == ["1", "2", "3", "4", "5"]
    simulated = run("simulate", "web", "--strategy", "bfs", "--seeds", "hubs.txt", "--max-pages", "50", cwd=tmp_path)
    assert simulated.returncode == 0, simulated.stderr
    assert "not in the graph" not in simulated.stderr


def test_wrong_use_of_a_graph_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "missing" in refused_here("seeds", "hits", "missing")
    assert "--by must be" in refused_here("seeds", "hits", "missing", "--by", "rank")
    assert not list(tmp_path.iterdir())
