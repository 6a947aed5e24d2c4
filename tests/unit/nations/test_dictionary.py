"""The dictionary builder: names on list pages, short forms by rule, review sheets, votes."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exonym.errors import ConfigError, ExonymError
from exonym.nations import Name, Nation, load_nation, with_names
from exonym.nations.dictionary.list_pages import ListedName, licence_named, read_list_page, tidied
from exonym.nations.dictionary.proposals import ProposalSource, proposals
from exonym.nations.dictionary.sheet import KNOWN, NO, YES, Sheet, SheetRow, read_sheet, write_sheet
from exonym.nations.dictionary.votes import agreement_of, merged, names_lines
from exonym.nations.dictionary.wiki import article_address, article_of, is_time, wiki_of
from exonym.nations.short_forms import is_doubtful, kind_by_form, short_forms, with_short_forms

ADDRESS = "https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere"
NOWHERE = Nation(
    "XX",
    "Nowhere",
    names=(Name("Koh Samui", "island", "hand"), Name("Bangkok", "city", "hand")),
    demonyms=("Thai",),
    stop_words=("Nan",),
    prefixes={"Koh": "island", "Wat": "temple", "Amphoe": "district", "Mueang": "district", "Nam Tok": "waterfall"},
    suffixes={"-shi": "city"},
)

# Pages in the shapes in which MediaWiki wraps the same contents. {…} are two sections of it and the boxes at its end.

NEW_SKIN = """<!DOCTYPE html><html class="client-nojs"><head><title>List of temples of Nowhere - Wikipedia</title>
<link rel="canonical" href="https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere">
<link rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/deed.en"></head><body>
<div class="vector-header-container"><header class="vector-header"><nav><ul><li><a href="/wiki/Main_Page">Main page</a>
</li></ul></nav></header></div><div id="vector-toc"><ul><li class="vector-toc-list-item"><a href="#South">South</a></li>
</ul></div><main id="content"><div id="bodyContent"><div id="p-lang-btn"><ul><li><a href="/wiki/Tongue">Tongue</a></li>
</ul></div><div id="mw-content-text" class="mw-body-content"><div class="mw-content-ltr mw-parser-output" lang="en">
<div class="mw-heading mw-heading2"><h2 id="South">South</h2><span class="mw-editsection"><a
href="/w/index.php?title=X&amp;action=edit&amp;section=1">edit</a></span></div>{contents}
<div class="mw-heading mw-heading2"><h2 id="See_also">See also</h2></div>{appendix}</div>{boxes}</div></div></main>
<div class="mw-footer-container"><footer><ul><li><a href="/wiki/Nowhere:About">About</a></li></ul></footer></div>
</body></html>"""
OLD_SKIN = """<html class="client-nojs"><head><title>List of temples of Nowhere - Wikipedia</title>
<link rel="canonical" href="https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere"/></head><body class="skin-vector">
<div id="mw-page-base"></div><div id="content" class="mw-body"><h1 id="firstHeading">List of temples of Nowhere</h1>
<div id="bodyContent"><div id="mw-content-text"><div id="toc" class="toc"><div class="toctitle"><h2>Contents</h2></div>
<ul><li class="toclevel-1"><a href="#South">South</a></li></ul></div>
<h2><span class="mw-headline" id="South">South</span><span class="mw-editsection">[<a
href="/w/index.php?title=X&amp;action=edit&amp;section=1">edit</a>]</span></h2>{contents}
<h2><span class="mw-headline" id="See_also">See also</span><span class="mw-editsection">[<a>edit</a>]</span></h2>
{appendix}</div>{boxes}<div id="catlinks" class="catlinks"><ul><li><a href="/wiki/Category:Temples">Temples</a></li>
</ul></div></div></div><div id="mw-navigation"><ul><li><a href="/wiki/Main_Page">Main page</a></li></ul></div>
<div id="footer"><ul><li><a href="/wiki/Terms">Terms</a></li></ul></div></body></html>"""
PARSOID = """<!DOCTYPE html><html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/"><head>
<title>List of temples of Nowhere</title><base href="//en.wikipedia.org/wiki/"/>
<link rel="dc:isVersionOf" href="//en.wikipedia.org/wiki/List_of_temples_of_Nowhere"/></head>
<body class="mw-content-ltr mw-body-content parsoid-body mediawiki mw-parser-output"><section data-mw-section-id="1">
<h2 id="South">South</h2>{contents}</section><section data-mw-section-id="2"><h2 id="See_also">See also</h2>{appendix}
</section>{boxes}</body></html>"""
MOBILE = """<!DOCTYPE html><html><head><title>List of temples of Nowhere - Wikipedia</title>
<link rel="canonical" href="https://en.wikipedia.org/wiki/List_of_temples_of_Nowhere"></head><body class="skin-minerva">
<header class="header-container"><ul><li><a href="/wiki/Main_Page">Home</a></li></ul></header><main id="content">
<div id="bodyContent"><div id="mw-content-text" class="mw-body-content"><div class="mw-parser-output">
<div class="mw-heading mw-heading2 section-heading" onclick="mfTempOpenSection(1)"><h2 id="South">South</h2></div>
<section class="mf-section-1 collapsible-block">{contents}</section>
<div class="mw-heading mw-heading2 section-heading"><h2 id="See_also">See also</h2></div>
<section class="mf-section-2 collapsible-block">{appendix}</section></div></div></div>{boxes}</main></body></html>"""
CONTENTS = """<div role="note" class="hatnote navigation-not-searchable"><ul><li>
<a href="/wiki/Note">A note</a></li></ul></div>
<p>In prose: <a href="/wiki/Prose">Prose</a>.</p>
<ul><li><a href="/wiki/Wat_Arun" title="Wat Arun"><i>Wat&#160;Arun</i></a><sup class="reference"><a
href="/wiki/Ref">[1]</a></sup>, <a href="/wiki/1782">1782</a>, <a href="/wiki/14th_century">14th century</a></li>
<li><a href="/wiki/Wat_Pho_(temple)" class="mw-redirect">Wat Pho (temple)</a> near
<a href="/w/index.php?title=Wat_Red&amp;action=edit&amp;redlink=1" class="new">Wat Red</a></li>
<li><a href="https://en.wikipedia.org/wiki/Koh_Samui">Koh Samui</a>, <a href="/wiki/List_of_islands">List of islands</a>
<a href="/wiki/Wat_(disambiguation)">Wat</a> <a class="mw-disambig" href="/wiki/Ban">Ban Ban</a>
<a class="extiw" href="https://th.wikipedia.org/wiki/Wat_Tai">Wat Tai</a> <a href="https://example.org/wiki/Far">Far</a>
<a href="/wiki/File:A.jpg" class="image"><img alt="A" src="a.jpg"></a> <a href="/wiki/Template:Box">Box</a>
<a href="/wiki/Talk:Wat_Arun">Talked</a> <a href="/wiki/Special:Random">Random</a> <a href="#South">Southern</a></li>
</ul>
<table class="wikitable sortable"><tr><th>Name</th><th><a href="/wiki/Province">Province</a></th></tr>
<tr><td><a href="/wiki/Wat_Saket#History">Wat Saket</a></td><td><a href="/wiki/Wat_Arun">Wat Arun</a></td></tr></table>
<dl><dd><a href="/wiki/Wat_Kalaya:_A_Temple">Wat Kalaya: A Temple</a></dd></dl>"""
APPENDIX = """<h3>More</h3><ul><li><a href="/wiki/Buddhism">Buddhism</a></li></ul>"""
BOXES = """<div role="navigation" class="navbox"><table><tr><td><a href="/wiki/Wat_Box">Wat Box</a></td></tr></table>
</div>
<table class="sidebar"><tr><td><a href="/wiki/Wat_Side">Wat Side</a></td></tr></table>
<table class="infobox"><tr><td><a href="/wiki/Wat_Info">Wat Info</a></td></tr></table>"""
EXPECTED = ["Wat Arun", "Wat Pho", "Koh Samui", "Province", "Wat Saket", "Wat Arun", "Wat Kalaya: A Temple"]


def page(shape: str) -> bytes:
    return shape.replace("{contents}", CONTENTS).replace("{appendix}", APPENDIX).replace("{boxes}", BOXES).encode()


def texts(body: bytes, url: str = "") -> list[str]:
    return [name.text for name in read_list_page(body, url, "text/html; charset=utf-8").names]


@pytest.mark.parametrize("shape", [NEW_SKIN, OLD_SKIN, PARSOID, MOBILE], ids=["new", "old", "parsoid", "mobile"])
def test_names_are_the_same_in_every_wrapping(shape: str) -> None:
    assert texts(page(shape)) == EXPECTED
    assert texts(page(shape), ADDRESS) == EXPECTED


def test_page_tells_its_title_address_and_licence() -> None:
    new, old = read_list_page(page(NEW_SKIN)), read_list_page(page(OLD_SKIN.replace("en.wikipedia.org", "w.example")))
    assert (new.title, new.address, new.licence) == ("List of temples of Nowhere", ADDRESS, "CC BY-SA 4.0")
    assert (old.licence, old.address) == ("", "https://w.example/wiki/List_of_temples_of_Nowhere")
    assert new.names[1] == ListedName("Wat Pho", "Wat Pho (temple)")
    assert licence_named("//creativecommons.org/licenses/by-sa/3.0/") == "CC BY-SA 3.0"
    assert licence_named("/wiki/Terms") == ""


def test_section_after_an_appendix_is_read_again_but_not_one_within_it() -> None:
    entry = "<ul><li><a href='/wiki/{0}'>{0}</a></li></ul>"
    parts = ["<h2>References</h2>", "<h3>Books</h3>", entry.format("Lost"), "<h2>North</h2>", entry.format("Found")]
    assert texts("".join(parts).encode()) == ["Found"]
    assert texts("<h2>ดูเพิ่ม[แก้]</h2><ul><li><a href='/wiki/A'>Aaa</a></ul>".encode()) == []


def test_saved_page_of_unknown_place_and_wiki_with_short_addresses_are_read() -> None:
    saved = b"<ul><li><a href='https://en.wikipedia.org/wiki/Wat_Arun'>Wat Arun</a>"
    assert texts(saved) == ["Wat Arun"]
    assert texts(
        b"<ul><li><a href='/Wat_Arun'>Wat Arun</a> <a href='/User:A'>Aaa</a>", "https://wiki.example/List"
    ) == ["Wat Arun"]
    asked = b"<li><a href='/w/index.php?title=Wat_Arun'>Wat Arun</a><a href='/w/index.php?title=A&amp;oldid=1'>Old</a>"
    assert texts(asked, ADDRESS) == ["Wat Arun"]


@pytest.mark.parametrize(
    ("href", "title"),
    [
        ("/wiki/Wat_Arun", "Wat Arun"),
        ("./Wat_Arun", "Wat Arun"),
        ("//en.m.wikipedia.org/wiki/Wat_Arun?", "Wat Arun"),
        ("/wiki/%E0%B8%A7%E0%B8%B1%E0%B8%94", "วัด"),
        ("/wiki/Ayutthaya:_A_Guide", "Ayutthaya: A Guide"),
        ("/wiki/หมวดหมู่:วัด", ""),
        ("/wiki/wikt:wat", ""),
        ("/wiki/List_of_temples_of_Nowhere", ""),
        ("/w/index.php?title=A&action=edit&redlink=1", ""),
        ("/static/a.html", ""),
        ("mailto:a@example.org", ""),
        ("http://[broken/wiki/A", ""),
        ("", ""),
    ],
)
def test_link_leads_to_an_article_of_the_same_wiki_or_counts_for_nothing(href: str, title: str) -> None:
    assert article_of(href, [], "", wiki_of(ADDRESS)) == title


def test_title_becomes_the_address_of_an_article() -> None:
    at = "https://th.wikipedia.org"
    assert article_address(at, " List of A/B? (temple)") == f"{at}/wiki/List_of_A/B%3F_(temple)"
    assert article_address(at, "วัด") == f"{at}/wiki/%E0%B8%A7%E0%B8%B1%E0%B8%94"
    assert article_address("https://w.example/pages/", "A") == "https://w.example/pages/A"
    assert article_address(at, "https://w.example/A") == "https://w.example/A"
    for wiki, title in ((at, ""), (at, "A|B"), (at, "A#b"), ("th.wikipedia.org", "A"), ("http://", "A")):
        with pytest.raises(ExonymError):
            article_address(wiki, title)


@pytest.mark.parametrize(
    "text",
    ["1782", "1990s", "c. 1350", "1350–1767", "543 BC", "AD 79", "6 April 1782", "April 6, 1782", "May", "Dec. 5",
     "14th century", "late 19th century BC", "nineteenth century", "Monday", "1782年", "4月6日", "พ.ศ. 2325", "18세기"],
)  # fmt: skip
def test_times_are_no_names(text: str) -> None:
    assert is_time(text)


@pytest.mark.parametrize("text", ["Wat Pho", "Taipei 101", "Mayo", "Marchena", "7-Eleven", "Junee", "Sundays River"])
def test_names_are_no_times(text: str) -> None:
    assert not is_time(text)


@given(st.binary(max_size=400), st.text(max_size=40))
def test_no_bytes_make_the_reader_fail(body: bytes, url: str) -> None:
    for around in (
        body,
        b"<ul><li><a href='" + body,
        b"<li><a href=/wiki/A>" + body,
        b"<h2>" + body + b"<li><a href=x>",
    ):
        for name in read_list_page(around, url, "").names:
            assert name.text == tidied(name.text) != ""


@given(st.text(max_size=60))
def test_tidied_name_stands_on_one_line_and_stays_as_it_is(text: str) -> None:
    name = tidied(text)
    assert tidied(name) == name
    assert not set(name) & set("|~#\n\r\t")
    assert len(name.splitlines()) <= 1


@pytest.mark.parametrize("open_tags", ["<ul><li>", "<div class='a'>", "<h2><div>", "<a href=/wiki/Aa><table><tr><td>"])
def test_deep_page_is_read_to_its_end(open_tags: str) -> None:
    """The parser stops nesting at some depth; what matters is that neither stack nor time goes with the depth."""
    body = open_tags * 20_000 + "<ul><li><a href='/wiki/Wat_Arun'>Wat Arun</a>"
    assert set(texts(body.encode())) <= {"Wat Arun"}


# Short forms


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Koh Samui", ["Samui"]),
        ("KOH SAMUI", ["SAMUI"]),
        ("Koh Samui Island", ["Koh Samui", "Samui"]),
        ("Amphoe Mueang Nakhon Pathom", ["Mueang Nakhon Pathom", "Nakhon Pathom"]),
        ("Nam Tok Erawan", ["Erawan"]),
        ("Suvarnabhumi International Airport", ["Suvarnabhumi"]),
        ("University of Phayao", ["Phayao"]),
        ("Kyoto-shi", ["Kyoto"]),
        ("Mt. Fuji", ["Fuji"]),
        ("Wat Koh", []),  # what is left is no name
        ("Wat of the dawn", []),
        ("Wat", []),
        ("Kohsamui", []),
        ("", []),
    ],
)
def test_short_forms_are_what_is_left_of_a_name(text: str, forms: list[str]) -> None:
    assert short_forms(NOWHERE, text) == forms


@given(st.text(max_size=40))
def test_short_forms_are_shorter_and_parts_of_the_name(text: str) -> None:
    forms = short_forms(NOWHERE, text)
    assert all(form in " ".join(text.split()) for form in forms)
    assert [len(form) for form in forms] == sorted({len(form) for form in forms}, reverse=True)


def test_diacritics_tell_words_before_names_from_names() -> None:
    vietnam = load_nation("VN")
    assert short_forms(vietnam, "Vịnh Hạ Long") == ["Hạ Long"]
    assert short_forms(vietnam, "Vĩnh Phúc") == []


def test_words_before_and_behind_tell_the_kind() -> None:
    kinds = [kind_by_form(NOWHERE, text) for text in ("Wat Arun", "Nan Province", "Kyoto-shi", "Arun")]
    assert kinds == ["temple", "province", "city", ""]


def test_ordinary_and_very_short_words_are_doubtful() -> None:
    said = [is_doubtful(NOWHERE, text) for text in ("Nan", "Grand", "Long Beach", "Pho", "Samui", "วัด")]
    assert said == ["ordinary word", "ordinary word", "ordinary word", "too short", "", ""]


def test_provinces_get_their_short_forms_without_anybody_asking() -> None:
    china = Nation("CN", "China", suffixes={"Sheng": "province"}, stop_words=("Taiwan",))
    listed = [Name("Anhui Sheng", "province", "iso"), Name("Taiwan Sheng", "province", "iso")]
    listed += [Name("Hunan Sheng", "city", "iso"), Name("Hebei Sheng", "province", "iso"), Name("Hebei", "city", "iso")]
    added = set(with_short_forms(china, listed)) - set(listed)
    assert added == {Name("Anhui", "province", "iso", "short", "Anhui Sheng")}
    assert set(with_short_forms(china, with_short_forms(china, listed))) == added | set(listed)
    assert Name("Guangdong", "province", "iso", "short", "Guangdong Sheng") in load_nation("CN").names


# Proposals


def source(*names: str, about: str = "a page") -> ProposalSource:
    return ProposalSource(about, "CC BY-SA 4.0", [ListedName(name, name) for name in names])


def test_each_name_is_proposed_once_with_its_pages_and_how_often_it_was_seen() -> None:
    rows = proposals(NOWHERE, [source("Wat Arun", "WAT ARUN"), source("Wat Arun", about="another")], "place")
    assert rows == [
        SheetRow("Wat Arun", "", YES, "", "temple", "name", "", 3, "a page; another", "CC BY-SA 4.0"),
        SheetRow("Arun", "", YES, "", "temple", "short", "Wat Arun", 3, "a page; another", "CC BY-SA 4.0"),
    ]


def test_first_opinions_are_known_no_or_nothing_at_all() -> None:
    listed = ["Koh Samui", "Myanmar", "Wat Pho", "spirit house", "temple", "Wat", "Thai", "Bang Rak, Bangkok", "Nan"]
    rows = proposals(NOWHERE, [source(*listed)])
    said = [(row.name, row.proposed, row.why, row.of) for row in rows]
    assert said == [
        ("Samui", YES, "", "Koh Samui"),
        ("Myanmar", NO, "another country", ""),
        ("Wat Pho", YES, "", ""),
        ("Pho", NO, "too short", "Wat Pho"),
        ("spirit house", NO, "begins with a small letter", ""),
        ("Bang Rak", YES, "", ""),
        ("Koh Samui", KNOWN, "", ""),
        ("Thai", KNOWN, "", ""),
    ]


# Sheets

ROWS = (
    SheetRow("Wat Arun", "", YES, "", "temple", "name", "", 3, "List, https://a.example/, 2026-01-01", "CC BY-SA 4.0"),
    SheetRow("Arun", "no", YES, "", "temple", "short", "Wat Arun", 3, "List; of, more", "CC BY-SA 4.0"),
    SheetRow("=1+1 Tower", "yes", NO, 'said "so"', "other", seen=1),
    SheetRow("+66 Tower", "?", NO, "ordinary word", "other"),
    SheetRow("วัดอรุณ", "", KNOWN),
)


@pytest.mark.parametrize("name", ["sheet.csv", "sheet.tsv", "sheet"])
def test_sheet_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_sheet(path, ROWS)
    assert read_sheet(path) == Sheet(path, ROWS)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


_NAMES = st.text(max_size=30).map(tidied).filter(bool)


@given(st.lists(_NAMES, min_size=1, max_size=5, unique=True), st.sampled_from(["", YES, NO, "?"]))
def test_any_names_come_back_from_a_sheet(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], said: str
) -> None:
    rows = tuple(SheetRow(name, said, YES, source=name, of=name) for name in names)
    path = tmp_path_factory.mktemp("sheets") / "sheet.csv"
    write_sheet(path, rows)
    assert read_sheet(path).rows == rows


def test_no_cell_can_become_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "sheet.tsv"
    write_sheet(path, [SheetRow("=1+1", why="@SUM(1)", source="-2", kind="+3")])
    cells = path.read_text(encoding="utf-8-sig").splitlines()[1].split("\t")
    assert [cell for cell in cells if cell[:1] in set("=+-@")] == []
    assert {"'=1+1", "'@SUM(1)", "'-2", "'+3"} <= set(cells)


@pytest.mark.parametrize(
    "body",
    [
        "name,decision,proposed\nWat Arun,Y,no\n".encode("utf-8-sig"),
        b"name;decision;proposed\r\nWat Arun;yes;no\r\n;;\r\n",
        b"sep=;\r\nproposed;Name;Decision\r\nno;Wat Arun;YES\r\n",
        "name\tdecision\tproposed\nWat Arun\t1\tno\n".encode("utf-16"),
        b'"name","decision","proposed"\n"Wat Arun","x","no"\n\n',
        b"\nname,decision,proposed\rWat Arun,true\r",
        b"name,decision,proposed\nWat Arun,,no\nWat Arun,yes,no\n",
    ],
)
def test_sheets_are_read_however_spreadsheets_save_them(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(body)
    assert [(row.name, row.decision) for row in read_sheet(path).rows] == [("Wat Arun", YES)]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", r":1: no column 'name'"),
        (b"<html>", r":1: no column 'name'"),
        (b"name,proposed\nA,yes\n", r":1: no column 'decision'"),
        (b"name,decision,proposed\n", "has no names"),
        (b"name,decision,proposed\nWat Arun,maybe,yes\n", r":2: the decision 'maybe' is neither yes nor no"),
        (b"name,decision,proposed\nWat Arun,yes,perhaps\n", r":2: the proposal 'perhaps' is neither"),
        (b"name,decision,proposed\n\n ,yes,\n", r":3: '' is no name"),
        (b"name,decision,proposed\nA1,yes,\nA1,no,\n", r":3: 'A1' has been decided before"),
        (b"name,decision,proposed\n\xb8\xa7,yes,\n", r":2: not UTF-8"),
        (b"\xff\xfen", "not UTF-8"),
        (b"PK\x03\x04more", "own format"),
        (b"name,decision,proposed\n" + b"a" * 200_000, r":2: field larger"),
        (b"name,decision,proposed\n" + b"a" * 90, r":2: 'a+' is no name"),
    ],
)
def test_mistakes_in_a_sheet_are_told_with_their_line(body: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_bytes(body)
    with pytest.raises(ConfigError, match=said) as told:
        read_sheet(path)
    assert str(path) in str(told.value)


@given(st.binary(max_size=200))
def test_no_bytes_make_the_sheet_reader_fail_in_another_way(
    tmp_path_factory: pytest.TempPathFactory, body: bytes
) -> None:
    path = tmp_path_factory.mktemp("sheets") / "sheet.csv"
    for around in (body, b"name,decision,proposed\n" + body):
        path.write_bytes(around)
        with suppress(ConfigError):
            assert read_sheet(path).rows


# Votes


def sheet(**decisions: str) -> Sheet:
    return Sheet(Path("a.csv"), tuple(SheetRow(name, decision) for name, decision in decisions.items()))


def test_majority_decides_and_ties_are_told() -> None:
    people = [sheet(A=YES, B=NO, C=YES, D="?"), sheet(A=YES, B=NO, C=NO, D="?"), sheet(A=NO, B=YES, C="?", D="?")]
    outcome = merged(people)
    names = [[row.name for row in rows] for rows in (outcome.accepted, outcome.rejected, outcome.ties, outcome.open)]
    assert names == [["A"], ["B"], ["C"], ["D"]]
    assert [row.name for row in merged(people, accept_ties=True).accepted] == ["A", "C"]


def test_blank_decision_is_no_vote_whatever_is_proposed() -> None:
    """One person says yes to A and no to B; the blanks of two others must not outvote that person."""
    votes = sheet(A=YES, B=NO)
    blanks = Sheet(Path("b"), (SheetRow("A", proposed=NO), SheetRow("B", proposed=YES)))
    outcome = merged([votes, blanks, blanks])
    assert [row.name for row in outcome.accepted] == ["A"]
    assert [row.name for row in outcome.rejected] == ["B"]
    assert (outcome.ties, outcome.open, outcome.agreement.rows) == ((), (), 0)


def test_name_without_a_vote_is_left_out_or_accepted_if_proposed() -> None:
    first = Sheet(
        Path("a"), (SheetRow("A"), SheetRow("B", proposed=NO), SheetRow("C", proposed=KNOWN), SheetRow("D", NO))
    )
    second = Sheet(Path("b"), (SheetRow("A"), SheetRow("B", "?", NO), SheetRow("E", YES, "?")))
    outcome = merged([first, second])
    names = [[row.name for row in rows] for rows in (outcome.accepted, outcome.rejected, outcome.ties, outcome.open)]
    assert names == [["E"], ["D"], [], ["A", "B"]]
    assert [row.name for row in merged([first, second], accept_proposed=True).accepted] == ["A", "E"]


def test_kappa_is_over_the_rows_that_all_people_decided() -> None:
    """The textbook's table of 50 rows, and rows that only one of the two decided, which must not change kappa."""
    votes = [(YES, YES)] * 20 + [(YES, NO)] * 5 + [(NO, YES)] * 10 + [(NO, NO)] * 15
    agreement = agreement_of([*votes, *[(YES, "")] * 30, *[("", NO)] * 7, ("", "")])
    assert agreement.kappa == pytest.approx(0.4)
    assert (agreement.kappa_rows, agreement.rows, agreement.unanimous) == (50, 50, 35)


