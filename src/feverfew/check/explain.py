"""From a judgement to a report that says what it rests on, and why."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from feverfew.check.chain import broken, chain_of
from feverfew.check.evidence_graph import reasoning_of
from feverfew.english.checks import checks
from feverfew.judge import VERDICTS, Judgement, Probabilities, SelectedEvidence, likeliest
from feverfew.text import display_title
from feverfew.types import Evidence, Finding, Hop, OpenReason, Ref, Report, Verdict

__all__ = ["ClaimResult", "consistent", "explain", "not_checked", "whole"]

_SURE = 0.5
"""A piece speaks for itself if it is likelier than not to matter and to say so."""
_NEAR = 0.85
"""And says it about as strongly as the one that says it best."""
_MOST = 3
"""Pieces shown where none settles the claim alone."""
_NEAREST = 5
"""Pieces whose pages are told of where the claim is left open."""
_SAY = {Verdict.SUPPORTED: "supports", Verdict.REFUTED: "refutes"}


class ClaimResult(Struct, frozen=True):
    """A statement, what was found for it, and what that says."""

    claim: str
    chosen: SelectedEvidence
    judgement: Judgement
    seconds: dict[str, float]
    ways: dict[str, Hop] = {}
    """Where pages were found in rounds: how each was reached that the claim does not name."""
    settles: tuple[int, ...] = ()
    """Where pieces were judged together: those that say the verdict."""
    pages: tuple[str, ...] = ()
    """Where pages were found in rounds: all that were ranked, best first."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The pieces it was judged by, best first."""
        return tuple(self.chosen.evidence)


def consistent(looked: ClaimResult) -> list[int]:
    """Return which pieces the verdict rests on, best first; none where the claim is open."""
    verdict = looked.judgement.verdict
    if verdict is Verdict.NOT_ENOUGH_INFO:
        return []
    return sorted(looked.settles) or leaning(looked, verdict)


def leaning(looked: ClaimResult, verdict: Verdict) -> list[int]:
    """Return the pieces that say a verdict alone; if none does, those that lean to it most."""
    speaking = _speaking(looked.judgement, verdict)
    if speaking:
        return speaking
    own, other = (0, 1) if verdict is Verdict.SUPPORTED else (1, 0)
    alone, matters = looked.judgement.alone, looked.judgement.relevance
    lean = [at for at, said in enumerate(alone) if said[own] >= said[other]]
    lean.sort(key=lambda at: -matters[at])
    return sorted(lean[:_MOST]) or [0]


def explain(looked: ClaimResult, decisive: Collection[int]) -> Report:
    """Write the report of one statement."""
    judgement = looked.judgement
    verdict = judgement.verdict
    rests_on = consistent(looked)
    opposite = _OPPOSITE.get(verdict)
    speaking = _speaking(judgement, opposite) if opposite else []
    # What is needed together with others may well seem to say the opposite alone.
    against = [at for at in speaking if at not in rests_on]
    why = _why(looked) if verdict is Verdict.NOT_ENOUGH_INFO else None
    if why is OpenReason.CONFLICT:
        rests_on = _speaking(judgement, Verdict.SUPPORTED)
        against = _speaking(judgement, Verdict.REFUTED)
    pieces = [looked.evidence[at] for at in rests_on] or looked.evidence[:_NEAREST]
    chain = chain_of(pieces, looked.ways)
    return Report(
        claim=looked.claim,
        verdict=verdict,
        probabilities=_named(judgement.probabilities),
        evidence=tuple(_finding(looked, at, at in decisive) for at in rests_on),
        sets=_sets(looked, verdict, rests_on),
        against=tuple(_finding(looked, at, False) for at in against),
        considered=looked.evidence,
        open_reason=why,
        missing=broken(looked.claim, looked.evidence)
        if why is OpenReason.SILENT and looked.settles
        else "",
        reasons=_reasons(looked, verdict, why, rests_on),
        seconds=looked.seconds,
        chain=chain,
        reasoning=reasoning_of(pieces, chain) if looked.settles else None,
    )


def not_checked(claim: str, reason: str) -> Report:
    """Report on what is no statement: a question, an opinion, nothing at all."""
    return Report(
        claim=claim,
        verdict=Verdict.NOT_ENOUGH_INFO,
        probabilities=_named((0.0, 0.0, 1.0)),
        open_reason=OpenReason.NOT_A_CLAIM,
        reasons=(f"This is {reason}.",),
    )


