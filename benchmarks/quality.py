"""FEVER's claims for retrieval: which are asked, and how often their gold pages are found."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feverfew.readers.claims import read_claims
from feverfew.readers.files import open_bytes
from feverfew.score import Metric, bootstrap, fever_score
from feverfew.score.join import composed
from feverfew.score.retrieval import retrieval_sheet
from feverfew.types import Claim, Prediction, Verdict
from measure import SAMPLES

__all__ = ["DEPTHS", "NEEDED", "Question", "page_recall", "print_recall", "questions", "recalls"]

DEPTHS = (5, 10, 20)
NEEDED = (
    "wiki/intros.jsonl.xz",
    "fever/dev.jsonl.gz",
    "fever/train_claims.jsonl.gz",
    "fever/train_pairs.jsonl.gz",
)
"""The files of the data folder that are read."""


class Question(Struct, frozen=True):
    """A claim with gold pages, and the slices that it belongs to."""

    claim: Claim
    unseen: bool
    """None of its gold pages occurs in the claims that the ranker was trained on."""
    exact: bool
    """Its gold sentences are certain."""
    full_pages: bool
    """The corpus has the whole introductions of its gold pages."""
    one_page: bool
    """Some gold set lies on a single page."""


def questions(data: Path) -> list[Question]:
    """Read the supported and refuted claims of fever/dev."""
    trained = set(map(composed, _trained_pages(data)))
    marks = {row["id"]: row for row in _rows(data / NEEDED[1])}
    found: list[Question] = []
    for claim in read_claims(data / NEEDED[1], "fever"):
        if claim.label is Verdict.NOT_ENOUGH_INFO or not claim.evidence:
            continue
        sets = [{composed(ref.page) for ref in refs} for refs in claim.evidence]
        own = marks[claim.id]
        found.append(
            Question(
                # Claims about one page are right and wrong together, so they are redrawn together.
                replace(claim, group=composed(claim.evidence[0][0].page)),
                trained.isdisjoint({title for titles in sets for title in titles}),
                bool(own.get("exact")),
                bool(own.get("full_pages")),
                any(len(pages) == 1 for pages in sets),
            )
        )
    return found


def _trained_pages(data: Path) -> Iterable[str]:
    for row in _rows(data / NEEDED[2]):
        yield from row["pages"]
    for row in _rows(data / NEEDED[3]):
        yield row["page"]


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(json.loads, lines)


SLICES: dict[str, Callable[[Question], bool]] = {
    "all": lambda question: True,
    "full_pages": lambda question: question.full_pages,
    "one page": lambda question: question.one_page,
    "several pages": lambda question: not question.one_page,
}


def recalls(
    asked: Sequence[Question], answers: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, Any]:
    """Score every system's rankings on every slice of the unseen claims.

    → {"all": {"claims": 4020, "systems": {"ranked": {"5": {"value": …}, …}}}, …}
    """
    found: dict[str, Any] = {}
    for name, belongs in SLICES.items():
        places = [i for i, q in enumerate(asked) if q.unseen and belongs(q)]
        claims = [asked[i].claim for i in places]
        if claims:
            found[name] = {
                "claims": len(claims),
                "groups": len({claim.group for claim in claims}),
                "systems": {
                    system: page_recall(claims[:answered], [ranked[i] for i in places[:answered]])
                    for system, ranked in answers.items()
                    # A slow one was asked only the first claims.
                    if (answered := bisect_left(places, len(ranked)))
                },
            }
    return found


def page_recall(
    claims: Sequence[Claim], ranked: Sequence[Sequence[str]], depths: Sequence[int] = DEPTHS
) -> dict[str, dict[str, float]]:
    """Return, by depth, the share of claims with one complete gold set among the first pages."""
    said = [
        Prediction(id=claim.id, label=claim.label or Verdict.SUPPORTED, pages=tuple(pages))
        for claim, pages in zip(claims, ranked, strict=True)
    ]
    # The scorer joins by id and composes accents on both sides.
    metrics = {k: Metric.parse(f"DocumentSupport@{k}") for k in depths}
    sheet = retrieval_sheet(fever_score(claims, said).pairs, metrics.values())
    means, around = sheet.means(), bootstrap(sheet, samples=SAMPLES)
    return {
        str(k): {"value": means[str(m)], "low": around[str(m)].low, "high": around[str(m)].high}
        for k, m in metrics.items()
    }


def print_recall(recall: dict[str, Any]) -> None:
    """Print each slice's systems in one line each."""
    for name, part in recall.items():
        for system, found in part["systems"].items():
            shares = (
                f"@{k} {100 * f['value']:.1f} ({100 * f['low']:.1f}–{100 * f['high']:.1f})"
                for k, f in found.items()
            )
            print(f"{name:14}{part['claims']:6} claims  {system:10}", *shares)
