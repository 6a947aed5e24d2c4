"""Topics of a practice web: English sites about tourism, estate, diving and other things, in Thailand and elsewhere."""