def whole(claim: str, parts: Sequence[Report]) -> Report:
    """Conclude from the parts: all must be supported, and one that is refuted refutes.

    It is as likely as the part that decides it.
    """
    verdicts = [part.verdict for part in parts]
    why, missing = None, ""
    if Verdict.REFUTED in verdicts:
        verdict = Verdict.REFUTED
    elif all(one is Verdict.SUPPORTED for one in verdicts):
        verdict = Verdict.SUPPORTED
    else:
        verdict = Verdict.NOT_ENOUGH_INFO
        left = [part for part in parts if part.verdict is verdict]
        why = OpenReason.PARTLY if len(left) < len(parts) else left[0].open_reason
        missing = " ".join(part.claim for part in left) if why is OpenReason.PARTLY else ""
    bearing = [part for part in parts if part.verdict is verdict]
    # All must hold to support, so the weakest part decides; one is enough for anything else.
    choose = min if verdict is Verdict.SUPPORTED else max
    deciding = choose(bearing, key=lambda part: part.probabilities[verdict])
    return Report(
        claim=claim,
        verdict=verdict,
        probabilities=deciding.probabilities,
        evidence=tuple(finding for part in bearing for finding in part.evidence),
        sets=_joined(bearing, verdict),
        against=tuple(finding for part in bearing for finding in part.against),
        considered=tuple(piece for part in parts for piece in part.considered),
        open_reason=why,
        missing=missing,
        reasons=tuple(f"{part.claim} {part.verdict}." for part in parts),
        parts=tuple(parts),
        seconds={
            step: sum(part.seconds.get(step, 0.0) for part in parts) for step in parts[0].seconds
        },
        chain=tuple(dict.fromkeys(hop for part in parts for hop in part.chain)),
    )


def _joined(bearing: Sequence[Report], verdict: Verdict) -> tuple[tuple[Ref, ...], ...]:
    """Sets that settle the whole: one part's suffices to refute, all are needed to support."""
    if verdict is Verdict.REFUTED:
        return tuple(refs for part in bearing for refs in part.sets)
    if verdict is Verdict.SUPPORTED:
        return (tuple(ref for part in bearing for ref in (part.sets or ((),))[0]),)
    return ()


_OPPOSITE = {Verdict.SUPPORTED: Verdict.REFUTED, Verdict.REFUTED: Verdict.SUPPORTED}


def _named(shares: Probabilities) -> dict[Verdict, float]:
    total = sum(shares)
    return {verdict: share / total for verdict, share in zip(VERDICTS, shares, strict=True)}


def _speaking(judgement: Judgement, verdict: Verdict) -> list[int]:
    """Return the pieces that say it by themselves."""
    own = VERDICTS.index(verdict)
    strength = [
        said[own] * matters
        for said, matters in zip(judgement.alone, judgement.relevance, strict=True)
    ]
    least = max(_SURE, _NEAR * max(strength, default=0.0))
    return [at for at, strong in enumerate(strength) if strong >= least]


def _why(looked: ClaimResult) -> OpenReason:
    if not looked.evidence:
        return OpenReason.NO_PAGE
    judgement = looked.judgement
    if _speaking(judgement, Verdict.SUPPORTED) and _speaking(judgement, Verdict.REFUTED):
        return OpenReason.CONFLICT
    return OpenReason.SILENT


def _finding(looked: ClaimResult, at: int, decisive: bool) -> Finding:
    alone = looked.judgement.alone[at]
    return Finding.of(
        piece=looked.evidence[at],
        says=likeliest(alone),
        probabilities=_named(alone),
        decisive=decisive,
    )


def _sets(
    looked: ClaimResult, verdict: Verdict, rests_on: Sequence[int]
) -> tuple[tuple[Ref, ...], ...]:
    """Each piece that speaks for itself is a set; otherwise all of them are one."""
    if verdict is Verdict.NOT_ENOUGH_INFO:
        return ()
    refs = [looked.evidence[at].ref for at in rests_on]
    if not looked.settles and _speaking(looked.judgement, verdict):
        return tuple((ref,) for ref in refs)
    return (tuple(refs),)


def _reasons(
    looked: ClaimResult, verdict: Verdict, why: OpenReason | None, rests_on: Sequence[int]
) -> tuple[str, ...]:
    titles = list(dict.fromkeys(display_title(piece.ref.page) for piece in looked.evidence))
    near = ", ".join(titles[:3])
    if why is OpenReason.NO_PAGE:
        return ("No page shares a name or a telling word with the claim.",)
    if why is OpenReason.SILENT:
        return (f"The nearest pages do not say: {near}.",)
    if why is OpenReason.CONFLICT:
        return ("Some sentences support the claim, others refute it.",)
    pages = list(dict.fromkeys(display_title(looked.evidence[at].ref.page) for at in rests_on))
    reasons = [
        f"{' and '.join(pages[:2])} {_SAY[verdict] if len(pages) == 1 else _SAY[verdict][:-1]} it."
    ]
    for at in rests_on[:1]:
        piece = looked.evidence[at]
        for check in checks(looked.claim, f"{display_title(piece.ref.page)}. {piece.text}"):
            if check.agrees is (verdict is Verdict.SUPPORTED):
                reasons.append(check.reason)
    return tuple(dict.fromkeys(reasons))
