"""What pages of real sites have besides text and links: scripts, styles, menus, forms, attributes, comments.

A server has one design, which its pages repeat, as those of content management systems do. The amounts are the means
of 552 real pages of 38 to 96 kB, saved for the tests of programs that find the main text of a page: 67 kB, 123 links,
610 elements with 1.4 attributes each, 26 scripts (14 inline), 23 <meta>, 19 <link>, 17 images, 18 inputs and options,
28 comments, 84 character references; of the characters, 54 % are tags, 17 % scripts, 3 % styles, 3 % comments and 13 %
visible text; gzip leaves 24 %. A design has no links that a crawler would follow: `LinkPlan` alone plans those.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from exonym.practice.chance import mix, mix_of
from exonym.practice.web_languages import word_list

TEXT_SHARE = 0.10  # of a page's bytes: its paragraphs; menus and anchors are the rest of the visible text
MENU_LINKS = 40
_SCRIPT_SHARE, _STYLE_SHARE = 0.17, 0.035
_INLINE_SCRIPTS, _SCRIPT_FILES, _METAS, _LINKS, _COMMENTS, _OPTIONS = 13, 12, 20, 18, 20, 13
_IMAGE_EVERY = 6  # entries
_WORDS = word_list(
    "track push config widget slot layer user session event load async render menu toggle banner consent pixel queue "
    "option module loader ready init scroll cache vendor theme locale region analytics header footer sidebar content "
    "primary secondary wrapper container column grid item inner outer active hidden mobile desktop button icon label"
)
_STATEMENTS = (
    "var {a}_{b}={a}_{b}||[];{a}_{b}.push(['{c}','{n}-{a}']);\n",
    "(function(w,d,s,l,i){{w[l]=w[l]||[];var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;"
    "j.src='//cdn.{a}{b}.example/{c}.js?id='+i;f.parentNode.insertBefore(j,f)}})(window,document,'script','{b}',{n});",
    'window.{a}={{"{b}":{{"{c}":"{n}","{a}Enabled":true,"{b}Timeout":{n},"{c}Path":"\\/{a}\\/{b}\\/{n}"}}}};\n',
    "function {a}{c}(e,t){{if(e&&e.{b}){{for(var i=0;i<e.{b}.length;i++){{t.{c}(e.{b}[i],{n})}}}}return t.{a}||null}}",
    "document.addEventListener('{a}{b}',function(e){{document.querySelector('.{c}-{b}').classList.add('is-{a}')}});\n",
    "if(typeof {a}{b}!=='undefined'){{{a}{b}.{c}({{id:{n},target:'#{b}-{c}',html:'<div class=\"{a}\">{n}</div>'}})}}",
)
_RULE = ".{a}-{b} .{c},.{c}-{b}{{margin:0 0 {n}px;padding:{n}px;color:#{n};background:url(/i/{a}.png)}}\n"
_META = '<meta property="{a}:{b}" content="{c} {a} {n}">\n'
_LINK = (
    '<link rel="stylesheet" id="{a}-css" href="/assets/{b}/{c}/css/{a}.min.css?ver={n}" type="text/css" media="all">\n'
)
_FILE = '<script type="text/javascript" src="/assets/{a}/{b}/js/{c}.min.js?ver={n}" defer="defer"></script>\n'
_OPTION = '<option value="{n}" class="level-{b}">{a}</option>'
_PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)


class SiteDesign(NamedTuple):
    """The parts of a page that all pages of a server repeat."""

    head: str  # inside <head>
    top: str  # before the menu
    bottom: str  # after the content
    style: str  # a class name of the server's own


@lru_cache(maxsize=1_024)
def design_of(server_draw: int, page_bytes: int) -> SiteDesign:
    """The design of a server; its scripts and styles take their shares of a page of `page_bytes`."""
    factor = 0.4 + server_draw % 13 / 10  # one site in three has twice the scripts of another
    script_bytes = int(page_bytes * _SCRIPT_SHARE * factor) // _INLINE_SCRIPTS
    draw = mix_of(server_draw, 0xDE51)
    scripts = [
        f'<script type="text/javascript">\n{_filled(_STATEMENTS, script_bytes, mix_of(draw, number))}\n</script>\n'
        for number in range(_INLINE_SCRIPTS)
    ]
    styles = _filled((_RULE,), int(page_bytes * _STYLE_SHARE * factor), mix_of(draw, 101))
    files = _lines(_FILE, _SCRIPT_FILES, mix_of(draw, 102))
    comments = [f"<!-- {each} -->\n" for each in _lines("/.{a}-{b} .{c} {n} {a}{c}", _COMMENTS, mix_of(draw, 103))]
    head = [*_lines(_META, _METAS, mix_of(draw, 104)), *_lines(_LINK, _LINKS, mix_of(draw, 105))]
    options = "".join(_lines(_OPTION, _OPTIONS, mix_of(draw, 106)))
    form = (
        '<form class="search-form" role="search" method="get" action="/search"><input type="search" name="q" value="" '
        f'placeholder="&hellip;"><select name="cat">{options}</select><button type="submit">&raquo;</button></form>\n'
    )
    icon = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 18h18v-2H3v2zm0-5h18v-2H3z"/></svg>'
    logo = f'<img class="logo" src="{_PICTURE}" width="180" height="60" alt="">'
    top = f'<header class="site-header">\n<a href="#content" class="skip">{icon}</a>{logo}\n{form}</header>\n'
    share = "".join(
        f'<a class="share share-{name}" href="javascript:void(0)" onclick="return share(\'{name}\')">{icon}</a>\n'
        for name in _WORDS[:6]
    )
    inner = [part for pair in zip(scripts[6:], files[6:], strict=False) for part in pair]
    return SiteDesign(
        head="".join([*head, f'<style type="text/css">\n{styles}</style>\n', *scripts[:6], *files[:6], *comments[:6]]),
        top=top + "".join(comments[6:12]),
        bottom=f'<div class="share-bar">{share}</div>\n' + "".join([*comments[12:], *inner, *scripts[12:]]),
        style=_WORDS[draw % len(_WORDS)],
    )


def menu(design: SiteDesign, links: list[str]) -> str:
    """Links as the menu of a site."""
    items = [
        f'<li id="menu-item-{number + 100}" class="menu-item menu-item-type-{design.style} menu-item-{number + 100}">'
        f"{link}</li>\n"
        for number, link in enumerate(links)
    ]
    return f'<nav class="main-navigation" role="navigation"><ul class="nav-menu">\n{"".join(items)}</ul></nav>\n'


def entry(design: SiteDesign, link: str, text: str, draw: int) -> str:
    """A link with its picture, date and first sentence, as the lists of articles of a site show it."""
    style, number, code = design.style, draw % 90_000 + 10_000, f"{draw:016x}"
    image = (
        f'<img class="attachment-{style} size-medium" src="/uploads/{number % 97}/{code}-300x200.jpg" width="300" '
        f'height="200" alt="" loading="lazy" srcset="/uploads/{number % 97}/{code}-300x200.jpg 300w, '
        f'/uploads/{number % 97}/{code}-768x512.jpg 768w" style="max-width:100%">'
        if draw % _IMAGE_EVERY == 0
        else ""
    )
    return (
        f'<div id="post-{number}" class="post-{number} {style}-item type-post category-{code[:5]} entry" '
        f'data-id="{code}">\n    {image}<span class="entry-date" data-time="{mix(draw) >> 24}">{number % 28 + 1}&nbsp;/'
        f'{number % 12 + 1}</span>\n        {link}\n        <p class="entry-summary">{text}</p>\n</div>\n'
    )


def _lines(pattern: str, count: int, draw: int) -> list[str]:
    return list(islice(_endless((pattern,), draw), count))


def _filled(patterns: tuple[str, ...], length: int, draw: int) -> str:
    """About `length` characters of filled patterns."""
    parts, rest = [], length
    for part in _endless(patterns, draw):
        if rest <= 0:
            break
        parts.append(part)
        rest -= len(part)
    return "".join(parts)


def _endless(patterns: tuple[str, ...], draw: int) -> Iterator[str]:
    """The patterns, filled with words and numbers in random order."""
    count = len(_WORDS)
    while True:
        draw = mix(draw)
        words = (_WORDS[(draw >> shift) % count] for shift in (8, 16, 24))
        yield patterns[draw % len(patterns)].format(n=draw >> 32 & 0xFFFF, **dict(zip("abc", words, strict=True)))