@given(st.dictionaries(_NAMES, st.sampled_from([YES, NO]), min_size=1), st.integers(1, 4))
def test_review_of_one_sheet_or_its_copies_is_that_sheet(decisions: dict[str, str], copies: int) -> None:
    one = Sheet(Path("a"), tuple(SheetRow(name, decision) for name, decision in decisions.items()))
    outcome = merged([one] * copies)
    assert {row.name for row in outcome.accepted} == {name for name, decision in decisions.items() if decision == YES}
    assert (outcome.ties, outcome.open) == ((), ())
    assert outcome.agreement.unanimous == outcome.agreement.rows == (len(decisions) if copies > 1 else 0)
    assert outcome.agreement.kappa in (None, 1.0)


def test_kappa_for_two_is_cohens() -> None:
    """A textbook's table: both yes 20, only the first 5, only the second 10, both no 15; 0.7 agreed, 0.5 by chance."""
    votes = [(YES, YES)] * 20 + [(YES, NO)] * 5 + [(NO, YES)] * 10 + [(NO, NO)] * 15
    assert agreement_of(votes).kappa == pytest.approx(0.4)
    assert (agreement_of(votes).rows, agreement_of(votes).unanimous) == (50, 35)


def test_kappa_for_three_is_fleiss() -> None:
    """By hand: yes counts 3, 3, 1, 0 of 3; observed (1 + 1 + 1/3 + 1) / 4; yes has 7 of 12, so 74/144 by chance."""
    votes = [(YES,) * 3, (YES,) * 3, (YES, NO, NO), (NO,) * 3]
    observed, expected = (3 + 1 / 3) / 4, 74 / 144
    assert agreement_of(votes).kappa == pytest.approx((observed - expected) / (1 - expected))


