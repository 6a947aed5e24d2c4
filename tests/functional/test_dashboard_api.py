"""The dashboard's HTTP API: what it answers, what it changes, and what it refuses."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from commands import json_here
from crawls_to_look_at import DROPPED, divided_crawl, learned_crawl, whole_crawl
from dashboards import TOKEN, asked_dashboard, with_token
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from exonym.batches import Outcome
from exonym.config import CONFIG_NAME, load
from exonym.crawl_directory.visited_pages import CrawlPages
from exonym.crawl_views.views import VIEWS
from exonym.dashboard.access import LOOPBACK_NAMES, AccessRules
from exonym.dashboard.api_operations import OPERATIONS
from exonym.dashboard.dashboard_app import dashboard
from exonym.dashboard.served_crawls import ServedCrawls
from exonym.labelling.audit_sample import draw_from, header_of
from exonym.scope.scope_file import file_rules
from exonym.testing.live import rows_of
from exonym.training.labels import read_labels
from exonym.urls import server_of

CRAWL = "/api/crawls/crawl"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of this module's own: its index is written into it."""
    place = tmp_path_factory.mktemp("looked-at") / "crawl"
    shutil.copytree(whole_crawl(tmp_path_factory), place)
    return place


@pytest.fixture(scope="module")
def client(crawl: Path) -> Iterator[TestClient]:
    with asked_dashboard(crawl) as client:
        yield client


