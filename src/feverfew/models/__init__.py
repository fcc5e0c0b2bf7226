"""Inference: the encoder, the small networks, and their weight files."""
