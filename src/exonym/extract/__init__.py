"""HTML to a Document: text, links and facts of a page. Pure functions of bytes, without I/O.

`html.extract` is the entry. `charset` decodes (with `charset_labels`, names of charsets, and `charset_signs`,
heuristics on bytes); `elements` reads the elements that link or describe the page; `url_joining` makes URLs of hrefs;
`page_links` makes columns of links; `visible_text` has the text, the anchors and the words around links; `content_kind`
decides whether a reply is HTML at all; `document` defines the result. Untrusted pages are read through `readers`, which
adds judging and limits; anything may use a Document.
"""
