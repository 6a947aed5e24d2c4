"""Finding a nation's names in text: exactly, by sound, and in scripts without spaces."""
