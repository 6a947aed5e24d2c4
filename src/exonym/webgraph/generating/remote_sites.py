"""Remote sites: servers whose relevant pages can be reached over irrelevant pages only (Figure 3 of the Thai paper).

The way to a remote site begins on a relevant page elsewhere. It may lead over foreign servers, which have no relevant
pages; then it leads over the first pages of the site, its front page at least. All relevant pages of the site hang on
the last page of the way, as those of a site with frames hang on its menu. The numbers of relevant pages fall by the
same factor from each distance to the next; they are set, not drawn, so that small webs have the same shape.
"""

from dataclasses import dataclass

import numpy as np

from exonym.batches import Flags, Integers
from exonym.webgraph.generating.profile import Servers
from exonym.webgraph.ragged import spans

_LARGEST = 50  # pages of a remote or foreign server
_MOST_INSIDE = 3  # pages of a way on its site: the paper saw distances up to 4 mostly within one server
_FAR = 0.25  # the part of the pages on remote sites that are on the farthest ones
_INSIDE = 0.7  # the chance that another of these pages is on the site: the paper's "frequently", as a guess


@dataclass(frozen=True, slots=True, eq=False)
class RemoteSites:
    """Servers by number. The way to servers[i] leads over outside[i] foreign servers and inside[i] of its own pages."""

    servers: Integers
    inside: Integers
    outside: Integers
    foreign: Integers
    level: Integers  # of each foreign server: how many pages the way to its front page has, itself included
    has_front_door: Flags  # of each remote site: whether its pages on the way are English

    @property
    def on_the_way(self) -> Integers:
        """Remote sites, then foreign servers."""
        return np.concatenate([self.servers, self.foreign])

    def english_pages(self, starts: Integers) -> Integers:
        """The pages of ways that lead over front doors, as far as they are on the sites; the smallest number first."""
        return np.sort(spans(starts[self.servers], self.inside)[np.repeat(self.has_front_door, self.inside)])

    def open_fronts(self, starts: Integers) -> Integers:
        """The front pages that relevant pages elsewhere link to."""
        fronts: Integers = starts[np.concatenate([self.servers[self.outside == 0], self.foreign[self.level == 1]])]
        return fronts


def draw_remote_sites(sizes: Integers, relevant: Integers, servers: Servers, rng: np.random.Generator) -> RemoteSites:
    """Choose remote sites from the servers with `sizes` pages, `relevant` of them relevant, and set the ways there."""
    is_small = (sizes <= _LARGEST) & (relevant > 0) & (relevant < sizes)
    is_small[np.argmax(relevant)] = False  # the ways begin on other servers
    sites = rng.permutation(np.flatnonzero(is_small))
    sites = sites[np.cumsum(relevant[sites]) <= round(servers.remote * int(relevant.sum()))]
    # The farthest sites are those with the fewest relevant pages: one with many would leave gaps in the tail.
    sites = sites[np.argsort(relevant[sites], kind="stable")]
    far = np.cumsum(relevant[sites]) <= _FAR * int(relevant[sites].sum())
    sites = np.concatenate([rng.permutation(sites[~far]), sites[far][::-1]])
    lengths = _lengths(relevant[sites], servers)
    inside = np.minimum(1 + rng.binomial(np.minimum(lengths, _MOST_INSIDE) - 1, _INSIDE), (sizes - relevant)[sites])
    outside = lengths - inside
    strangers = rng.permutation(np.flatnonzero((sizes <= _LARGEST) & (relevant == 0)))
    levels = np.arange(1, int(outside.max(initial=0)) + 1)
    level = np.repeat(levels, [np.count_nonzero(outside >= each) for each in levels])
    if len(level) > len(strangers):  # in small or odd webs
        outside, level = np.zeros_like(outside), level[:0]
    has_front_door = rng.random(len(sites)) < servers.front_doors
    return RemoteSites(sites, inside, outside, strangers[: len(level)], level, has_front_door)


def _lengths(relevant: Integers, servers: Servers) -> Integers:
    """How many irrelevant pages the way to each site has.

    With the factor f and m pages on the longest way, the share of relevant pages behind l pages or more is
    (f^(l - 1) - f^m) / (1 - f^m). A site is placed by the middle of its pages.
    """
    fall, most = servers.remote_fall, servers.farthest - 1
    ends = np.cumsum(relevant)
    left = 1 - (ends - relevant / 2) / max(1, int(relevant.sum()))
    lengths = 1 + np.floor(np.log(left * (1 - fall**most) + fall**most) / np.log(fall))
    whole: Integers = np.clip(lengths, 1, most).astype(np.int64)
    return whole
