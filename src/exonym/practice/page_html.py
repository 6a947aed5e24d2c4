"""Writes the HTML of a practice page: head, menu, lists, running text with links, image maps.

Pages are as untidy as real ones: missing doctypes, wrong `lang` attributes, one long line. Foreign pages have hardly
any letters of the nation's script, since a fiftieth of them is enough to call a page "partly in the language".
"""

from html import escape
from itertools import zip_longest

from exonym.practice.chance import mix, mix_of
from exonym.practice.furnishing import TEXT_SHARE, design_of, entry, menu
from exonym.practice.href_spelling import base_path, spelled, spelled_alike
from exonym.practice.kinds import PageKind, has_base, has_escapes, says_nofollow
from exonym.practice.linking import PageSection, PlannedLink
from exonym.practice.pages import PracticeLink
from exonym.practice.server_profiles import CharsetLabels, Server
from exonym.practice.topical.texts import anchor_of, page_sentences, page_title
from exonym.practice.tree import PagePlace
from exonym.practice.web_facts import WebFacts
from exonym.practice.web_languages import TITLES, VOCABULARIES, language_of, sentence_bytes, six_sentences, titles

FEWEST_SENTENCES = 16
_HEAD_END = "</head><body>"
_LINK_BYTES = 65
_TOPICAL_SENTENCE = 800  # bytes of a page for each one to four sentences
_BETWEEN_LINKS = 2  # sentences of a topical page between links to its own subject and other links
_OWN_WORDS = 19  # of a hundred anchors, those in the language of their page instead of their target
_TERMINAL_ESCAPES = "\x1b[31m\x07\x1b]0;owned\x07"


def title_of(place: PagePlace, tongue: str) -> str:
    """A page's title, with control characters where the page has them."""
    if not tongue:
        return "Welcome" if place.kind == PageKind.FRAMES else ""
    title = _heading(place, tongue)
    return _TERMINAL_ESCAPES + title if has_escapes(place.draw) else title


def _heading(place: PagePlace, tongue: str) -> str:
    if place.server.site and place.subject:
        return page_title(place.server.site, place.subject, place.draw)
    return titles(tongue)[place.draw % TITLES]


def label_of(server: Server, nation_tongue: str) -> str | None:
    """The charset that a server's pages declare, honest or not."""
    if server.labels == CharsetLabels.NONE:
        return None
    if server.labels != CharsetLabels.WRONG:
        return server.charset
    legacy = VOCABULARIES[nation_tongue].legacy
    # Plain English labelled as the nation's charset is a known failure of identifiers.
    return legacy[0] if server.tongue == "en" and legacy else "iso-8859-1"


