"""How a run went: read its log, and draw one or several runs over each other."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.errors import BadRecord, InputError
from feverfew.render import svg
from feverfew.render.plots import lines

LOG = "log.jsonl"

Curve = list[tuple[float, float]]
_SMOOTH = 5
"""Points of the log behind each point of a loss: a few batches alone say little."""


class History(Struct, frozen=True):
    """What a log tells, over the steps."""

    verdict_loss: Curve
    relevance_loss: Curve
    verdict: Curve
    """The mean over the labels of the share of held-out verdicts that are right."""
    relevance: Curve
    """The area under the curve of the held-out relevance."""


def read_history(run: Path) -> History:
    """Read the log in a run's folder; of steps taken twice, as after a kill, the last counts."""
    path = run / LOG
    if not path.is_file():
        raise InputError(f"{run} holds no run: it has no {LOG}")
    curves: dict[str, dict[float, float]] = {name: {} for name in History.__struct_fields__}
    # The last line of a run that is going on may be half written.
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], 1):
        try:
            event = msgspec.json.decode(line, type=dict[str, Any])
            for name, value in {**event, **event.get("held_out", {})}.items():
                if name in curves and value >= 0:  # less than nothing is what was not measured
                    curves[name][float(event["step"])] = float(value)
        except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
            raise BadRecord(f"not a line of a log ({error})", path=str(path), line=number) from None
    return History(**{name: sorted(curve.items()) for name, curve in curves.items()})


def draw(runs: Mapping[str, History]) -> str:
    """Draw losses and held-out shares over the steps, a line for each run, as one SVG picture."""
    panels = (
        ("Verdict: loss", "cross-entropy", lambda h: _smooth(h.verdict_loss)),
        ("Relevance: loss", "cross-entropy", lambda h: _smooth(h.relevance_loss)),
        ("Verdict: held-out pairs judged rightly", "mean over labels", lambda h: h.verdict),
        ("Relevance: held-out pairs ranked rightly", "AUC", lambda h: h.relevance),
    )
    # All pictures share their steps, so that what stands below each other happened together.
    last = max((curve[-1][0] for h in runs.values() for curve in _curves(h) if curve), default=1.0)
    pictures = [
        lines(title, curves, x_label="step", y_label=unit, x_range=(0, last))
        for title, unit, curve in panels
        if any((curves := {name: curve(history) for name, history in runs.items()}).values())
    ]
    if not pictures:
        raise InputError("nothing to draw yet: no run has logged a step")
    return svg.stack("Training", pictures)


def _curves(history: History) -> list[Curve]:
    return [history.verdict_loss, history.relevance_loss, history.verdict, history.relevance]


def _smooth(curve: Sequence[tuple[float, float]]) -> Curve:
    """Take the mean of the last few points at each.

    >>> _smooth([(1, 4.0), (2, 2.0)])
    [(1, 4.0), (2, 3.0)]
    """
    found = []
    for at, (step, _) in enumerate(curve):
        near = [value for _, value in curve[max(0, at + 1 - _SMOOTH) : at + 1]]
        found.append((step, sum(near) / len(near)))
    return found
