"""The page for people: read with or without scripts, safe whatever a corpus holds."""
