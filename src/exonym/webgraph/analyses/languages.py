"""Languages by top-level domain (Table 3 of the paper on the Thai web), and how many pages each domain has.

Pages that show no language and were taken to be in that of a page that links to them (inherited) have rows of their
own: the paper counts them as unknown.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from exonym.batches import Flags, language_code, language_name
from exonym.language_names import name_of
from exonym.published import thai_web
from exonym.report.table import TOTAL, Chart, Table, TableRow, share
from exonym.webgraph.analyses.graph_subject import PLAIN, THAI_2006, GraphSubject
from exonym.webgraph.analyses.link_parts import fetched_pages, inherited_pages, relevant_pages
from exonym.webgraph.graph import Graph

# Pages by language, then by domain; a dense table would be mostly zeros, few languages have pages in all domains.
LanguagePairCounts = dict[int, Counter[int]]
_OWN_COLUMNS = 3  # the paper has .th, .com and .net, and puts all others together
_LONGEST = 20
_TAKEN = " Pages taken to be in the language of a page that links to them are unknown in the paper."
_CAPTION = "Language of web pages classified by top-level domain"


def tables_of_languages(graph: Graph, subject: GraphSubject = PLAIN) -> list[Table]:
    """Languages by domain, here and in the paper, then languages and domains alone."""
    fetched, inherits = fetched_pages(graph), inherited_pages(graph)
    identified, inherited = _counts(graph, fetched & ~inherits), _counts(graph, inherits)
    published = [_published(subject)] if THAI_2006 in subject.compared else []
    by_domain = _languages_by_domain(graph, subject, identified, inherited)
    domains = _domains(graph, subject, _counts(graph, fetched))
    return [by_domain, *published, _languages(identified, inherited), domains]


def _counts(graph: Graph, pages: Flags) -> LanguagePairCounts:
    """Some of the pages, by language and domain."""
    keys = graph.language[pages].astype(np.uint32) << 16 | graph.domain[pages]
    found, numbers = np.unique(keys, return_counts=True)
    counts: LanguagePairCounts = {}
    for key, number in zip(found.tolist(), numbers.tolist(), strict=True):
        counts.setdefault(key >> 16, Counter())[key & 0xFFFF] = number
    return counts


def _languages_by_domain(
    graph: Graph, subject: GraphSubject, identified: LanguagePairCounts, inherited: LanguagePairCounts
) -> Table:
    relevant = np.bincount(graph.domain[relevant_pages(graph)], minlength=len(graph.manifest.domains))
    pages = np.bincount(graph.domain[fetched_pages(graph)], minlength=len(relevant))
    most = np.argsort(-relevant, kind="stable")[:_OWN_COLUMNS].tolist()
    # As in the paper, the domain with the highest share of relevant pages comes first.
    shown = sorted(most, key=lambda domain: -int(relevant[domain]) / max(int(pages[domain]), 1))
    rows = []
    for label, by_domain in _table_3_rows(graph, identified, inherited):
        numbers = [by_domain[domain] for domain in shown]
        rows.append((label, [*numbers, by_domain.total() - sum(numbers), by_domain.total()]))
    whole = sum(int(numbers[-1]) for _, numbers in rows)
    sums = [sum(column) for column in zip(*(numbers for _, numbers in rows), strict=True)]
    names = [_domain_name(graph, domain) for domain in shown]
    return Table(
        "languages_by_domain",
        _CAPTION,
        ("Language", *names, "Other", "Total", "share"),
        tuple((label, *numbers, share(numbers[-1], whole)) for label, numbers in [*rows, (TOTAL, sums)]),
        f"Pages fetched. The domains with most {subject.adjective} pages have columns of their own."
        + (subject.published(THAI_2006, _TAKEN) if inherited else ""),
        Chart("bar", ("Language",), (*names, "Other")),
        subject.paper(THAI_2006, "Table 3"),
    )


def _table_3_rows(
    graph: Graph, identified: LanguagePairCounts, inherited: LanguagePairCounts
) -> Iterator[tuple[str, Counter[int]]]:
    """Pages by domain: in the relevant languages, English and all others; then those that show no language."""
    relevant = list(filter(None, map(language_code, graph.manifest.languages)))
    wanted = list(dict.fromkeys([*relevant, language_code("en")]))
    yield from ((_label(code), identified.get(code, Counter[int]())) for code in wanted)
    yield "Other", _sum_of(identified, lambda code: code != 0 and code not in wanted)
    if inherited:
        taken_as = [(_label(code), inherited.get(code, Counter[int]())) for code in dict.fromkeys(relevant)]
        yield from ((f"Unknown, taken to be {label}", counts) for label, counts in taken_as)
        yield "Unknown, taken to be another", _sum_of(inherited, lambda code: code not in relevant)
    yield "Unknown", identified.get(0, Counter[int]())


def _sum_of(counts: LanguagePairCounts, is_wanted: Callable[[int], bool]) -> Counter[int]:
    return sum((by_domain for code, by_domain in counts.items() if is_wanted(code)), start=Counter[int]())


def _published(subject: GraphSubject) -> Table:
    domains = thai_web.LANGUAGES_BY_DOMAIN
    counts = list(zip(*domains.values(), strict=True))
    sums = tuple(map(sum, domains.values()))
    labels = [*(name.capitalize() for name in thai_web.LANGUAGES), TOTAL]
    rows = [
        (label, *numbers, sum(numbers), share(sum(numbers), sum(sums)))
        for label, numbers in zip(labels, [*counts, sums], strict=True)
    ]
    columns = ("Language", *(f".{name}" if name != "other" else "Other" for name in domains), "Total", "share")
    caption, chart = f"{_CAPTION} (Thai, published)", Chart("bar", columns[:1], columns[1:-2])
    return Table(
        "languages_by_domain_published", caption, columns, tuple(rows), "", chart, subject.paper(THAI_2006, "Table 3")
    )


def _languages(identified: LanguagePairCounts, inherited: LanguagePairCounts) -> Table:
    named, taken = ({code: pages.total() for code, pages in counts.items()} for counts in (identified, inherited))
    numbers = Counter(named) + Counter(taken)
    ordered = sorted(((pages, code) for code, pages in numbers.items()), reverse=True)[:_LONGEST]
    rows: list[TableRow] = [(_label(code), pages, share(pages, numbers.total())) for pages, code in ordered]
    columns: tuple[str, ...] = ("Language", "pages", "share")
    if taken:
        columns += ("identified", "inherited")
        both = ((named.get(code, 0), taken.get(code, 0)) for _, code in ordered)
        rows = [(*row, *pair) for row, pair in zip(rows, both, strict=True)]
    chart = Chart("bar", columns[:1], ("share",))
    return Table("languages", "Languages of web pages", columns, tuple(rows), "Pages fetched.", chart)


def _domains(graph: Graph, subject: GraphSubject, counts: LanguagePairCounts) -> Table:
    numbers, rows = sum(counts.values(), start=Counter[int]()), list[TableRow]()
    columns = ("Domain", "pages", "share", "Thai, published: share")[: 4 if THAI_2006 in subject.compared else 3]
    for domain, pages in sorted(numbers.items(), key=lambda item: (-item[1], item[0]))[:_LONGEST]:
        name = _domain_name(graph, domain)
        row = (name, pages, share(pages, numbers.total()), thai_web.DOMAIN_SHARES.get(name.lstrip(".")))
        rows.append(row[: len(columns)])
    caption, chart = "Proportions of web pages in each top-level domain name", Chart("bar", columns[:1], columns[2:])
    return Table("domains", caption, columns, tuple(rows), "Pages fetched.", chart)


def _domain_name(graph: Graph, domain: int) -> str:
    return "." + graph.manifest.domains[domain].lstrip(".")


def _label(code: int) -> str:
    name = name_of(language_name(code))
    return name[:1].upper() + name[1:]
