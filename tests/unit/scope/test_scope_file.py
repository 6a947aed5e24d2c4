"""The file scope.txt: read, changed, imported into."""

import threading
from pathlib import Path

import pytest

from exonym.errors import ConfigError, DirectoryError
from exonym.scope.scope_file import SCOPE_NAME, add_rules, file_rules, read_scope, remove_rules, rules_of_list
from exonym.scope.scope_rule import Verb


def test_rules_of_the_settings_come_before_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / SCOPE_NAME).write_text("keep a.pt\n")
    scope = read_scope(tmp_path, ["drop a.pt", "drop b.pt"])
    assert [rule.text for rule in scope.rules] == ["drop a.pt", "drop b.pt", "keep a.pt"]
    assert scope.rules[2].place == "scope.txt line 1"


def test_wrong_line_is_named(tmp_path: Path) -> None:
    (tmp_path / SCOPE_NAME).write_text("# fine\n\ndorp a.pt\n")
    with pytest.raises(ConfigError, match=r"scope\.txt:3: 'dorp' is no rule"):
        read_scope(tmp_path)
    with pytest.raises(ConfigError, match=r"crawl\.toml, \[scope\]: 'dorp' is no rule"):
        read_scope(tmp_path, ["dorp a.pt"])


def test_added_rule_is_read_back_with_its_comment(tmp_path: Path) -> None:
    added = add_rules(tmp_path, ["drop a.pt"], "asked by mail\x1b[31m on 3 May")
    added += add_rules(tmp_path, ["limit 5 b.pt"])
    assert added == file_rules(tmp_path)
    first, second = added
    assert (first.text, first.comment, second.text) == ("drop a.pt", "asked by mail on 3 May", "limit 5 b.pt")
    assert (tmp_path / SCOPE_NAME).read_text().startswith("# What this crawl leaves out")


def test_file_that_ends_without_a_line_break_is_not_glued_to(tmp_path: Path) -> None:
    (tmp_path / SCOPE_NAME).write_text("drop a.pt")
    add_rules(tmp_path, ["drop b.pt"])
    assert [rule.text for rule in file_rules(tmp_path)] == ["drop a.pt", "drop b.pt"]


def test_wrong_rule_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        add_rules(tmp_path, ["drop a.pt", "drop b c"])
    assert not (tmp_path / SCOPE_NAME).exists()


def test_comment_cannot_add_a_rule(tmp_path: Path) -> None:
    add_rules(tmp_path, ["drop a.pt"], "nice\ndrop *")
    assert [rule.text for rule in file_rules(tmp_path)] == ["drop a.pt"]


def test_line_breaks_in_a_rule_cannot_add_another(tmp_path: Path) -> None:
    (added,) = add_rules(tmp_path, ["drop a.pt #\nkeep *"])
    assert [rule.text for rule in file_rules(tmp_path)] == ["drop a.pt"] == [added.text]


def test_removed_rules_stay_as_comments(tmp_path: Path) -> None:
    (tmp_path / SCOPE_NAME).write_text("drop a.pt  # mail\nlimit 5 www.a.pt\ndrop b.pt\ndrop a.pt/x/\n")
    assert [rule.text for rule in remove_rules(tmp_path, "http://a.pt/", "settled")] == [
        "drop a.pt",
        "limit 5 www.a.pt",
    ]
    assert [rule.text for rule in file_rules(tmp_path)] == ["drop b.pt", "drop a.pt/x/"]
    assert "# removed (settled): drop a.pt  # mail" in (tmp_path / SCOPE_NAME).read_text()


def test_rules_of_many_writers_are_all_kept(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for count in range(10):
            add_rules(tmp_path, [f"drop host{number}-{count}.pt"])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(file_rules(tmp_path)) == 40


def test_heritrix_surt_lists_are_imported() -> None:
    """The lines have the forms that Heritrix's manual shows for SURT prefixes, and the + and - of its decide rules."""
    text = "# mine\nhttp://(pt,example,\n+http://(pt,example,www,)/\n-http://(pt,example,www,)/private\n\n"
    assert rules_of_list(text, Verb.KEEP, "list") == [
        "keep http://(pt,example,",
        "keep http://(pt,example,www,)/",
        "drop http://(pt,example,www,)/private",
    ]


def test_plain_host_lists_are_imported() -> None:
    assert rules_of_list("a.pt\nhttp://b.pt/x/ # note\r\n*.c.pt\n", Verb.DROP, "list") == [
        "drop a.pt",
        "drop http://b.pt/x/",
        "drop *.c.pt",
    ]


def test_list_with_a_wrong_line_is_refused_as_a_whole() -> None:
    with pytest.raises(ConfigError, match=r"list:2: .*Nothing was imported"):
        rules_of_list("a.pt\nb.pt c.pt\n", Verb.DROP, "list")


def test_missing_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DirectoryError, match="no directory"):
        add_rules(tmp_path / "gone", ["drop a.pt"])


def test_file_with_a_mistake_is_not_added_to(tmp_path: Path) -> None:
    (tmp_path / SCOPE_NAME).write_text("drop a.pt\ndorp b.pt\n")
    for change in (lambda: add_rules(tmp_path, ["drop c.pt"]), lambda: remove_rules(tmp_path, "a.pt")):
        with pytest.raises(ConfigError, match=r"scope\.txt:2: 'dorp' is no rule"):
            change()
    assert (tmp_path / SCOPE_NAME).read_text() == "drop a.pt\ndorp b.pt\n"
