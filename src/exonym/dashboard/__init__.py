"""The dashboard: crawls as web pages, for people who watch and steer them, and an HTTP API for programs.

served_crawls  the crawls that are shown, each with its index of visits, which is kept up to date
controls       starting, pausing and stopping a crawl, and raising its limits
curation       what a curator overrules: rules of the scope, labels of pages
operations      one operation of the API, and the OpenAPI description made of all of them
api_operations  every operation
web_pages      the pages for people, made by the templates
live_events    what changes on a page while a crawl runs (server-sent events)
access         who may ask: names of hosts, origins, tokens; and the headers that keep pages harmless
dashboard_app  all of it as one ASGI application
web_server     the application on a port of this machine

The dashboard reads crawl directories and writes the files that a running crawl obeys. It is never a part of a crawl's
process, so that looking cannot harm a crawl.
"""
