"""When a server counts as an alias of another: proofs, counterproofs, and what survives."""

from pathlib import Path

import pytest

from exonym.archive.exchange import Original
from exonym.crawl_directory.aliases import PROOFS, PROOFS_FOR_COUNTERPROOF, PROOFS_OF_TWINS, Aliases
from exonym.store import Store

BARE, WWW, TLS, OTHER = "http://a.example", "http://www.a.example", "https://a.example", "http://b.example"


@pytest.fixture
def aliases(tmp_path: Path) -> Aliases:
    with Store.open(tmp_path / "state") as store:
        return Aliases(store)


def see_copy(aliases: Aliases, url: str, original: str, digest: bytes, address: str = "192.0.2.1") -> None:
    """A page at `address` repeats one at 192.0.2.1."""
    aliases.see_copy(url, Original(original, 0.0, "192.0.2.1"), digest, address)


def prove(aliases: Aliases, alias: str, origin: str, proofs: range) -> None:
    for number in proofs:
        see_copy(aliases, f"{alias}/{number}?x=1", f"{origin}/{number}?x=1", b"digest %d" % number)


@pytest.mark.parametrize(
    ("alias", "origin", "needed"),
    [(WWW, BARE, PROOFS_OF_TWINS), (BARE, WWW, PROOFS_OF_TWINS), (TLS, BARE, PROOFS_OF_TWINS), (OTHER, BARE, PROOFS)],
)
def test_server_is_an_alias_after_a_few_pages_alike(aliases: Aliases, alias: str, origin: str, needed: int) -> None:
    prove(aliases, alias, origin, range(needed - 1))
    assert (aliases.twin_of(f"{alias}/new?y=2"), len(aliases)) == ("", 0)
    prove(aliases, alias, origin, range(needed - 1, needed))
    assert (aliases.twin_of(f"{alias}/new?y=2"), len(aliases)) == (f"{origin}/new?y=2", 1)
    assert aliases.twin_of(f"{origin}/new?y=2") == ""


def test_one_page_at_every_path_is_one_proof(aliases: Aliases) -> None:
    for number in range(20):
        see_copy(aliases, f"{WWW}/{number}", f"{BARE}/{number}", b"not found")
    assert aliases.twin_of(f"{WWW}/") == ""


def test_pages_alike_at_other_paths_prove_nothing(aliases: Aliases) -> None:
    for number in range(20):
        see_copy(aliases, f"{WWW}/{number}", f"{BARE}/x{number}", b"digest %d" % number)
        see_copy(aliases, f"{BARE}/{number}/index.html", f"{BARE}/{number}/", b"digest %d" % number)
    assert (aliases.twin_of(f"{WWW}/"), aliases.twin_of(f"{BARE}/")) == ("", "")


def test_page_of_a_directory_has_two_paths(aliases: Aliases) -> None:
    see_copy(aliases, f"{WWW}/index.html", f"{BARE}/", b"home")
    see_copy(aliases, f"{WWW}/a/", f"{BARE}/a/default.asp", b"page of a")
    assert aliases.twin_of(f"{WWW}/new") == f"{BARE}/new"


@pytest.mark.parametrize("address", ["192.0.2.2", ""])
def test_server_whose_pages_were_copied_by_a_machine_elsewhere_is_no_alias_of_it(
    aliases: Aliases, address: str
) -> None:
    """192.0.2.1 has copied the pages of b.example, and was visited first: the rest of b.example is still asked."""
    for number in range(20):
        see_copy(aliases, f"{OTHER}/{number}", f"{BARE}/{number}", b"digest %d" % number, address)
    assert aliases.twin_of(f"{OTHER}/new") == ""


def test_two_names_with_www_and_without_may_have_two_addresses(aliases: Aliases) -> None:
    for number in range(PROOFS_OF_TWINS):
        see_copy(aliases, f"{WWW}/{number}", f"{BARE}/{number}", b"digest %d" % number, "192.0.2.2")
    assert aliases.twin_of(f"{WWW}/new") == f"{BARE}/new"


def test_pages_that_were_fetched_first_from_the_alias_are_proofs_too(aliases: Aliases) -> None:
    prove(aliases, WWW, BARE, range(1))
    prove(aliases, BARE, WWW, range(1, 2))
    assert (aliases.twin_of(f"{WWW}/"), aliases.twin_of(f"{BARE}/")) == (f"{BARE}/", "")


@pytest.mark.parametrize("later", [WWW, BARE])
def test_page_that_differs_from_its_twin_asks_for_ten_more_proofs(aliases: Aliases, later: str) -> None:
    prove(aliases, WWW, BARE, range(1))
    visited = {f"{WWW}/home", f"{BARE}/home"} - {f"{later}/home"}
    aliases.see_page(f"{later}/home", visited.__contains__)
    aliases.see_page(f"{later}/elsewhere", visited.__contains__)  # its twin is not known: no counterproof
    needed = PROOFS_OF_TWINS + PROOFS_FOR_COUNTERPROOF
    prove(aliases, WWW, BARE, range(1, needed - 1))
    assert aliases.twin_of(f"{WWW}/") == ""
    prove(aliases, WWW, BARE, range(needed - 1, needed))
    assert aliases.twin_of(f"{WWW}/") == f"{BARE}/"


def test_alias_of_an_alias_leads_to_the_same_server(aliases: Aliases) -> None:
    prove(aliases, WWW, BARE, range(PROOFS_OF_TWINS))
    prove(aliases, OTHER, WWW, range(PROOFS))
    assert aliases.twin_of(f"{OTHER}/") == f"{BARE}/"


def test_proofs_survive_with_the_commit_and_only_with_it(tmp_path: Path) -> None:
    with Store.open(tmp_path / "state") as store:
        aliases = Aliases(store)
        prove(aliases, WWW, BARE, range(1))
        aliases.see_page(f"{WWW}/home", lambda _: True)
        with store.writing() as txn:
            aliases.commit(txn)
        prove(aliases, WWW, BARE, range(1, 20))
    with Store.open(tmp_path / "state") as store:
        again = Aliases(store)
        needed = PROOFS_OF_TWINS + PROOFS_FOR_COUNTERPROOF
        prove(again, WWW, BARE, range(1, needed - 1))
        assert again.twin_of(f"{WWW}/") == ""
        prove(again, WWW, BARE, range(needed - 1, needed))
        assert again.twin_of(f"{WWW}/") == f"{BARE}/"
