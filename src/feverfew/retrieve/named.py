"""Retrievers by name, as the command line and worker processes choose them."""

from collections.abc import Callable

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.retrieve.base import Retriever
from feverfew.retrieve.hops import Hops
from feverfew.retrieve.lexical import Lexical
from feverfew.retrieve.ranked import Ranked
from feverfew.retrieve.titles import Titles

__all__ = ["RETRIEVERS", "open_retriever"]

RETRIEVERS: dict[str, Callable[[Corpus], Retriever]] = {
    "ranked": Ranked.open,
    "hops": Hops.open,
    "lexical": Lexical,
    "titles": Titles,
}


def open_retriever(name: str, corpus: Corpus) -> Retriever:
    """Open a retriever by its name."""
    if name not in RETRIEVERS:
        raise InputError(f"no retriever {name!r}; there are {', '.join(RETRIEVERS)}")
    return RETRIEVERS[name](corpus)