@pytest.fixture
def own_crawl(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that a test may change."""
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    return tmp_path / "crawl"


def answer(client: TestClient, path: str, **query: Any) -> Any:
    got = client.get(path, params=query)
    assert got.status_code == 200, got.text
    return got.json()


def error(got: Any, status: int) -> str:
    assert got.status_code == status, got.text
    return str(got.json()["error"])


# What it answers


def test_list_of_crawls_has_the_figures_of_the_journal(client: TestClient, crawl: Path) -> None:
    (listed,) = answer(client, "/api/crawls")["crawls"]
    rows = rows_of(crawl)
    assert listed["name"] == "crawl"
    assert listed["state"] == "finished"
    assert listed["pages"] == sum(row.outcome in (Outcome.PAGE, Outcome.FAILED) for row in rows)
    assert listed["relevant"] == sum(row.relevant for row in rows)


def test_rows_are_sorted_filtered_and_paged(client: TestClient, crawl: Path) -> None:
    counts = Counter(server_of(row.url) for row in rows_of(crawl) if row.outcome in (Outcome.PAGE, Outcome.FAILED))
    largest = sorted(counts.items(), key=lambda item: -item[1])
    first = answer(client, f"{CRAWL}/views/servers", sort="-pages", rows=5)
    second = answer(client, f"{CRAWL}/views/servers", sort="-pages", rows=5, first=5)
    names = [column["name"] for column in first["columns"]]
    pages = names.index("pages")
    assert [row[pages] for row in (*first["rows"], *second["rows"])] == [count for _, count in largest[:10]]
    (found,) = answer(client, f"{CRAWL}/views/servers", search=largest[0][0])["rows"][:1]
    assert found[names.index("server")] == largest[0][0]
    relevant = answer(client, f"{CRAWL}/views/visits", only="relevant")
    assert relevant["total"] == sum(row.relevant for row in rows_of(crawl))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_rows_as_wide_as_its_columns(client: TestClient, view: str) -> None:
    page = answer(client, f"{CRAWL}/views/{view}", rows=3)
    assert page["rows"] or page["total"] == 0
    assert {len(row) for row in page["rows"]} <= {len(page["columns"])}


def test_visit_and_its_text_are_those_of_the_journal(client: TestClient, crawl: Path) -> None:
    row = next(row for row in rows_of(crawl) if row.relevant and row.source >= 0)
    visit = answer(client, f"{CRAWL}/visits/{row.row}")
    assert (visit["url"], visit["why"], visit["chain"][0]["id"]) == (row.url, row.why, row.source)
    assert answer(client, f"{CRAWL}/visits/{row.row}/text")["title"] == row.title
    assert answer(client, f"{CRAWL}/servers/{server_of(row.url)}")["name"] == server_of(row.url)


def test_visit_of_a_learner_shows_what_weighed_most(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    shutil.copytree(learned_crawl(tmp_path_factory), tmp_path / "crawl")
    row = next(row for row in rows_of(tmp_path / "crawl") if row.relevant and row.source >= 0)
    with asked_dashboard(tmp_path / "crawl") as client:
        promise = answer(client, f"{CRAWL}/visits/{row.row}")["promise"]
        assert promise == json_here("why", tmp_path / "crawl", row.url)["promise"]
        shown = client.get(f"/crawls/crawl/visits/{row.row}").text
    heaviest = promise["facts"][0]
    assert f"{heaviest['weight']:+.2f} {heaviest['text']}<br>" in shown
    assert f"the sum of all {len(promise['facts'])} is {promise['sum']:+.2f}" in shown


def test_quality_shows_the_samples_budgets_and_audit_of_the_report(own_crawl: Path) -> None:
    report = json_here("report", own_crawl)
    tables = {table["name"]: table["rows"] for table in report["tables"]}
    with asked_dashboard(own_crawl) as client:
        quality = answer(client, f"{CRAWL}/quality")
        assert quality["audit"] is None
        assert [row["server"] for row in quality["budget_reached"]] == [row[0] for row in tables["budget-reached"]]
        sample = [page["url"] for page in quality["samples"]["relevant"]]
        assert sample == [row[0] for row in tables["sample-relevant"]][:5]
        pages = CrawlPages(own_crawl)
        draw = draw_from(pages, "both", 10, 0)
        lines = [header_of(draw), *({"url": url, "label": "yes"} for url in pages.urls(draw.sample))]
        (own_crawl / "audit.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        found = answer(client, f"{CRAWL}/quality")["audit"]
        assert found["labelled"] == len(draw.sample)
        assert f"{found['harvest_rate']['share']:.1%}" in client.get("/crawls/crawl/quality").text


def test_scope_names_the_rule_that_leaves_an_address_out(client: TestClient) -> None:
    tested = answer(client, f"{CRAWL}/scope", url="http://www.example.fr/a")["test"]
    assert tested["dropped"]
    assert tested["rule"]["rule"] == f"drop {DROPPED}"
    assert not answer(client, f"{CRAWL}/scope", url="example.th")["test"]["dropped"]


def test_chart_ends_with_the_totals(client: TestClient) -> None:
    (listed,) = answer(client, "/api/crawls")["crawls"]
    chart = answer(client, f"{CRAWL}/charts/pages")
    assert [line["y"][-1] for line in chart["lines"][:2]] == [listed["pages"], listed["relevant"]]


def test_divided_crawl_gives_the_same_figures(client: TestClient, tmp_path: Path, tmp_path_factory: Any) -> None:
    shutil.copytree(divided_crawl(tmp_path_factory), tmp_path / "divided")
    with asked_dashboard(tmp_path) as folder:
        (divided,), (whole,) = (answer(one, "/api/crawls")["crawls"] for one in (folder, client))
        same = ("pages", "relevant", "servers", "bytes")
        assert [divided[name] for name in same] == [whole[name] for name in same]
        views = [
            answer(one, f"/api/crawls/{name}/views/languages") for one, name in ((folder, "divided"), (client, "crawl"))
        ]
        assert views[0]["rows"] == views[1]["rows"]


def test_events_begin_with_the_progress(client: TestClient, crawl: Path) -> None:
    # The stream never ends, so it is read from the function that makes it.
    import asyncio

    from exonym.dashboard.live_events import event_stream

    async def first_event() -> bytes:
        stream = event_stream(ServedCrawls(crawl).all()[0], lambda: False).body_iterator
        return [bytes(await anext(stream)) for _ in range(2)][1]  # type: ignore[arg-type]

    name, data = asyncio.run(first_event()).decode().split("\n", 1)
    assert name == "event: progress"
    assert json.loads(data.removeprefix("data: "))["state"] == "finished"


# Crawls in a folder


def test_mistake_in_the_scope_is_told_and_hides_nothing(own_crawl: Path) -> None:
    (own_crawl / "scope.txt").write_text("drop *.example.pt\ndrop\n", encoding="utf-8")
    row = next(row for row in rows_of(own_crawl) if row.relevant)
    with asked_dashboard(own_crawl) as client:
        for path in ("", "visits/0", f"servers/{server_of(row.url)}", "quality", "settings", "scope", "tables/servers"):
            shown = client.get(f"/crawls/crawl/{path}")
            assert shown.status_code == 200, path
            assert "scope.txt:2: " in shown.text, path
        scope = answer(client, f"{CRAWL}/scope")
        assert [rule["rule"] for rule in scope["rules"]] == ["drop *.example.pt"]
        assert "scope.txt:2: " in scope["problem"]
        (own_crawl / "scope.txt").write_text("drop *.example.org\n", encoding="utf-8")
        assert answer(client, f"{CRAWL}/scope")["problem"] == ""


def test_folder_shows_crawls_that_have_not_begun_or_are_damaged(tmp_path: Path, own_crawl: Path) -> None:
    shutil.copytree(own_crawl, tmp_path / "new", ignore=shutil.ignore_patterns("state", "journal", "warc"))
    shutil.copytree(own_crawl, tmp_path / "damaged")
    (tmp_path / "damaged" / "state" / "data.mdb").write_bytes(b"no store")
    (tmp_path / "no crawl").mkdir()
    with asked_dashboard(tmp_path) as client:
        listed = {one["name"]: one for one in answer(client, "/api/crawls")["crawls"]}
        assert set(listed) == {"crawl", "new", "damaged"}
        assert listed["new"]["state"] == "not begun"
        assert "damaged" in listed["damaged"]["problem"] or "store" in listed["damaged"]["problem"]
        assert client.get("/crawls/new/").status_code == 200
        assert "has not begun" in error(client.get("/api/crawls/new/views/servers"), 409)
        assert client.get("/crawls/damaged/").status_code == 409
        assert client.get("/").status_code == 200


def test_crawl_that_was_moved_away_says_so_and_comes_back(own_crawl: Path) -> None:
    away = own_crawl.with_name("away")
    with asked_dashboard(own_crawl) as client:
        own_crawl.rename(away)
        (listed,) = answer(client, "/api/crawls")["crawls"]
        assert listed["state"] == "damaged"
        assert "moved" in listed["problem"]
        assert answer(client, f"{CRAWL}/progress")["state"] == "damaged"
        assert "moved" in error(client.get(CRAWL), 409)
        assert client.get("/crawls/crawl/").status_code == 409
        away.rename(own_crawl)
        assert answer(client, f"{CRAWL}/progress")["state"] == "finished"


# What it changes


def test_rule_is_written_with_who_and_why_and_removed_again(own_crawl: Path) -> None:
    with asked_dashboard(own_crawl) as client:
        body = {"verb": "limit", "number": 1_234_567, "target": "example.org", "why": "asked by mail", "by": "Ana"}
        added = with_token(client).post(f"{CRAWL}/scope", json=body)
        assert added.json()["rules"][0]["rule"] == "limit 1234567 example.org"
        assert "asked by mail; Ana " in file_rules(own_crawl)[-1].comment
        client.post(f"{CRAWL}/scope", json={"verb": "remove", "target": "example.org"})
        exact = client.post(f"{CRAWL}/scope", json={"verb": "limit", "number": 1_234_567, "target": "example.org"})
        assert exact.json()["rules"][0]["rule"] == "limit 1234567 example.org"
        without = client.post(f"{CRAWL}/scope", json={"verb": "delay", "target": "example.org"})
        assert "needs a number" in error(without, 400)
        client.post(f"{CRAWL}/scope", json={"verb": "remove", "target": "example.org"})
        assert [rule.text for rule in file_rules(own_crawl)] == [f"drop {DROPPED}"]


def test_label_is_kept_with_the_words_of_the_page_and_taken_back(own_crawl: Path) -> None:
    row = next(row for row in rows_of(own_crawl) if row.relevant)
    with asked_dashboard(own_crawl) as client:
        with_token(client).post(f"{CRAWL}/visits/{row.row}/label", json={"relevant": False, "by": "Ana"})
        (label,) = read_labels(own_crawl / "labels.jsonl")
        assert (label.url, label.positive, label.labelled_by, label.title) == (row.url, False, "Ana", row.title)
        assert label.text
        assert answer(client, f"{CRAWL}/visits/{row.row}")["label"] is False
        client.post(f"{CRAWL}/visits/{row.row}/label", json={"relevant": None})
        assert read_labels(own_crawl / "labels.jsonl") == []


def test_limits_are_written_into_crawl_toml_and_nothing_else_is(own_crawl: Path) -> None:
    before = load(own_crawl / CONFIG_NAME)
    with asked_dashboard(own_crawl) as client:
        got = with_token(client).patch(f"{CRAWL}/limits", json={"pages": 400})
        assert got.json()["limits"]["pages"] == 400
    after = load(own_crawl / CONFIG_NAME)
    assert (after.limits.pages, after.limits.pages_per_server) == (400, before.limits.pages_per_server)
    assert after.target == before.target


def test_crawl_that_is_not_running_cannot_be_paused(client: TestClient) -> None:
    got = client.post(f"{CRAWL}/run", json={"action": "pause"}, headers={"authorization": f"Bearer {TOKEN}"})
    assert "is not running" in error(got, 409)


# What it refuses


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/crawls/other", 404),
        (f"{CRAWL}/views/nothing", 404),
        (f"{CRAWL}/charts/nothing", 404),
        (f"{CRAWL}/visits/99999999", 404),
        (f"{CRAWL}/visits/{10**30}", 404),
        (f"{CRAWL}/visits/-1", 404),
        (f"{CRAWL}/servers/nowhere.example", 404),
        (f"{CRAWL}/views/servers?sort=nothing", 400),
        (f"{CRAWL}/views/servers?sort=pages;drop table visits", 400),
        (f"{CRAWL}/views/servers?only=nothing", 400),
        (f"{CRAWL}/views/servers?where=pages", 400),
        (f"{CRAWL}/views/servers?where=nothing:1", 400),
        (f"{CRAWL}/views/servers?rows=0", 400),
        (f"{CRAWL}/views/servers?rows=many", 400),
        (f"{CRAWL}/views/servers?first=-1", 400),
        (f"{CRAWL}/views/servers?nothing=1", 400),
        (f"{CRAWL}/views/servers?sort=pages&sort=server", 400),
        (f"{CRAWL}/scope?url=ftp://example.org/", 400),
        (f"{CRAWL}/timeline?points=1", 400),
        ("/api/nothing", 404),
    ],
)
def test_what_is_not_there_or_not_allowed_is_refused_in_one_line(client: TestClient, path: str, status: int) -> None:
    message = error(client.get(path), status)
    assert message
    assert "\n" not in message


def test_values_of_filters_never_become_a_part_of_a_query(client: TestClient) -> None:
    evil = "x' or 1=1; drop table visits; --"
    assert answer(client, f"{CRAWL}/views/visits", search=evil)["total"] == 0
    assert answer(client, f"{CRAWL}/views/visits", where=f"language:{evil}")["total"] == 0
    assert answer(client, f"{CRAWL}/views/visits")["total"] > 0


def test_bodies_that_are_not_allowed_are_refused(client: TestClient) -> None:
    token = {"authorization": f"Bearer {TOKEN}"}
    assert client.post(f"{CRAWL}/run", content=b"x", headers=token).status_code == 415
    json_type = token | {"content-type": "application/json"}
    for body in (b"x", b"[]", b'{"action": "explode"}', b'{"action": "stop", "more": 1}', b"[" * 40_000):
        assert client.post(f"{CRAWL}/run", content=body, headers=json_type).status_code == 400
    assert client.post(f"{CRAWL}/run", content=b" " * 100_000, headers=json_type).status_code == 413
    assert client.post("/api/crawls", headers=json_type).status_code == 405


# Who may ask


def test_other_hosts_and_origins_are_refused(client: TestClient) -> None:
    assert client.get("/api/crawls", headers={"host": "evil.example"}).status_code == 403
    assert client.get("/api/crawls", headers={"host": "localhost:9999"}).status_code == 200
    assert client.get("/api/crawls", headers={"origin": "http://evil.example"}).status_code == 403
    for origin in ("null", "", "http://[", "http://[::1", "//127.0.0.1", "http://a@127.0.0.1"):
        assert client.get("/api/crawls", headers={"origin": origin}).status_code == 403
    assert client.get("/api/crawls", headers={"origin": "http://127.0.0.1"}).status_code == 200


def test_changes_need_the_token(client: TestClient, crawl: Path) -> None:
    body = {"verb": "drop", "target": "example.org"}
    for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": "exonym=wrong"}):
        assert client.post(f"{CRAWL}/scope", json=body, headers=headers).status_code == 401
    # The token alone is not enough for a form of another web site.
    foreign = {"cookie": f"exonym={TOKEN}", "origin": "http://evil.example"}
    assert client.post("/crawls/crawl/do/change_scope", data=body, headers=foreign).status_code == 403
    hidden = {"cookie": f"exonym={TOKEN}", "sec-fetch-site": "cross-site"}
    assert client.post("/crawls/crawl/do/change_scope", data=body, headers=hidden).status_code == 403
    assert [rule.text for rule in file_rules(crawl)] == [f"drop {DROPPED}"]


def test_address_with_the_token_sets_a_cookie_and_loses_the_token(client: TestClient) -> None:
    got = client.get("/crawls/crawl/scope", params={"token": TOKEN, "url": "a.example"})
    assert (got.status_code, got.headers["location"]) == (303, "/crawls/crawl/scope?url=a.example")
    cookie = got.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    client.cookies.clear()
    assert "set-cookie" not in client.get("/crawls/crawl/", params={"token": "wrong"}).headers
    elsewhere = client.get("http://127.0.0.1//evil.example/", params={"token": TOKEN})
    assert elsewhere.headers["location"] == "/evil.example/"
    client.cookies.clear()


def test_dashboard_for_other_machines_needs_the_token_for_reading(crawl: Path) -> None:
    with asked_dashboard(crawl, needs_token=True) as client:
        for path in ("/", "/api/crawls", "/static/dashboard.js", "/crawls/crawl/"):
            assert client.get(path).status_code == 401
        assert with_token(client).get("/api/crawls").status_code == 200


def test_forms_go_back_to_pages_of_the_dashboard_alone(own_crawl: Path) -> None:
    with asked_dashboard(own_crawl) as client:
        for back in ("http://evil.example/", "//evil.example/", "/crawls/\\evil", "javascript:alert(1)"):
            form = {"verb": "drop", "target": "example.org", "back": back}
            got = with_token(client).post("/crawls/crawl/do/change_scope", data=form)
            assert (got.status_code, got.headers["location"]) == (303, "/crawls/crawl/")


def test_form_about_a_page_that_names_none_is_refused(client: TestClient) -> None:
    token = {"authorization": f"Bearer {TOKEN}"}
    for form in ({"relevant": "true"}, {"relevant": "true", "visit": "x"}, {"relevant": "true", "visit": "99999999"}):
        assert client.post("/crawls/crawl/do/label", data=form, headers=token).status_code == 404


def test_every_answer_has_headers_that_keep_it_harmless(client: TestClient) -> None:
    paths = ("/", "/crawls/crawl/", "/api/crawls", "/static/dashboard.js", "/nothing", "/api/nothing", "/crawls/other/")
    answers = [*(client.get(path) for path in paths), client.get("/", headers={"host": "evil.example"})]
    for got in answers:
        policy = got.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert got.headers["x-content-type-options"] == "nosniff"


# The description


def test_description_has_every_operation_and_valid_schemas(client: TestClient) -> None:
    document = answer(client, "/api/openapi.json")
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert described == {(operation.method, operation.path) for operation in OPERATIONS}
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    page = client.get("/api/").text
    assert all(operation.path in page for operation in OPERATIONS)


def test_no_request_that_the_description_allows_or_forbids_is_a_defect(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shutil.copytree(whole_crawl(tmp_path_factory), tmp_path / "crawl")
    # Nothing is started: crawl.toml names no operator.
    toml = tmp_path / "crawl" / CONFIG_NAME
    toml.write_text("\n".join(line for line in toml.read_text().splitlines() if not line.startswith("operator")))
    app = dashboard(ServedCrawls(tmp_path / "crawl"), AccessRules(TOKEN, LOOPBACK_NAMES | {"testserver"}))
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", app).exclude(operation_id="watch")
    tried = Counter[str]()
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=12,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            if "crawl" in case.path_parameters:
                case.path_parameters["crawl"] = "crawl"
            response = case.call(headers={"Authorization": f"Bearer {TOKEN}"})
            tried[str(response.status_code)] += 1
            # An address or a rule may be wrong in ways that no schema describes.
            case.validate_response(response, excluded_checks=[positive_data_acceptance])

        ask()
    assert tried["200"] > 10
    assert not [status for status in tried if status.startswith("5")]
