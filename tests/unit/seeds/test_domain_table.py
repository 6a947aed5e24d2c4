"""The table of checked seeds by top-level domain and language."""

from exonym.seeds.domain_table import NO_PAGE, OTHER, PARTLY, domain_table

# Table 1 of Chan and Yamana (2010): Chinese, Japanese and Korean pages of each top-level domain.
TABLE_1 = {
    "com & net": (24_851, 56_256, 1_975),
    "cn": (11_937, 40, 1),
    "tw": (6_220, 573, 16),
    "jp": (147, 118_729, 14),
    "kr": (61, 68, 3_246),
}
LANGUAGES = ("zh", "ja", "ko")
DOMAINS = ("com", "net", "cn", "tw", "jp", "kr")


def test_counts_of_the_paper_give_the_papers_table() -> None:
    by_domain: dict[tuple[str, str], int] = {}
    for domain, counts in TABLE_1.items():
        for language, count in zip(LANGUAGES, counts, strict=True):
            if domain == "com & net":  # any division of the sum
                by_domain["com", language], by_domain["net", language] = count - 100, 100
            else:
                by_domain[domain, language] = count
    table = domain_table(by_domain, LANGUAGES, DOMAINS)
    assert table.columns[:4] == ("domain", "Chinese", "Japanese", "Korean")
    assert {row[0]: row[1:4] for row in table.rows[:-1]} == TABLE_1
    assert [row[0] for row in table.rows] == [*TABLE_1, "Total"]
    assert table.rows[-1][1:] == (43_216, 175_666, 5_252, 0, 0, 0, 43_216 + 175_666 + 5_252)


def test_everything_that_was_fetched_is_in_one_cell() -> None:
    by_domain = {("th", "th"): 3, ("th", PARTLY): 2, ("", OTHER): 1, ("com", NO_PAGE): 4, ("net", "th"): 5}
    table = domain_table(by_domain, ["th"], ["la"])
    assert table.rows == (
        ("la", 0, 0, 0, 0, 0),
        ("com & net", 5, 0, 0, 4, 9),
        ("th", 3, 2, 0, 0, 5),
        ("bare address", 0, 0, 1, 0, 1),
        ("Total", 8, 2, 1, 4, 15),
    )


def test_both_scripts_of_chinese_are_one_language() -> None:
    table = domain_table({("tw", "zh"): 2}, ["zh-Hant", "zh-Hans"])
    assert (table.columns[:3], table.rows[0][:3]) == (("domain", "Chinese", "partly"), ("tw", 2, 0))
