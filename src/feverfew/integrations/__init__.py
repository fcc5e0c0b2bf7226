"""Feverfew within other programs: tests, notebooks, and agents that call tools."""