def text_amount(facts: WebFacts, place: PagePlace, tongue: str, links: int) -> int:
    """The number of sentences of a page: its HTML then has about the wanted size."""
    wanted = facts.options.page_bytes * (60 + (place.draw >> 50) % 81) // 100
    if place.subject:
        # Shorter than other pages, and of more varied length: mostly 100 to 400 words.
        return max(FEWEST_SENTENCES // 2, wanted * (1 + (place.draw >> 58) % 4) // _TOPICAL_SENTENCE)
    if facts.options.furnished:
        return max(FEWEST_SENTENCES, int(wanted * TEXT_SHARE) // sentence_bytes(tongue))
    return max(FEWEST_SENTENCES, (wanted - 250 - links * _LINK_BYTES) // sentence_bytes(tongue))


def spelled_links(facts: WebFacts, place: PagePlace, planned: list[PlannedLink]) -> list[PracticeLink]:
    """The links of a text page with anchors and hrefs."""
    tongue = facts.linking.tongue(place) or "en"
    nation = facts.tree.nation_tongue
    letters = text_amount(facts, place, tongue, len(planned)) * sentence_bytes(tongue)
    room = letters if tongue == nation else letters // 250
    links = []
    for number, link in enumerate(planned):
        draw = mix_of(place.draw, number + 0xA0)
        anchor, used = _anchor(facts, link, tongue, draw, room)
        room -= used
        target = facts.url(link.node)
        is_image = link.section == PageSection.AREA or (link.section == PageSection.INLINE and draw >> 60 == 0)
        is_alike = facts.options.furnished
        href = spelled_alike(place, target) if is_alike else spelled(place, target, draw >> 8)
        links.append(PracticeLink(target, link.node, anchor, href, link.section, link.is_nofollow, is_image))
    return links


def _anchor(facts: WebFacts, link: PlannedLink, tongue: str, draw: int, room: int) -> tuple[str, int]:
    """An anchor, and how many of the `room` letters in the nation's script it takes."""
    if link.section < PageSection.MENU:
        return "", 0
    if link.node >= facts.page_count:
        return titles(tongue)[draw % TITLES], 0
    place = facts.tree.place(link.node)
    own = place.directory.tongue
    if place.server.site and place.subject and (tongue == "en" or draw % 100 >= _OWN_WORDS):
        return anchor_of(place.server.site, place.subject, place.draw, draw), 0
    if own == tongue or draw % 100 < _OWN_WORDS:
        return titles(tongue)[place.draw % TITLES], 0
    text = titles(own)[place.draw % TITLES]
    if own != facts.tree.nation_tongue:
        return text, 0
    return (text, len(text)) if len(text) <= room else (titles(tongue)[place.draw % TITLES], 0)


def frameset(facts: WebFacts, place: PagePlace, links: list[PracticeLink]) -> str:
    """A home page that is only frames; its title is the only text."""
    frames = "\n".join(f'<frame src="{escape(link.href)}" name="f{i}">' for i, link in enumerate(links))
    columns = ",".join(["*"] * len(links))
    return (
        f"<html><head>{_meta_charset(facts, place)}<title>{title_of(place, '')}</title></head>\n"
        f'<frameset cols="{columns}">\n{frames}\n</frameset></html>\n'
    )


def document(facts: WebFacts, place: PagePlace, links: list[PracticeLink]) -> str:
    """The HTML of a text page."""
    tongue = facts.linking.tongue(place)
    if facts.options.furnished:
        return _furnished(facts, place, tongue, links)
    line = "" if place.draw % 16 == 0 else "\n"  # some pages are one very long line
    parts = [_head(facts, place, tongue, links), f"<h1>{_heading(place, tongue)}</h1>"]
    menu = [_link_html(link) for link in links if link.section == PageSection.MENU]
    listed = [f"<li>{_link_html(link)}</li>" for link in links if link.section == PageSection.LISTED]
    inline = [_link_html(link) for link in links if link.section == PageSection.INLINE]
    areas = [_link_html(link) for link in links if link.section == PageSection.AREA]
    parts.append(f'<div class="menu">{" | ".join(menu)}</div>')
    if listed:
        parts += ["<ul>", *listed, "</ul>"]
    amount = text_amount(facts, place, tongue, len(links))
    if place.server.site and place.subject:
        own = sum(facts.linking.is_alike(place, link.node) for link in links if link.section == PageSection.INLINE)
        parts += _topical_paragraphs(place, amount, (inline[:own], inline[own:]))
    else:
        parts += _paragraphs(_sentences(place, tongue, amount), amount, inline)
    if areas:
        parts += ['<img src="/map.gif" usemap="#m" alt=""><map name="m">', *areas, "</map>"]
    parts.append("</body></html>")
    return line.join(parts)


def _furnished(facts: WebFacts, place: PagePlace, tongue: str, links: list[PracticeLink]) -> str:
    """The HTML of a page with the design of its server."""
    design = design_of(place.server.draw, facts.options.page_bytes)
    shown = [link for link in links if PageSection.MENU <= link.section < PageSection.AREA]
    in_menu = [_link_html(link) for link in shown if link.section == PageSection.MENU]
    others = [_link_html(link) for link in shown if link.section != PageSection.MENU]
    areas = [_link_html(link) for link in links if link.section == PageSection.AREA]
    head = _head(facts, place, tongue, links)
    sentences = _sentences(place, tongue, text_amount(facts, place, tongue, len(links)))
    paragraphs = [f"<p>{''.join(sentences[at : at + 3])}</p>\n" for at in range(len(others), len(sentences), 3)]
    entries = [
        entry(design, link, sentence, mix_of(place.draw, number + 0xE0))
        for number, (link, sentence) in enumerate(zip_longest(others, sentences[: len(others)], fillvalue=""))
    ]
    return "".join([
        head.removesuffix(_HEAD_END), design.head, _HEAD_END, design.top, menu(design, in_menu),
        f'<main id="content" class="content-area {design.style}"><h1>{_heading(place, tongue)}</h1>\n',
        *paragraphs, *entries, '<img src="/map.gif" usemap="#m" alt=""><map name="m">', *areas, "</map>\n</main>\n",
        design.bottom, "</body></html>",
    ])  # fmt: skip


def _head(facts: WebFacts, place: PagePlace, tongue: str, links: list[PracticeLink]) -> str:
    chance = mix_of(place.draw, 7) % 10
    lang = f' lang="{language_of(tongue)}"' if chance < 3 else ' lang="en"' if chance == 3 else ""
    parts = [("<!DOCTYPE html>\n" if chance % 2 else "") + f"<html{lang}><head>{_meta_charset(facts, place)}"]
    parts.append(f"<title>{title_of(place, tongue)}</title>")
    if place.position and says_nofollow(place.draw):
        parts.append('<meta name="robots" content="noindex,nofollow">')
    if has_base(place.draw):
        parts.append(f'<base href="{place.server.origin}{base_path(place)}">')
    for link in links:
        if link.section == PageSection.REFRESH:
            parts.append(f'<meta http-equiv="refresh" content="5; url={escape(link.href)}">')
        elif link.section == PageSection.NEXT:
            parts.append(f'<link rel="next" href="{escape(link.href)}">')
    return "".join(parts) + _HEAD_END


def _meta_charset(facts: WebFacts, place: PagePlace) -> str:
    if place.server.labels not in (CharsetLabels.META, CharsetLabels.BOTH):
        return ""
    label = label_of(place.server, facts.tree.nation_tongue)
    if place.server.draw % 2:
        return f'<meta charset="{label}">'
    return f'<meta http-equiv="Content-Type" content="text/html; charset={label}">'


def _link_html(link: PracticeLink) -> str:
    href = link.href.replace("&", "&amp;")
    if link.section == PageSection.AREA:
        return f'<area shape="rect" coords="0,0,9,9" href="{href}" alt="{link.anchor}">'
    rel = ' rel="nofollow"' if link.is_nofollow else ""
    inside = f'<img src="/button.gif" alt="{link.anchor}">' if link.is_image else link.anchor
    return f'<a href="{href}"{rel}>{inside}</a>'


def _sentences(place: PagePlace, tongue: str, amount: int) -> list[str]:
    chosen, draw = list[str](), place.draw
    while len(chosen) < amount:
        draw = mix(draw)
        chosen += six_sentences(tongue, draw)
    return chosen


def _topical_paragraphs(place: PagePlace, amount: int, inline: tuple[list[str], list[str]]) -> list[str]:
    """Running text of a topical page: its names first, then links to its own subject, and apart from these others."""
    assert place.server.site is not None
    assert place.subject is not None
    before, among = page_sentences(place.server.site, place.subject, place.draw, amount)
    own, others = inline
    gap = min(_BETWEEN_LINKS, len(among))
    cut = (len(among) - gap) * len(own) // max(1, len(own) + len(others))
    return [
        f"<p>{''.join(before)}</p>",
        *_paragraphs(among[:cut], cut, own),
        f"<p>{''.join(among[cut : cut + gap])}</p>",
        *_paragraphs(among[cut + gap :], len(among) - cut - gap, others),
    ]


def _paragraphs(chosen: list[str], amount: int, inline: list[str]) -> list[str]:
    """Running text with links at even distances."""
    step = max(1, amount // (len(inline) + 1))
    parts, start = [], 0
    for link in inline:
        # On a page with many links no sentences are left for the last ones.
        before, after = chosen[start : start + step - step // 2], chosen[start + step - step // 2 : start + step]
        parts.append(f"<p>{''.join(before)}{link} {''.join(after)}</p>")
        start += step
    if start < amount:
        parts.append(f"<p>{''.join(chosen[start:amount])}</p>")
    return parts
