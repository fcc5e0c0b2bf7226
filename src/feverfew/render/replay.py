"""Compare a check with its repetition."""

import math
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.render.audit import Audit
from feverfew.types import Report

_MOST = 12
"""Number of differences listed per claim."""
_CIRCUMSTANCES = ("corpus", "model", "generation")
_UNLIKE = {"seconds"}
"""Fields that differ in every run and say nothing about the claim."""


class Replayed(Struct, frozen=True):
    """The comparison of one claim."""

    claim: str
    holds: bool
    """Whether all recomputed values are the same."""
    verdict: str
    was: str
    changes: tuple[str, ...] = ()


class Replay(Struct, frozen=True):
    """The comparison of an audit report."""

    holds: bool
    signed: bool
    """Whether a signature was verified."""
    time: str
    """When the old check was made."""
    changes: tuple[str, ...]
    """What changed: corpus, pages, model, program."""
    claims: tuple[Replayed, ...]


def compare(old: Audit, new: Audit, *, tolerance: float = 0.0, signed: bool = False) -> Replay:
    """Compare a check with its repetition, claim by claim.

    Numbers that differ by at most `tolerance` are equal: other CPUs may round differently.
    """
    claims = tuple(
        _compare_claim(a, b, tolerance) for a, b in zip(old.reports, new.reports, strict=True)
    )
    changes = tuple(_circumstances(old, new))
    # The same corpus has the same pages; else someone has written other fingerprints.
    sound = old.corpus != new.corpus or old.pages == new.pages
    holds = bool(claims) and sound and all(one.holds for one in claims)
    return Replay(holds, signed, old.time, changes, claims)


def _circumstances(old: Audit, new: Audit) -> Iterator[str]:
    for name in ("corpus", "model", "feverfew"):
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            yield f"{name}: {was} then, {now} now"
    for title, fingerprint in old.pages.items():
        now = new.pages.get(title)
        if now is None:
            yield f"page {title!r}: gone"
        elif now != fingerprint:
            yield f"page {title!r}: changed"
    for title in new.pages.keys() - old.pages.keys():
        yield f"page {title!r}: was not read then"


def _compare_claim(old: Report, new: Report, tolerance: float) -> Replayed:
    before, after = _cited(old), _cited(new)
    changes: list[str] = []
    if old.verdict != new.verdict:
        changes.append(f"the verdict is {new.verdict.value}, and was {old.verdict.value}")
    for name, text in before.items():
        if name not in after:
            changes.append(f"no longer rests on {name}")
        elif after[name] != text:
            changes.append(f"{name} now reads {after[name]!r}, and read {text!r}")
    changes += [f"now rests on {name}" for name in after if name not in before]
    was, now = (msgspec.to_builtins(one, str_keys=True) for one in (old, new))
    for name in _CIRCUMSTANCES:  # compared once, for all claims
        was.pop(name), now.pop(name)
    others = list(_differences(was, now, tolerance))
    if not changes:
        changes = others
    if len(others) > _MOST:
        changes = [*changes[:_MOST], f"and {len(others) - _MOST} more"]
    return Replayed(new.claim, not others, new.verdict.value, old.verdict.value, tuple(changes))


def _cited(report: Report) -> dict[str, str]:
    """List the evidence of a report and of its parts: texts by id."""
    return {
        str(piece.ref): piece.text for part in (report, *report.parts) for piece in part.evidence
    }


def _differences(was: Any, now: Any, tolerance: float, at: str = "") -> Iterator[str]:
    """Yield every difference between two values."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in dict.fromkeys((*was, *now)):
            if name not in _UNLIKE:
                inner = f"{at}.{name}" if at else str(name)
                yield from _differences(was.get(name), now.get(name), tolerance, inner)
    elif isinstance(was, list | tuple) and isinstance(now, list | tuple) and len(was) == len(now):
        for place, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from _differences(one, other, tolerance, f"{at}[{place}]")
    elif isinstance(was, float) and isinstance(now, float):
        if not math.isclose(was, now, rel_tol=0, abs_tol=tolerance):
            yield f"{at} is {now:.4g}, and was {was:.4g}"
    elif was != now or type(was) is not type(now):
        yield f"{at} is {_short(now)}, and was {_short(was)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
