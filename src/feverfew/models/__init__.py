"""Networks at work: the encoder and the small ones, and how their weights are kept."""
