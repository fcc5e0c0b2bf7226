"""Ask for verdicts on labelled claims, and summarise how far they can be trusted."""

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from feverfew import Corpus, Judge, Ref, Report, Verdict
from feverfew.judge import VERDICTS, LabelPolicy, Probabilities
from feverfew.score.fever import covers
from measure import ece, interval

__all__ = [
    "BATCH",
    "Case",
    "Outcome",
    "contradicts",
    "draw",
    "figures",
    "judge_cases",
    "letter",
    "report_outcomes",
    "two_way",
]

BATCH = 32
SURE = 0.8
"""How likely a verdict must be to count as sure."""
WORDS = re.compile(r"\w+")


class Case(Struct, frozen=True, kw_only=True):
    """A claim with its gold label: S, R, N, or X for "not supported"."""

    claim: str
    gold: str
    group: str
    """Intervals redraw groups: a page, a document, a question."""
    binary: bool = False
    """Whether its set only knows "supported" and "not supported"."""
    texts: tuple[str, ...] = ()
    """The evidence to judge by, where it is given."""
    refs: tuple[tuple[Ref, ...], ...] = ()
    snippets: tuple[tuple[str, str], ...] = ()
    """Gold evidence: alternative sets of ids, or (document, text)."""


class Outcome(Struct, frozen=True):
    """The answer to a case."""

    case: Case
    said: str
    shares: Probabilities
    cited_right: bool | None = None
    contradicts: bool | None = None

    @property
    def right(self) -> bool:
        return self.said in ("RN" if self.case.gold == "X" else self.case.gold)

    @property
    def sure(self) -> float:
        """The probability of what was said."""
        if self.case.binary:
            return self.shares[0] if self.said == "S" else 1 - self.shares[0]
        return self.shares["SRN".index(self.said)]


def letter(label: Verdict | None) -> str:
    """Abbreviate a verdict: S, R or N."""
    return "SRN"[VERDICTS.index(label or Verdict.NOT_ENOUGH_INFO)]


def draw(cases: Sequence[Any], most: int, group: Callable[[Any], str]) -> list[Any]:
    """Draw about `most` cases, whole groups together, and always the same ones."""
    names = sorted({group(case) for case in cases})
    random.Random(1).shuffle(names)
    place = {name: at for at, name in enumerate(names)}
    ordered = sorted(cases, key=lambda case: place[group(case)])
    if len(ordered) > most:
        last = group(ordered[most - 1])
        ordered = [case for case in ordered if place[group(case)] <= place[last]]
    return ordered


# --- asking ---------------------------------------------------------------------------------


def judge_cases(judge: Judge, cases: Sequence[Case]) -> list[Outcome]:
    """Judge claims by the texts that come with them."""
    found = []
    for start in range(0, len(cases), BATCH):
        group = cases[start : start + BATCH]
        judged = judge.judge_texts([(case.claim, case.texts) for case in group])
        found += [
            Outcome(case, letter(one.verdict), one.probabilities)
            for case, one in zip(group, judged, strict=True)
        ]
    return found


def report_outcomes(
    corpus: Corpus, cases: Sequence[Case], reports: Sequence[Report]
) -> list[Outcome]:
    """Compare reports with what is known of their claims."""
    found = []
    for case, report in zip(cases, reports, strict=True):
        supported, refuted, neither = (report.probabilities.get(v, 0.0) for v in VERDICTS)
        one = Outcome(case, letter(report.verdict), (supported, refuted, neither))
        decided = one.right and report.verdict is not Verdict.NOT_ENOUGH_INFO
        right = cites_rightly(corpus, case, report) if decided else None
        found.append(Outcome(case, one.said, one.shares, right, contradicts(report)))
    return found


def contradicts(report: Report) -> bool:
    """Say whether nothing cited says the verdict, or something says the opposite more strongly."""
    if report.verdict is Verdict.NOT_ENOUGH_INFO:
        return False
    if report.parts:
        return any(contradicts(part) for part in report.parts)
    opposite = VERDICTS[1 - VERDICTS.index(report.verdict)]
    own = [f.probabilities.get(report.verdict, 0.0) for f in report.evidence
           if f.says is report.verdict]  # fmt: skip
    if not own and any(len(refs) > 1 for refs in report.sets):
        own = [report.probabilities[report.verdict]]  # a set says so, read together
    others = [f.probabilities.get(opposite, 0.0) for f in (*report.evidence, *report.against)
              if f.says is opposite]  # fmt: skip
    return not own or max(others, default=0.0) > max(own)


def cites_rightly(corpus: Corpus, case: Case, report: Report) -> bool | None:
    """Say whether gold evidence is cited; None where none is known."""
    if case.refs:
        refs = [ref for one in report.evidence for ref in (one.ref, *one.cells)]
        refs += [ref for one in report.sets for ref in one]
        return covers(tuple(refs), case.refs)
    if not case.snippets:
        return None
    cited = [finding for finding in report.evidence if finding.says is report.verdict]
    return any(
        Path(corpus.page(finding.ref.page).source).name == document and overlaps(finding.text, text)
        for finding in cited or report.evidence
        for document, text in case.snippets
    )


def overlaps(cited: str, gold: str) -> bool:
    """Say whether a cited text is (part of) the gold one, or of the same row of a table."""
    if gold.startswith("TABLE:"):
        return True  # a computation over the whole table: any of its cells will do
    own, wanted = (set(WORDS.findall(text.casefold())) for text in (cited, gold))
    if not own or not wanted:
        return False
    if gold.count(",") >= 2 and " " not in gold.replace(", ", ""):  # a row of a CSV file
        return gold.split(",")[0].casefold() in cited.casefold()
    shared = len(own & wanted)
    return shared >= 0.5 * len(wanted) or shared >= 0.5 * len(own)


# --- the figures ----------------------------------------------------------------------------


def share(outcomes: Sequence[Outcome], hits: Sequence[Any]) -> dict[str, float] | None:
    """Return a share with its interval, redrawing groups; None of nothing."""
    if not outcomes:
        return None
    return {**interval([float(hit) for hit in hits], [one.case.group for one in outcomes]),
            "of": len(hits)}  # fmt: skip


def two_way(outcomes: Sequence[Outcome], policy: LabelPolicy) -> dict[str, float] | None:
    """Score as if every claim were supported or refuted: the likelier of the two counts."""
    supports, refutes, _ = policy.weights
    said = [one.shares[0] * supports >= one.shares[1] * refutes for one in outcomes]
    gold = [one.case.gold == "S" for one in outcomes]
    return share(outcomes, [own == true for own, true in zip(said, gold, strict=True)])


def figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Summarise a set."""

    def among(kept: Callable[[Outcome], bool], hit: Callable[[Outcome], Any]) -> Any:
        own = [one for one in outcomes if kept(one)]
        return share(own, [hit(one) for one in own])

    return {
        "claims": len(outcomes),
        "accuracy": among(lambda _: True, lambda one: one.right),
        **{
            gold: share(own, [one.right for one in own])
            for gold in "SRNX"
            for own in [[one for one in outcomes if one.case.gold == gold]]
        },
        "evidence": among(lambda one: one.cited_right is not None, lambda one: one.cited_right),
        "ece": ece([one.sure for one in outcomes], [one.right for one in outcomes]),
        "sure": among(lambda one: one.sure >= SURE, lambda one: one.right),
        "contradict": among(lambda one: one.contradicts is not None, lambda one: one.contradicts),
    }
