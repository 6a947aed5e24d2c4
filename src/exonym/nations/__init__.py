"""Nations as data: what a country's web is recognised by."""

from exonym.nations.listing import shipped_codes
from exonym.nations.loading import load_nation, with_names
from exonym.nations.nation import Language, Name, Nation

__all__ = ["Language", "Name", "Nation", "load_nation", "shipped_codes", "with_names"]
