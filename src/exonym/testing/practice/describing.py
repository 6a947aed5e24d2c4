"""A practice web in a few lines for people, with what to write into crawl.toml to crawl it."""

from exonym.testing.practice.web import PracticeWeb


def describe(web: PracticeWeb, address: str = "127.0.0.1:PORT") -> list[str]:
    """Lines that say what the web is and how to crawl it."""
    domains = sorted({name.rpartition(".")[2] for name in web.servers})
    seeds = ", ".join(f'"{url}"' for url in web.seeds())
    return [
        f"Practice web {web.seed}: {web.page_count:,} pages on {len(web.servers):,} servers",
        f"Top-level domains: {' '.join('.' + domain for domain in domains)}",
        f"Languages: {' '.join(web.languages)}; the nation's is {web.language}",
        f"Served on {address} for every host name; what was asked: http://practice.invalid/_stats",
        "To crawl it, write into crawl.toml:",
        "",
        "[seeds]",
        f"urls = [{seeds}]",
        "",
        "[target]",
        f'languages = ["{web.language}"]',
        "",
        "[network]",
        f'connect_to = "{address}"',
    ]
