"""Make datasets: labelled claims out of the sentences of any corpus."""
