"""`exonym seeds …`: addresses to begin a crawl with, from directories, tables, archives, services and web graphs."""

from exonym.cli.help_text import group_of
from exonym.cli.seeds.files import csv, dmoz, sitemap, warc
from exonym.cli.seeds.graphs import hits
from exonym.cli.seeds.online import commoncrawl, wikidata

app = group_of(
    {
        "dmoz": dmoz,
        "csv": csv,
        "sitemap": sitemap,
        "warc": warc,
        "wikidata": wikidata,
        "commoncrawl": commoncrawl,
        "hits": hits,
    }
)
