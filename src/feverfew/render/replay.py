"""An old check against a new one: whether it still holds, and what has changed."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from feverfew.render.audit import Audit

__all__ = ["Replay", "Replayed", "compare"]

_SAME = 0.01
"""Probabilities that differ by less are called the same."""


class Replayed(Struct, frozen=True):
    """What became of one claim."""

    claim: str
    holds: bool
    """The verdict is the same, and so is all that it rests on."""
    verdict: str
    was: str
    changes: tuple[str, ...] = ()


class Replay(Struct, frozen=True):
    """What became of an audit report."""

    holds: bool
    time: str
    """When the old check was made."""
    changes: tuple[str, ...]
    """What is another than then: corpus, pages, model, program."""
    claims: tuple[Replayed, ...]


def compare(old: Audit, new: Audit) -> Replay:
    """Set a check against its repetition, claim by claim."""
    claims = tuple(_claim(a, b) for a, b in zip(old.reports, new.reports, strict=True))
    return Replay(
        all(one.holds for one in claims), old.time, tuple(_circumstances(old, new)), claims
    )


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


def _claim(old: dict[str, Any], new: dict[str, Any]) -> Replayed:
    was, verdict = old.get("verdict", ""), new["verdict"]
    before, after = _cited(old), _cited(new)
    changes = []
    if was != verdict:
        changes.append(f"the verdict is {verdict}, and was {was}")
    for name, text in before.items():
        if name not in after:
            changes.append(f"no longer rests on {name}")
        elif after[name] != text:
            changes.append(f"{name} now reads {after[name]!r}, and read {text!r}")
    changes += [f"now rests on {name}" for name in after if name not in before]
    holds = not changes
    likely, likely_now = (_probability(one, verdict) for one in (old, new))
    if abs(likely - likely_now) >= _SAME:
        changes.append(f"{verdict} has probability {likely_now:.2f}, and had {likely:.2f}")
    return Replayed(new["claim"], holds, verdict, was, tuple(changes))


def _cited(report: dict[str, Any]) -> dict[str, str]:
    """List the evidence of a report and of its parts: texts by id."""
    parts: Sequence[dict[str, Any]] = (report, *report.get("parts", ()))
    return {piece["id"]: piece["text"] for part in parts for piece in part.get("evidence", ())}


def _probability(report: dict[str, Any], verdict: str) -> float:
    return float(report.get("probabilities", {}).get(verdict, 0.0))
