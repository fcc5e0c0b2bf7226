"""Models that feverfew ships, small, each with how it was made."""
