"""From a claim to the pages that may decide it."""

from feverfew.retrieve.batch import Batch
from feverfew.retrieve.hops import Hops
from feverfew.retrieve.retrievers import Candidate, Lexical, Ranked, Retriever, Titles

__all__ = ["Batch", "Candidate", "Hops", "Lexical", "Ranked", "Retriever", "Titles"]
