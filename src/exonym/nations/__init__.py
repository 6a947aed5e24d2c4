"""Nations as data: the features by which a country's web is recognised.

`nation` has the types, `shipped` the nations that come with Exonym, `nation_file` reads nation files (`file_checks` has
the rules) and `file_writing` writes them. `make` makes a nation from installed packages (`gazetteer`, `short_forms`).
`country` looks up the country of an IP address. `matching` finds names in text, `dictionary` collects names from wikis
and has people review them.

Judges, models, strategies and commands read nations from here.
"""

from exonym.nations.nation import Language, Name, Nation
from exonym.nations.nation_file import load_nation, with_names
from exonym.nations.shipped import shipped_codes

__all__ = ["Language", "Name", "Nation", "load_nation", "shipped_codes", "with_names"]
