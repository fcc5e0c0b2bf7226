"""Assertions about text: that a corpus supports it, or at least does not refute it."""

import atexit
from collections.abc import Sequence
from pathlib import Path

from feverfew.check import Checker
from feverfew.check.documents import passages
from feverfew.errors import InputError
from feverfew.render.wording import clean, explanation, percent, reasons, share, where
from feverfew.types import Report, Verdict

_opened: dict[str, Checker] = {}


def assert_supported(text: str, corpus: Checker | Path | str | None = None) -> list[Report]:
    """Raise AssertionError unless the corpus supports every sentence that can be checked.

    >>> assert_supported("Fritz Lang directed Metropolis.")[0].verdict  # doctest: +SKIP
    <Verdict.SUPPORTED: 'SUPPORTED'>
    """
    return _require(text, corpus, (Verdict.SUPPORTED,), "supported")


def assert_not_refuted(text: str, corpus: Checker | Path | str | None = None) -> list[Report]:
    """Raise AssertionError if the corpus refutes a sentence; what it does not know may stand."""
    return _require(text, corpus, (Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO), "free of errors")


def _require(
    text: str, corpus: Checker | Path | str | None, fine: Sequence[Verdict], word: str
) -> list[Report]:
    claims = list(dict.fromkeys(one.claim for one in passages(text) if not one.skipped))
    if not claims:
        # A test that checks nothing must not pass.
        raise InputError("the text holds no sentence that can be checked")
    reports = _checker(corpus).check(claims)
    failing = [report for report in reports if report.verdict not in fine]
    if failing:
        told = "\n".join(_told(report) for report in failing)
        raise AssertionError(f"{len(failing)} of {len(claims)} sentences not {word}:\n{told}")
    return reports


def _told(report: Report) -> str:
    verdict = f"{report.verdict.value}, {percent(share(report, report.verdict))}"
    lines = [f"- {clean(report.claim)}", f"  {verdict}"]
    lines += [f"  {said}" for said in filter(None, [explanation(report), *reasons(report)])]
    lines += [f"  {where(one)}: {clean(one.text)}" for one in report.evidence[:2]]
    return "\n".join(lines)


def _checker(corpus: Checker | Path | str | None) -> Checker:
    """Open a checker once in a run: that takes longer than most tests."""
    if isinstance(corpus, Checker):
        return corpus
    key = str(Path(corpus).absolute()) if corpus else ""
    if key not in _opened:
        _opened[key] = Checker.open(corpus)
    return _opened[key]


@atexit.register
def close_checkers() -> None:
    """Close what was opened; the next assertion opens it again."""
    while _opened:
        _opened.popitem()[1].close()
