"""Links of a small made-up web, for tests of link models."""

import numpy as np

from exonym.models.links.features import LinkTexts
from exonym.models.links.link_reader import ReadOptions
from exonym.models.terms import TermOptions
from exonym.training.links.link_examples import LinkExamples

READING = ReadOptions(("Pattaya", "Thailand", "Koh Samui"), terms=TermOptions("en"))

_WORDS = np.array(["hotel", "ferry", "market", "recipe", "engine", "football", "novel", "garden", "museum", "bridge"])
_OF_TOPIC = np.array(["diving", "snorkel", "reef", "beach"])


def pooled(examples: LinkExamples, most: int = 4) -> LinkExamples:
    """The same links as those of fewer pairs, each of 1 to `most` links; places and classes are those of the first."""
    lengths = np.resize(np.arange(1, most + 1), len(examples))
    lengths = lengths[: np.searchsorted(np.cumsum(lengths), len(examples), side="right")]
    first = np.cumsum(lengths) - lengths
    of_link = np.repeat(first, lengths)
    urls, anchors, around, *places = (column[: len(of_link)] for column in examples.texts)
    servers = [urls[at].split("/")[2] for at in of_link.tolist()]
    urls = [f"http://{server}/{url.split('/', 3)[3]}" for server, url in zip(servers, urls, strict=True)]
    texts = LinkTexts(urls, anchors, around, *([column[at] for at in of_link.tolist()] for column in places))
    columns = (examples.degrees[first], examples.relevant[first], examples.sites[first])
    return LinkExamples(texts, *columns, lengths=lengths)


def made_examples(count: int = 400, seed: int = 0, sites: int = 40) -> LinkExamples:
    """Every feature says something of the target, none of them all; sites are of one class mostly."""
    chance = np.random.default_rng(seed)
    of_site = chance.integers(0, sites, count)
    relevant = chance.random(count) < np.where(np.arange(sites) % 4 == 0, 0.8, 0.1)[of_site]

    def drawn(for_it: float, against: float) -> list[bool]:
        return [bool(one) for one in chance.random(count) < np.where(relevant, for_it, against)]

    words = [" ".join(chance.choice(_WORDS, 6)) for _ in range(count)]
    anchors = [f"{chance.choice(_OF_TOPIC)} trip" if topical else "click here" for topical in drawn(0.6, 0.2)]
    around = [f"{text} in Thailand" if named else text for text, named in zip(words, drawn(0.6, 0.1), strict=True)]
    paths = [
        "koh-samui/" if named else f"{text.split()[0]}/" for text, named in zip(words, drawn(0.5, 0.05), strict=True)
    ]
    domains = ["co.th" if thai else "com" for thai in drawn(0.4, 0.1)]
    urls = [f"http://s{site}.{domain}/{path}" for site, domain, path in zip(of_site, domains, paths, strict=True)]
    texts = LinkTexts(
        urls=urls,
        anchors=anchors,
        around=around,
        source_domains=["th" if thai else "com" for thai in drawn(0.5, 0.2)],
        source_countries=["TH" if thai else "" for thai in drawn(0.5, 0.2)],
        countries=["TH" if thai else "US" for thai in drawn(0.5, 0.1)],
    )
    degrees = np.clip(chance.normal(np.where(relevant, 0.7, 0.4), 0.3), 0, 1)
    return LinkExamples(texts, degrees, relevant, of_site.astype(np.int64))
