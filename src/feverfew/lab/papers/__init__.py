"""The papers' own systems: DrQA's retrieval, TF-IDF selection, the MLP, decomposable attention."""
