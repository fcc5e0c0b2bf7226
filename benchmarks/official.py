"""FEVER and HoVer by their official scores, from one run of the pipeline over each claim.

With gold evidence: claims are judged by their gold sentences. FEVER's claims without any (NOT
ENOUGH INFO) are judged by the first five sentences that were found for them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from feverfew import Checker, Claim, Corpus, Prediction, Ref, Report, Verdict
from feverfew.check.checker import MIN_CONFIDENCE
from feverfew.check.explain import explain, not_checked
from feverfew.check.pipeline import ClaimResult
from feverfew.check.verify import predict
from feverfew.english.checkability import reject_reason
from feverfew.judge import Judge, Judgement, Piece
from feverfew.judge.judge import PIECES
from feverfew.lab.train.datasets import HoverClaim
from feverfew.score import bootstrap, fever_score
from feverfew.score.hover import hover_score
from feverfew.types import Kind
from measure import SAMPLES, interval
from outcomes import BATCH, Case, figures, letter, report_outcomes

__all__ = ["fever_figures", "hover_figures"]


class _Ran(Struct, frozen=True):
    """Stands in for a checker that has run already."""

    results: Sequence[ClaimResult]

    def run(self, claims: Sequence[str]) -> Sequence[ClaimResult]:
        return self.results


def _run(checker: Checker, claims: Sequence[Claim]) -> list[ClaimResult]:
    groups = [claims[start : start + BATCH] for start in range(0, len(claims), BATCH)]
    return [one for own in groups for one in checker.run([claim.text for claim in own])]


def _reports(results: Sequence[ClaimResult]) -> list[Report]:
    """Report as `check` does."""
    return [
        not_checked(one.claim, reason)
        if (reason := reject_reason(one.claim))
        else explain(one, MIN_CONFIDENCE)
        for one in results
    ]


def _judge(
    judge: Judge, claims: Sequence[Claim], pieces: Sequence[Sequence[Piece]]
) -> list[Judgement]:
    found: list[Judgement] = []
    for start in range(0, len(claims), BATCH):
        texts = [claim.text for claim in claims[start : start + BATCH]]
        found += judge.judge(texts, pieces[start : start + BATCH])
    return found


def _pieces(corpus: Corpus, refs: Sequence[Ref]) -> list[Piece]:
    """Look up sentences, as far as the corpus has them."""
    return [
        Piece(ref.page, sentence.text)
        for ref in refs
        if ref.page in corpus
        for sentence in corpus.page(ref.page).sentences
        if (sentence.index,) == ref.position
    ]


def fever_figures(checker: Checker, claims: Sequence[Claim]) -> dict[str, Any]:
    """Measure reports, predictions and labels with gold evidence on FEVER's claims."""
    cases = [
        Case(claim=c.text, gold=letter(c.label), group=c.group, refs=c.evidence) for c in claims
    ]
    results = _run(checker, claims)
    sheet = fever_score(claims, predict(_Ran(results), claims, "fever"))  # type: ignore[arg-type]
    means, around = sheet.means(), bootstrap(sheet, samples=SAMPLES)
    pieces = [
        _pieces(checker.corpus, min(claim.evidence, key=len))
        if claim.evidence
        else [Piece(e.ref.page, e.text) for e in one.evidence if e.ref.kind is Kind.SENTENCE][
            :PIECES
        ]
        for claim, one in zip(claims, results, strict=True)
    ]
    judged = _judge(checker.judge, claims, pieces)
    right = [float(j.verdict is c.label) for j, c in zip(judged, claims, strict=True)]
    return {
        **figures(report_outcomes(checker.corpus, cases, _reports(results))),
        **{
            name: {"value": means[column], "low": around[column].low, "high": around[column].high}
            for name, column in (
                ("label_accuracy", "label_accuracy"),
                ("fever_score", "fever_score"),
                ("top_5", "recall"),
            )
        },
        "with_gold": interval(right, [claim.group for claim in claims]),
    }


def hover_figures(checker: Checker, asked: Sequence[HoverClaim]) -> dict[str, Any]:
    """Measure reports, predictions and labels with gold evidence on HoVer's claims.

    HoVer's labels are meant to be balanced. Here they are not, because claims whose pages are
    missing were left out: official figures are the mean over both labels.
    """
    claims = [_hover_claim(one, checker.corpus) for one in asked]
    cases = [
        Case(claim=c.text, gold="S" if _supported(c) else "X", group=c.group, binary=True)
        for c in claims
    ]
    results = _run(checker, claims)
    said: list[Prediction] = predict(_Ran(results), claims, "hover")  # type: ignore[arg-type]
    sheet = hover_score(claims, said)
    scores, labels = (
        [value or 0.0 for value in sheet.column(name).values]
        for name in ("hover_score", "label_accuracy")
    )
    pieces = [_pieces(checker.corpus, claim.evidence[0]) for claim in claims]
    judged = _judge(checker.judge, claims, pieces)
    right = [
        float((one.probabilities[0] >= 0.5) == _supported(claim))
        for one, claim in zip(judged, claims, strict=True)
    ]
    return {
        **figures(report_outcomes(checker.corpus, cases, _reports(results))),
        "label_accuracy": balanced(claims, labels),
        "hover_score": balanced(claims, scores),
        "with_gold": balanced(claims, right),
        "hover_score_by_pages": {
            str(hops): balanced(
                [claim for claim in claims if claim.hops == hops],
                [score for score, claim in zip(scores, claims, strict=True) if claim.hops == hops],
            )
            for hops in sorted({claim.hops or 0 for claim in claims})
        },
    }


def _hover_claim(claim: HoverClaim, corpus: Corpus) -> Claim:
    """Spell the gold pages as the corpus does."""
    titles = {title: corpus.page(title).title for title in claim.pages}
    refs = tuple(Ref.sentence(titles[title], index) for title, index in claim.facts)
    label = Verdict.SUPPORTED if claim.label == "SUPPORTED" else Verdict.NOT_SUPPORTED
    return Claim(
        id=claim.id,
        text=claim.text,
        label=label,
        evidence=(refs,),
        hops=claim.hops,
        group=claim.question,
    )


def _supported(claim: Claim) -> bool:
    return claim.label is Verdict.SUPPORTED


def balanced(claims: Sequence[Claim], values: Sequence[float]) -> dict[str, float]:
    """Average over both labels alike; intervals redraw groups."""
    place = {group: at for at, group in enumerate(dict.fromkeys(c.group for c in claims))}
    # For each group: sum and count of the supported claims, then of the others.
    sums = np.zeros((len(place), 4))
    for claim, value in zip(claims, values, strict=True):
        side = 0 if _supported(claim) else 2
        sums[place[claim.group], side : side + 2] += (value, 1.0)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(len(place), [1 / len(place)] * len(place), SAMPLES) @ sums
    low, high = np.percentile(_means(drawn), (2.5, 97.5)).tolist()
    return {"value": float(_means(sums.sum(0)[None])[0]), "low": low, "high": high}


def _means(sums: Any) -> Any:
    """Average each label's mean; where a label is absent, the other one counts alone."""
    counts = sums[:, [1, 3]]
    means = np.divide(sums[:, [0, 2]], counts, out=np.zeros_like(counts), where=counts > 0)
    return means.sum(1) / (counts > 0).sum(1)
