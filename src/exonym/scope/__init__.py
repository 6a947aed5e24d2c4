"""Which addresses a crawl may visit, how many of a server, and how often: rules that a curator writes.

scope_rule   one rule: a verb (drop, keep, limit, delay) and a target (host, domain, URL prefix, SURT, path pattern)
crawl_scope  all rules of a crawl, and what they decide for a URL; later rules win
scope_file   the file `scope.txt` of a crawl directory: read, appended to, imported into

A running crawl obeys changes of the file within seconds. Nothing but `scope_file` opens files.
"""

from exonym.scope.crawl_scope import CrawlScope, ScopeDecision
from exonym.scope.scope_rule import ScopeRule

__all__ = ["CrawlScope", "ScopeDecision", "ScopeRule"]
