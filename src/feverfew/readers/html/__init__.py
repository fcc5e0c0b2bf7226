"""Saved HTML pages, of wikis and of any other site."""
