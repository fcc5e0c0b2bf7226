"""One directory on disk that holds pages, their titles and their full text."""

from feverfew.corpus.corpus import Corpus
from feverfew.corpus.layout import Manifest, Summary

__all__ = ["Corpus", "Manifest", "Summary"]
