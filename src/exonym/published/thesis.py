"""The figures that Suebchua's thesis (2014) prints for its experiments."""

from typing import NamedTuple

PAPER = "Suebchua: Thai-related Foreign-language Specific Web Crawler"


class PublishedTopic(NamedTuple):
    """The figures for one topic."""

    name: str
    figure: int  # the number of the figure with harvest rates: curves without numbers
    thresholds: dict[float, tuple[float, float, float]]  # Table 3: harvest rate, coverage, F-measure
    relevant: int  # Table 4: links to relevant segments
    irrelevant: int
    g_mean: float


TOPICS = {
    "tourism": PublishedTopic(
        *("Thai-tourism", 12),
        thresholds={
            0.25: (0.948, 0.916, 0.932),
            0.5: (0.966, 0.906, 0.935),
            0.75: (0.984, 0.864, 0.920),
            1.0: (0.995, 0.760, 0.862),
        },
        relevant=9_550,
        irrelevant=33_669,
        g_mean=0.873,
    ),
    "estate": PublishedTopic(
        *("Thai-estate", 13),
        thresholds={
            0.25: (0.911, 0.855, 0.882),
            0.5: (0.917, 0.851, 0.883),
            0.75: (0.980, 0.754, 0.852),
            1.0: (0.991, 0.704, 0.823),
        },
        relevant=1_900,
        irrelevant=10_710,
        g_mean=0.886,
    ),
    "diving": PublishedTopic(
        *("Thai-diving", 14),
        thresholds={
            0.25: (0.938, 0.937, 0.938),
            0.5: (0.978, 0.912, 0.944),
            0.75: (0.985, 0.898, 0.939),
            1.0: (0.995, 0.660, 0.794),
        },
        relevant=1_120,
        irrelevant=4_467,
        g_mean=0.856,
    ),
}

# Tables 5 to 7: the ratio of links between segments that lead to relevant ones, for each of TOPICS in their order.
SEGMENT_LINKS = {
    "relevant website segment": (0.8235, 0.5939, 0.6247),
    "irrelevant website segment": (0.0046, 0.2201, 0.0673),
    "names found in anchor": (0.8373, 0.6342, 0.6910),
    "no names found in anchor": (0.3755, 0.4814, 0.3929),
    "names found in URL": (0.9198, 0.8041, 0.8145),
    "no names found in URL": (0.3681, 0.4581, 0.4070),
}
