"""Exonym collects a nation's web, wherever it is hosted and in whatever language it is written."""

from exonym.version import __version__

__all__ = ["__version__"]
