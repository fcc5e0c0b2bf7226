"""The quality gate: on the sample, neither verdicts nor evidence may get worse by two points.

The figures are those of the shipped model, written down when it was shipped. When a model is
better, raise them; never lower one without saying why in the changelog.
"""

from feverfew.check import Checker
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.types import Report, Verdict

ACCURACY, EVIDENCE = 0.573, 0.8
"""Right verdicts; and, of right SUPPORTED and REFUTED ones, those that cite gold evidence."""
_WORSE = 0.02


def test_the_sample_is_checked_as_well_as_before() -> None:
    claims = [claim for path in sample_claims() for claim in read_claims(path)][::3]
    with Checker.open(min_confidence=0.0) as checker:
        reports = checker.check([claim.text for claim in claims])
    right = [(c, r) for c, r in zip(claims, reports, strict=True) if r.verdict is c.label]
    decided = [(c, r) for c, r in right if c.label is not Verdict.NOT_ENOUGH_INFO]
    accuracy = len(right) / len(claims)
    evidence = sum(cites_gold(r, {ref for refs in c.evidence for ref in refs}) for c, r in decided)
    assert accuracy >= ACCURACY - _WORSE, f"{accuracy:.3f} right"
    assert evidence / len(decided) >= EVIDENCE - _WORSE, f"{evidence / len(decided):.3f} cite gold"


def cites_gold(report: Report, gold: set[object]) -> bool:
    return any(finding.ref in gold for finding in report.evidence)
