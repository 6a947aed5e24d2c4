"""Nations as data: what a country's web is recognised by."""

from exonym.nations.file import load_nation, with_names
from exonym.nations.nation import Language, Name, Nation
from exonym.nations.shipped import shipped_codes

__all__ = ["Language", "Name", "Nation", "load_nation", "shipped_codes", "with_names"]
