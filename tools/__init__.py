"""Tools for people who work on Feverfew; none of them is installed with it."""
