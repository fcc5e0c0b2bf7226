"""Making what is shipped, and the papers' own systems: nothing here is needed to check a claim."""
