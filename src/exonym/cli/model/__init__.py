"""`exonym model topic|about|links|prior|table|language …`: train models, look into them, and try them."""

from exonym.cli.help_text import group_of
from exonym.cli.model.about import train_about
from exonym.cli.model.language_evaluate import evaluate
from exonym.cli.model.language_practice_pages import practice_pages
from exonym.cli.model.language_train import train_profiles
from exonym.cli.model.links import read_link, show_segments
from exonym.cli.model.links_train import train_segments
from exonym.cli.model.links_tune import threshold
from exonym.cli.model.prior_train import train_prior_of
from exonym.cli.model.table import build, show
from exonym.cli.model.table_judge import judge_pages
from exonym.cli.model.topic import judge_topic, show_topic
from exonym.cli.model.topic_train import train_topic

_topic = group_of(
    {"train": train_topic, "show": show_topic, "judge": judge_topic}, "Topic models: whether a page is on a topic."
)
_about = group_of({"train": train_about}, "Thresholds: how many of its names make a page one about a nation.")
_links = group_of(
    {"train": train_segments, "show": show_segments, "judge": read_link, "tune": threshold},
    "Link models: whether the segment that a link leads to is relevant.",
)
_prior = group_of({"train": train_prior_of}, "Priors: what the strategy adaptive knows before its first page.")
_table = group_of(
    {"train": build, "show": show, "judge": judge_pages}, "Weight tables (HAPRC): a topic as terms with weights."
)
_language = group_of(
    {"train": train_profiles, "evaluate": evaluate, "practice-pages": practice_pages},
    "Language profiles: which language a text is in.",
)

app = group_of(
    {"topic": _topic, "about": _about, "links": _links, "prior": _prior, "table": _table, "language": _language}
)
