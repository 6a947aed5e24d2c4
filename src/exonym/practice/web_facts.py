"""All facts about the pages of a practice web, computed without writing their HTML."""

from exonym.batches import Outcome
from exonym.practice.chance import mix_of
from exonym.practice.extra_pages import Extra
from exonym.practice.kinds import TEXT_KINDS, PageKind, says_nofollow, says_nofollow_in_header
from exonym.practice.linking import LinkPlan, PageSection, PlannedLink
from exonym.practice.server_profiles import Server, Sitemaps
from exonym.practice.servers import PORTALS, Role, build_table
from exonym.practice.topical.subjects import GENERAL, NO_TRUTH, PageTruth
from exonym.practice.tree import PagePlace, TreeOfPages, pages_in
from exonym.practice.web_languages import language_of
from exonym.practice.web_options import PracticeOptions, check_options

_STATUS = {PageKind.MISSING: 404, PageKind.GONE: 410, PageKind.BROKEN: 500, PageKind.LOOP: 302}
_REDIRECT_STATUS = (301, 302, 301, 302, 303, 307, 308, 301)
_LONGEST_SITEMAP = 500
_READABLE_ROBOTS = (200, 500)  # 500 is the answer to the first request only


class WebFacts:
    """Places, links, outcomes and relevance of the pages of one web."""

    def __init__(self, seed: int, pages: int, options: PracticeOptions) -> None:
        check_options(pages, options)
        self.options = options
        self.page_count = pages
        self.tree = TreeOfPages(seed, build_table(seed, pages, options), options)
        self.linking = LinkPlan(self.tree)
        self.extras = self.linking.extras
        self.seeds = tuple(self.tree.table.starts[:PORTALS])

    def url(self, node: int) -> str:
        """The URL of a page id or an extra's number, in normal form."""
        if node < self.page_count:
            return self.tree.url(node)
        extra = self.extras.extra(node)
        return extra.server.origin + extra.path

    def links(self, place: PagePlace) -> list[PlannedLink]:
        """The links of a page; for a redirect, its target."""
        if place.kind in (PageKind.REDIRECT, PageKind.LOOP):
            return [PlannedLink(self.redirect_target(place), PageSection.INLINE)]
        return self.linking.plan(place)

    def redirect_target(self, place: PagePlace) -> int:
        """Where a redirect leads: to its directory, the next page (which makes chains), a portal, or itself."""
        if place.kind == PageKind.LOOP:
            return place.page
        chance = (place.draw >> 24) % 8
        if chance == 0:
            return self.seeds[(place.draw >> 28) % PORTALS]
        following = place.page + 1
        is_chained = chance < 3 and following in pages_in(place.server, place.directory.number)
        return following if is_chained else place.page - place.position

    def extra_links(self, extra: Extra) -> list[int]:
        """Where an extra leads: a redirect to its target, a month to its server's home page and the next month."""
        following = self.extras.next(extra)
        nodes = [] if following is None else [following]
        return [extra.server.start, *nodes] if extra.is_month else nodes

    def is_dead(self, place: PagePlace) -> bool:
        """Whether the page's server never answers."""
        return place.server.role == Role.DEAD

    def is_forbidden(self, place: PagePlace) -> bool:
        """Whether robots.txt forbids crawlers to fetch the page."""
        is_disallowed = place.directory.is_forbidden and place.server.robots_status in _READABLE_ROBOTS
        return is_disallowed or place.server.role == Role.CLOSED

    def is_forbidden_page(self, page: int) -> bool:
        """The same for a page id; quick where the server forbids nothing."""
        server = self.tree.server(self.tree.table.server_of(page))
        if server.role == Role.CLOSED:
            return True
        return server.disallows and self.is_forbidden(self.tree.place(page))

    def is_relevant(self, place: PagePlace) -> bool:
        """Whether a crawler that fetches the page finds text in the nation's language, in any of its tongues."""
        if self.is_dead(place) or self.is_forbidden(place):
            return False
        return language_of(self.linking.tongue(place)) == language_of(self.tree.nation_tongue)

    def truth(self, place: PagePlace) -> PageTruth:
        """What a page is about and in which language, in a web with topics."""
        language = language_of(self.linking.tongue(place))
        if not self.options.topics or not language or self.is_dead(place) or self.is_forbidden(place):
            return NO_TRUTH
        subject = self.original(place).subject
        return PageTruth(subject.topic, subject.about, language) if subject else PageTruth(GENERAL, "", language)

    def says_nofollow(self, place: PagePlace) -> bool:
        """Whether the page asks crawlers not to follow any of its links."""
        place = self.original(place)
        if not place.position or place.kind not in TEXT_KINDS:
            return False
        return says_nofollow(place.draw) or says_nofollow_in_header(place.draw)

    def original(self, place: PagePlace) -> PagePlace:
        """The page that a copy repeats; any other page itself."""
        return self.tree.place(place.page - 1) if place.kind == PageKind.COPY else place

    def status(self, place: PagePlace) -> int:
        """The HTTP status of the (final) response; 0 if there is no response."""
        if self.is_dead(place):
            return 0
        if place.kind == PageKind.REDIRECT:
            return _REDIRECT_STATUS[mix_of(place.draw, 3) % len(_REDIRECT_STATUS)]
        return _STATUS.get(place.kind, 200)

    def outcome(self, place: PagePlace) -> Outcome:
        """How a visit of the page ends."""
        if self.is_forbidden(place):
            return Outcome.FORBIDDEN
        status = self.status(place)
        if 300 <= status < 400:
            return Outcome.REDIRECT
        return Outcome.PAGE if status == 200 else Outcome.FAILED

    def sitemap_pages(self, server: Server) -> list[int]:
        """The pages that a server's sitemaps name: those that a crawler may fetch, in order."""
        if (
            server.sitemaps == Sitemaps.NONE
            or server.robots_status not in _READABLE_ROBOTS
            or server.role in (Role.DEAD, Role.CLOSED)
        ):
            return []
        places = (self.tree.place(page) for page in range(server.start, server.start + server.size))
        fine = [place.page for place in places if self.status(place) == 200 and not place.directory.is_forbidden]
        return fine[:_LONGEST_SITEMAP]
