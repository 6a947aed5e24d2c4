"""The nations that a practice web can be about, and the words and domains of its host names."""

from dataclasses import dataclass

from exonym.practice.web_languages import word_list


@dataclass(frozen=True, slots=True)
class PracticeNation:
    """A nation's tongue, and the domains of its servers, the commonest first."""

    tongue: str
    domains: tuple[str, ...]


NATIONS: dict[str, PracticeNation] = {
    "th": PracticeNation("th", ("co.th", "in.th", "ac.th", "or.th", "go.th")),
    "jp": PracticeNation("ja", ("co.jp", "jp", "ne.jp", "ac.jp", "or.jp")),
    "kr": PracticeNation("ko", ("co.kr", "kr", "or.kr", "ac.kr", "go.kr")),
    "cn": PracticeNation("zh", ("com.cn", "cn", "net.cn", "edu.cn", "gov.cn")),
    "tw": PracticeNation("tw", ("com.tw", "tw", "org.tw", "edu.tw", "gov.tw")),
    "de": PracticeNation("de", ("de",)),
    "fr": PracticeNation("fr", ("fr", "asso.fr")),
    "vn": PracticeNation("vi", ("com.vn", "vn", "edu.vn", "gov.vn")),
}

# The tongues of twenty foreign servers in turn; `SPARE_TONGUE` replaces the nation's own.
FOREIGN_TONGUES = word_list("en ja de en zh ko en fr ja en tw en vi de en zh ja en ko fr")
SPARE_TONGUE = "th"

# Two thirds of Thai pages are not under .th: so three of ten national servers are under the nation's own domains.
DOMAIN_PATTERN = word_list("com own com net com own org com own com")
FOREIGN_DOMAINS = {
    "en": word_list("com com org net com co.uk edu info com org"),
    "ja": word_list("jp co.jp ne.jp com jp or.jp net co.jp jp com"),
    "ko": word_list("co.kr kr com or.kr co.kr net kr com co.kr kr"),
    "zh": word_list("com.cn cn com net.cn cn com.cn net com cn com.cn"),
    "tw": word_list("com.tw tw com org.tw com.tw net tw com.tw tw com"),
    "de": word_list("de de com de net de org de de com"),
    "fr": word_list("fr fr com fr net fr org fr fr com"),
    "vi": word_list("vn com.vn com vn net com.vn vn com com.vn vn"),
    "th": word_list("co.th com in.th com net co.th com or.th com org"),
}

HOST_WORDS = word_list("""
sabai siam lanna baan mango lotus orchid jade tiger elephant river ocean sunny happy smart blue green golden silver east
west north south city village island market travel food music game book photo home garden health sport news daily world
asia pacific star moon cloud rain bamboo silk temple harbor bridge tower metro micro media digital online portal forum
club center group plus land house works lab hub zone corner""")
SLUGS = word_list("""
news travel food music game book photo home garden health sport culture history science school market shop forum guide
story event photo-gallery archive press media report letter member product service project review article notes diary
recipe map weather job club team art film family pets cars money law""")
