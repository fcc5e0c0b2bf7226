"""Boards: who stands where by every measure, how sure that is, and what a new gold changed."""

import csv
import io
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from sqlalchemy.orm import Session

from feverfew.arena.entries import described, descriptions_are_due
from feverfew.arena.golds import gold_row
from feverfew.arena.phases import (
    board_is_open,
    has_ended,
    phase_named,
    rounded,
    say_time,
    settings_of,
)
from feverfew.arena.points import Mask, Points
from feverfew.arena.submissions import Counted, counted
from feverfew.arena.tasks import task_by_name
from feverfew.errors import InputError, NotAllowed
from feverfew.score.intervals import mcnemar
from feverfew.score.tasks import task_named
from feverfew.store.arena_tables import ScoringRun

_EXACT = 4
"""Digits from which on nothing is hidden by rounding."""
WITHDRAWN = "(withdrawn)"
"""What stands for a team that never described its system, as on the board of 2018."""


class Placed(Struct, frozen=True):
    """A submission on the board."""

    rank: int
    team: str
    system: str
    submission: int
    baseline: bool
    means: dict[str, float]
    intervals: dict[str, list[float]]
    p_above: float | None
    """McNemar's exact test of the official score against the one above; None for the first."""
    rank_change: int | None = None
    """Places gained against the gold that is compared with."""
    changes: dict[str, float] = {}
    """Differences of every measure against the gold that is compared with."""


class Board(Struct, frozen=True):
    """A board, and what it stands for."""

    task: str
    phase: str
    gold: int
    compare: int | None
    preliminary: bool
    """Whether evidence of the systems has not been judged yet."""
    headline: str
    measures: tuple[str, ...]
    leaders: dict[str, str]
    """Who leads in each measure."""
    rows: tuple[Placed, ...]


def board(
    session: Session,
    task_name: str,
    phase_name: str | None = None,
    version: int | None = None,
    compare: int | None = None,
    *,
    organiser: bool = False,
) -> Board:
    """Rank the submissions that count by the official score; only organisers see a hidden board."""
    task = task_by_name(session, task_name)
    phase = phase_named(session, task, phase_name)
    if not board_is_open(phase) and not organiser:
        raise NotAllowed(f"the board opens at {say_time(phase.end, phase)}", True)
    gold = gold_row(session, task, phase.part, version)
    if gold.scored is None:
        raise NotAllowed(f"the gold v{gold.version} is not scored yet", True)
    headline = task_named(task.format).headline
    systems = counted(session, task, phase, gold)
    nameless = descriptions_are_due(task)
    known = described(session, task)
    ranks = _ranks([one.run.means[headline] for one in systems])
    old: dict[int, tuple[int, dict[str, float]]] = {}
    if compare is not None:
        if compare == gold.version:
            raise InputError("a board is compared with another version of the gold")
        before = counted(session, task, phase, gold_row(session, task, phase.part, compare))
        old_ranks = _ranks([one.run.means[headline] for one in before])
        old = {
            one.submission.id: (rank, one.run.means)
            for one, rank in zip(before, old_ranks, strict=True)
        }
    # A test of exact points would tell what rounding hides.
    exact = has_ended(phase) or settings_of(phase).decimals >= _EXACT
    rows: list[Placed] = []
    for place, (one, rank) in enumerate(zip(systems, ranks, strict=True)):
        hidden = nameless and not one.submission.baseline and one.team.id not in known
        was = old.get(one.submission.id)
        means = one.run.means
        rows.append(
            Placed(
                rank,
                WITHDRAWN if hidden else one.team.name,
                WITHDRAWN if hidden else one.submission.system,
                one.submission.id,
                one.submission.baseline,
                rounded(phase, means),
                {
                    name: list(rounded(phase, {"low": low, "high": high}).values())
                    for name, (low, high) in one.run.intervals.items()
                },
                _p(one, systems[place - 1]) if place and exact else None,
                was[0] - rank if was else None,
                rounded(phase, {name: means[name] - value for name, value in was[1].items()})
                if was
                else {},
            )
        )
    measures = tuple(rows[0].means) if rows else (headline,)
    return Board(
        task.name,
        phase.name,
        gold.version,
        compare,
        has_ended(phase) and gold.version == 1,
        headline,
        measures,
        _leaders(rows, measures),
        tuple(rows),
    )


def _ranks(scores: Sequence[float]) -> list[int]:
    """Number scores that fall; equal ones share a rank."""
    found: list[int] = []
    for place, score in enumerate(scores):
        found.append(found[-1] if place and score == scores[place - 1] else place + 1)
    return found


def _leaders(rows: Sequence[Placed], measures: Sequence[str]) -> dict[str, str]:
    teams = [row for row in rows if not row.baseline]
    return {
        name: max(teams, key=lambda row: row.means.get(name, 0.0)).team
        for name in measures
        if teams
    }


def _p(one: Counted, above: Counted) -> float:
    a, b = headline_points(one.run), headline_points(above.run)
    # Only how often each is right alone matters; counting in numpy spares 20,000 comparisons.
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    firsts = [True] * only_a + [False] * only_b
    return mcnemar(firsts, [not x for x in firsts]).p_exact


def headline_points(run: ScoringRun) -> Mask:
    """Return which claims earned the official score's point."""
    return _headline(run.points)


@lru_cache(maxsize=256)
def _headline(points: bytes) -> Mask:
    return Points.unpack(points).headline


def difficulty(systems: Sequence[Counted]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Count for each claim how many systems missed its point."""
    missed = [~headline_points(one.run) for one in systems]
    return np.asarray(np.sum(missed, axis=0, dtype=np.int64))


def agreement(a: Counted, b: Counted) -> float:
    """Return the share of claims on which two systems are both right, or both wrong."""
    return float((headline_points(a.run) == headline_points(b.run)).mean())


def as_csv(found: Board) -> str:
    """Write a board as CSV: every measure with its interval, and its change where compared."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["rank", "team", "system", "baseline"]
    for name in found.measures:
        head += [name, f"{name}_low", f"{name}_high"]
        head += [f"{name}_change"] if found.compare else []
    writer.writerow([*head, "p_above", *(["rank_change"] if found.compare else [])])
    for row in found.rows:
        cells: list[object] = [row.rank, row.team, row.system, int(row.baseline)]
        for name in found.measures:
            cells += [f"{row.means.get(name, 0.0):.6f}"]
            cells += [f"{end:.6f}" for end in row.intervals.get(name, ["", ""]) if end != ""]
            cells += [f"{row.changes[name]:+.6f}" if name in row.changes else ""] * bool(
                found.compare
            )
        cells.append("" if row.p_above is None else f"{row.p_above:.6g}")
        writer.writerow([*cells, *([row.rank_change] if found.compare else [])])
    return out.getvalue()


_SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def as_latex(found: Board) -> str:
    """Write a board as a LaTeX table, scores in percent; baselines in italics."""
    lines = [
        rf"\begin{{tabular}}{{rl{'r' * len(found.measures)}}}",
        r"\hline",
        " & ".join(["Rank", "Team", *(_tex(_spoken(name)) for name in found.measures)]) + r" \\",
        r"\hline",
    ]
    for row in found.rows:
        name = _tex(row.system if row.baseline else row.team)
        cells = [str(row.rank), rf"\textit{{{name}}}" if row.baseline else name]
        for measure in found.measures:
            said = f"{100 * row.means.get(measure, 0.0):.2f}"
            change = row.changes.get(measure)
            cells.append(said if change is None else f"{said} (${100 * change:+.2f}$)")
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _spoken(measure: str) -> str:
    return measure.replace("_", " ")


def _tex(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
