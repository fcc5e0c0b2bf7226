"""What a system found, as predictions: pages, or sentences, before any verdict."""

from collections.abc import Sequence
from typing import TypeVar

from feverfew.lab.papers.experiment import System
from feverfew.retrieve import Candidate
from feverfew.types import Claim, Evidence, Prediction, Verdict

__all__ = ["above", "of_evidence", "of_pages"]

Scored = TypeVar("Scored", Candidate, Evidence)


def above(system: System, found: Sequence[Scored]) -> list[Scored]:
    """Keep what scores more than a system asks for; all, where it asks for nothing."""
    return [one for one in found if not system.above or one.score > system.above]


def of_pages(claim: Claim, pages: Sequence[Candidate]) -> Prediction:
    """Name pages."""
    titles = tuple(page.title for page in pages)
    return Prediction(id=claim.id, label=Verdict.NOT_ENOUGH_INFO, pages=titles)


def of_evidence(claim: Claim, evidence: Sequence[Evidence]) -> Prediction:
    """Cite sentences."""
    refs = tuple(piece.ref for piece in evidence)
    return Prediction(id=claim.id, label=Verdict.NOT_ENOUGH_INFO, evidence=refs)
