"""FEVEROUS's page search (Aly et al., 2021): entities that are titles, then first sentences.

Names of the claim that are titles come first; where they are fewer than k, pages whose first
sentence is nearest to the claim by TF-IDF follow. No tagger is used: capitalised names stand in
for entities.
"""

from collections.abc import Sequence

from feverfew.retrieve import Candidate, Retriever
from feverfew.text import display_title
from feverfew.types import Page

__all__ = ["EntityPages", "first_sentence"]


def first_sentence(page: Page) -> str:
    """Return what is compared of a page: its title, and the first sentence that says anything."""
    said = next((sentence.text for sentence in page.sentences if sentence.text), "")
    return f"{display_title(page.title)}\n{said}"


class EntityPages:
    """Retrieves the pages that a claim names, then those that another retriever finds."""

    def __init__(self, named: Retriever, others: Retriever) -> None:
        self._named, self._others = named, others

    def retrieve(self, claims: Sequence[str], k: int) -> list[list[Candidate]]:
        """Return k pages for each claim; no page twice."""
        named = self._named.retrieve(claims, k)
        others = self._others.retrieve(claims, k)
        return [_first(first, second, k) for first, second in zip(named, others, strict=True)]


def _first(named: Sequence[Candidate], others: Sequence[Candidate], k: int) -> list[Candidate]:
    known = {page.number for page in named}
    return [*named, *(page for page in others if page.number not in known)][:k]
