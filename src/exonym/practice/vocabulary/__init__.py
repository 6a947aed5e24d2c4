"""Common words of the practice web's languages, one file a language."""
