"""From a claim to the pages that may settle it."""

from feverfew.retrieve.base import Candidate, Retriever
from feverfew.retrieve.batch import Batch
from feverfew.retrieve.hops import Hops
from feverfew.retrieve.lexical import Lexical
from feverfew.retrieve.ranked import Ranked
from feverfew.retrieve.titles import Titles

__all__ = ["Batch", "Candidate", "Hops", "Lexical", "Ranked", "Retriever", "Titles"]
