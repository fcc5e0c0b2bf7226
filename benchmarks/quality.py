"""How often the pages that settle a claim are among the first few: claims, slices, intervals."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
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

__all__ = ["DEPTHS", "NEEDED", "Question", "Recall", "questions", "recalls"]

DEPTHS = (5, 10, 20)
NEEDED = ("wiki/intros.jsonl.xz", "fever/dev.jsonl.gz", *(
    f"fever/{name}.jsonl.gz" for name in ("train_claims", "train_pairs")
))  # fmt: skip
"""The files of the data folder that the benchmark reads."""


class Question(Struct, frozen=True):
    """A claim with a gold set of pages, and what slices it belongs to."""

    claim: Claim
    unseen: bool
    """None of its gold pages occurs in the claims that the ranker was trained on."""
    full_pages: bool
    one_page: bool
    """Some gold set lies on a single page."""


class Recall(Struct, frozen=True):
    """The share of claims with one complete gold set among the first pages."""

    value: float
    low: float
    high: float


def questions(data: Path) -> list[Question]:
    """Read the S/R claims of fever/dev, each marked with its slices."""
    trained = set(map(composed, _trained_pages(data)))
    full = {row["id"]: bool(row.get("full_pages")) for row in _rows(data / NEEDED[1])}
    found: list[Question] = []
    for claim in read_claims(data / NEEDED[1], "fever"):
        if claim.label is Verdict.NOT_ENOUGH_INFO or not claim.evidence:
            continue
        sets = [{composed(ref.page) for ref in refs} for refs in claim.evidence]
        # Claims about one page are right and wrong together, so they are redrawn together.
        grouped = replace(claim, group=composed(claim.evidence[0][0].page))
        unseen = trained.isdisjoint(set.union(*sets))
        one_page = any(len(pages) == 1 for pages in sets)
        found.append(Question(grouped, unseen, full[claim.id], one_page))
    return found


def _trained_pages(data: Path) -> Iterable[str]:
    for row in _rows(data / NEEDED[2]):
        yield from row["pages"]
    for row in _rows(data / NEEDED[3]):
        yield row["page"]


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    with open_bytes(path) as lines:
        yield from map(json.loads, lines)


SLICES = {
    "all": lambda question: True,
    "full_pages": lambda question: question.full_pages,
    "one page": lambda question: question.one_page,
    "several pages": lambda question: not question.one_page,
}


def recalls(
    asked: Sequence[Question], answers: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, Any]:
    """Score every system's rankings on every slice of the unseen claims.

    → {"all": {"claims": 4020, "pages": …, "systems": {"ranked": {"5": Recall, …}}}, …}
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
                    system: _recall(claims[:answered], [ranked[i] for i in places[:answered]])
                    for system, ranked in answers.items()
                    # One that is slow was asked the first claims only.
                    if (answered := bisect_left(places, len(ranked)))
                },
            }
    return found


def _recall(claims: Sequence[Claim], ranked: Sequence[Sequence[str]]) -> dict[str, Recall]:
    said = [
        Prediction(id=claim.id, label=claim.label or Verdict.SUPPORTED, pages=tuple(pages))
        for claim, pages in zip(claims, ranked, strict=True)
    ]
    # The scorer joins by id and composes accents on both sides.
    pairs = fever_score(claims, said).pairs
    metrics = {k: Metric.parse(f"DocumentSupport@{k}") for k in DEPTHS}
    sheet = retrieval_sheet(pairs, metrics.values())
    means, around = sheet.means(), bootstrap(sheet, samples=4_000)
    return {
        str(k): Recall(means[str(m)], around[str(m)].low, around[str(m)].high)
        for k, m in metrics.items()
    }
