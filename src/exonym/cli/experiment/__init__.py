"""`exonym experiment …`: the experiments of the papers, and one of ours, each one command."""

from exonym.cli.experiment.adaptive import adaptive
from exonym.cli.experiment.haprc import haprc
from exonym.cli.experiment.language_crawls import cjk2010, compare, lswc2006
from exonym.cli.experiment.tflswc2014 import tflswc2014
from exonym.cli.help_text import group_of

app = group_of(
    {
        "lswc2006": lswc2006,
        "cjk2010": cjk2010,
        "compare": compare,
        "haprc": haprc,
        "tflswc2014": tflswc2014,
        "adaptive": adaptive,
    }
)
