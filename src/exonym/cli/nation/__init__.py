"""`exonym nation …`: nations as data: what ships, what is in one, one made for any other country, and its names."""

from exonym.cli.help_text import group_of
from exonym.cli.nation.collect import propose_names
from exonym.cli.nation.evaluate import names_evaluate
from exonym.cli.nation.files import list_nations, make, show_nation
from exonym.cli.nation.review import review_names

app = group_of(
    {
        "list": list_nations,
        "show": show_nation,
        "make": make,
        "collect": propose_names,
        "review": review_names,
        "evaluate": names_evaluate,
    }
)
