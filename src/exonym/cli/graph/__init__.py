"""`exonym graph …`: web graphs, which simulations run on and analyses are made of."""

from exonym.cli.graph.analyse import analyse
from exonym.cli.graph.generate import check, generate
from exonym.cli.graph.import_graph import import_graph
from exonym.cli.graph.judge import judge
from exonym.cli.graph.show import export, show
from exonym.cli.help_text import group_of

app = group_of(
    {
        "import": import_graph,
        "judge": judge,
        "generate": generate,
        "check": check,
        "analyse": analyse,
        "show": show,
        "export": export,
    }
)
