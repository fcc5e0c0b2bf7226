"""Check a claim against a corpus you trust."""
