"""The doors for other programs: HTTP and the Model Context Protocol, with keys and batching."""