@pytest.mark.parametrize("votes", [[], [(YES,)], [(YES, YES)], [(YES, ""), ("", NO)]])
def test_kappa_is_not_defined_where_there_is_nothing_to_compare(votes: list[tuple[str, ...]]) -> None:
    assert agreement_of(votes).kappa is None


def test_accepted_names_are_written_with_their_short_forms_and_read_back(tmp_path: Path) -> None:
    rows = [
        SheetRow("Wat Arun"),
        SheetRow("Arun", form="short", of="Wat Arun"),
        SheetRow("Pho", form="short", of="Wat Pho"),
    ]
    rows += [SheetRow("Samui", form="short", of="Koh Samui"), SheetRow("+66 Tower")]
    lines = names_lines(rows, known=["Koh Samui"])
    assert lines == ["Wat Arun|~Arun", "Pho", "Koh Samui|~Samui", "++66 Tower"]
    path = tmp_path / "names.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    found = {(name.text, name.form, name.of) for name in with_names(Nation("XX", "Nowhere"), path).names}
    assert found == {
        ("Wat Arun", "name", ""), ("Arun", "short", "Wat Arun"), ("Pho", "name", ""), ("Koh Samui", "name", ""),
        ("Samui", "short", "Koh Samui"), ("+66 Tower", "name", ""),
    }  # fmt: skip


@given(st.lists(_NAMES, min_size=1, max_size=6, unique=True))
def test_any_accepted_names_are_read_back(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    path = tmp_path_factory.mktemp("names") / "names.txt"
    path.write_text("\n".join(names_lines(map(SheetRow, names))) + "\n", encoding="utf-8", newline="\n")
    assert [name.text for name in with_names(Nation("XX", "Nowhere"), path).names] == names
