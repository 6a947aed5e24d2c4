"""The figures that Somboonviwat, Tamura and Kitsuregawa published about the Thai web, and where they contradict."""

PAPER = "Somboonviwat, Tamura, Kitsuregawa: Finding Thai Web Pages in Foreign Web Spaces"  # its longer version

PAGES, NODES, LINKS, SERVERS = 13_999_847, 39_078_797, 123_836_342, 668_934
RELEVANT = 1_706_238

DOMAIN_SHARES = {"com": 0.464, "jp": 0.110, "th": 0.082, "de": 0.067, "net": 0.062, "org": 0.057}

# Table 2: Thai pages and others, by what the paper's identifier took them for.
ASSIGNED_AS_THAI, ASSIGNED_AS_OTHERS = (764, 71), (50, 1_115)

# Table 3: Thai, English, other, unknown.
LANGUAGES = ("Thai", "English", "other", "unknown")
LANGUAGES_BY_DOMAIN = {
    "th": (588_082, 344_679, 25_841, 182_957),
    "com": (903_792, 1_199_555, 130_767, 4_251_728),
    "net": (70_777, 158_065, 27_979, 612_909),
    "other": (143_587, 784_461, 292_502, 4_282_166),
}

# Table 4: share of links that lead to Thai pages, by source and by where they lead.
LOCALITY = {
    ("Thai", "all"): 0.713,
    ("Thai", "same domain"): 0.830,
    ("Thai", "different domain"): 0.307,
    ("Thai", "same server"): 0.841,
    ("Thai", "different server"): 0.385,
    ("non-Thai", "all"): 0.031,
    ("non-Thai", "same domain"): 0.023,
    ("non-Thai", "different domain"): 0.062,
    ("non-Thai", "same server"): 0.030,
    ("non-Thai", "different server"): 0.032,
}
# Of these, how many links lead to Thai pages.
LOCALITY_LINKS = {("Thai", "all"): 27_542_015, ("non-Thai", "all"): 1_760_768}

# Table 5: share of links that lead to Thai pages, by source and anchor.
ANCHORS = {
    ("Thai", "Thai"): 0.811,
    ("Thai", "non-Thai"): 0.660,
    ("non-Thai", "Thai"): 0.026,
    ("non-Thai", "non-Thai"): 0.027,
}
ANCHOR_LINKS = {  # of these, how many lead to Thai pages
    ("Thai", "Thai"): 9_090_883,
    ("Thai", "non-Thai"): 20_328_096,
    ("non-Thai", "Thai"): 73_328,
    ("non-Thai", "non-Thai"): 1_787_553,
}

# Figures 2 and 3: the text has these distances, and words.
CRAWL_RADIUS = 7  # links from the seeds
FARTHEST = 10  # links from the nearest other Thai page

CONTRADICTIONS = (
    "Tables 4 and 5 do not count the same links: 27,542,015 / 71.3 % + 1,760,768 / 3.1 % are 95.4 M, the four rows of "
    "Table 5 111.0 M; of links from Thai pages 71.3 % lead to Thai pages in Table 4 and 70.0 % in Table 5, of others "
    "3.1 % and 2.7 %. Generated webs match Table 4 and come near Table 5.",
    "Table 5 counts more links than can lead to crawled pages: each of the 25,078,950 uncrawled pages takes one of the "
    "123,836,342 links, which leaves 98.8 M. Here both tables count links between crawled pages.",
    "46.4 % of the pages are said to be in .com; Table 3 has 6,485,842 of 13,999,847, which is 46.3 %.",
    "Shares of links within a server and within a domain are not published. They follow from Table 4's ratios, but for "
    "non-Thai sources 3.0, 3.1 and 3.2 % are rounded so that nearly any share within a server would fit.",
    "The crawl is said to have ended 7 links from the front pages of three Thai sites (Figure 2). If these are Thai, "
    "no page can be more than 7 links from the nearest Thai one, but Figure 3 has a Thai page at distance 10. In "
    "generated webs some pages are more than 7 links from the seeds.",
    "If the numbers of Figure 3 fell by one factor from distance 1 on, and the farthest of 1,706,238 pages was at "
    "distance 10, the factor was about 1,706,238^(-1/10) = 0.24, and 24 % of the Thai pages were not linked from other "
    "Thai pages. But LSWC with T = 1, which follows only links on Thai pages, found almost all. In generated webs "
    "2.6 % are not, and one factor holds from distance 2 on.",
)
