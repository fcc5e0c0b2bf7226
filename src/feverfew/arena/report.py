"""The report of a task, as its organisers' paper has it: who took part, how they did, and why.

Participants, the board before and after pooling, the best by each measure, techniques by component
against scores, what the pool came to, which claims were hard, how far systems agree, and errors.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.arena.boards import Board, agreement, board, difficulty
from feverfew.arena.coding import tally_of
from feverfew.arena.entries import FIELDS, described, description_of
from feverfew.arena.golds import Gold, gold_row, gold_rows, load_gold
from feverfew.arena.judged import judged
from feverfew.arena.submissions import Counted, counted
from feverfew.errors import InputError
from feverfew.render.page import DataTable, Figure, Part, Section, Words, cell_text, html_page
from feverfew.render.plots import Bar, bars, heat_map
from feverfew.store.arena_tables import ArenaPhase, ArenaTask, GoldChange, Submission, TeamEntry

_HARDEST = 20
_COMPONENTS = ("retrieval", "selection", "inference", "combination", "data", "resources")
"""What of a description is set against scores."""


class Report(Struct, frozen=True):
    """A report, before it is written."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]


class _Known(Struct, frozen=True):
    """What all sections draw on."""

    session: Session
    folder: Path
    task: ArenaTask
    phase: ArenaPhase
    gold: Gold
    board: Board
    teams: list[Counted]
    """The submissions of teams that count, the best first."""


def report(session: Session, folder: Path, task: ArenaTask, phase: ArenaPhase) -> Report:
    """Summarise a phase of a task; it may tell what is hidden from teams."""
    versions = [one for one in gold_rows(session, task, phase.part) if one.scored]
    compare = versions[-2].version if len(versions) > 1 else None
    found = board(session, task.name, phase.name, None, compare, organiser=True)
    row = gold_row(session, task, phase.part)
    teams = [one for one in counted(session, task, phase, row) if not one.submission.baseline]
    if not teams:
        raise InputError("no submission counts in this phase, so there is nothing to report")
    known = _Known(session, folder, task, phase, load_gold(folder, task, row), found, teams)
    sections = [
        Section(heading, tuple(parts))
        for heading, make in _SECTIONS.items()
        if (parts := make(known))
    ]
    label = "preliminary, pending annotation" if found.preliminary else f"gold v{found.gold}"
    return Report(f"The shared task {task.title}", f"Phase {phase.name}, {label}", tuple(sections))


def _participants(known: _Known) -> list[Part]:
    session, task = known.session, known.task
    sent = session.scalar(
        select(func.count())
        .select_from(Submission)
        .where(Submission.phase_id == known.phase.id, ~Submission.baseline)
    )
    entries = session.scalars(select(TeamEntry).where(TeamEntry.task_id == task.id)).all()
    withdrawn = sum(one.withdrawn is not None for one in entries)
    with_text = len(described(session, task) & {one.team.id for one in known.teams})
    rows = known.board.rows
    best = max((row.means[known.board.headline] for row in rows if row.baseline), default=None)
    words = (
        f"{len(known.teams)} teams took part with {sent} submissions to {len(known.gold.claims):,} "
        f"claims. {with_text} described their systems; {withdrawn} withdrew."
    )
    if best is not None:
        above = sum(row.means[known.board.headline] > best for row in rows if not row.baseline)
        words += f" {above} scored above the best baseline ({best:.4f})."
    return [Words(words)]


def _board(known: _Known) -> list[Part]:
    found = known.board
    changed = found.compare is not None
    rows = []
    for row in found.rows:
        name = f"{row.system} (baseline)" if row.baseline else row.team
        cells: list[object] = [row.rank, name]
        for measure in found.measures:
            change = f" ({row.changes[measure]:+.4f})" if measure in row.changes else ""
            cells.append(f"{row.means[measure]:.4f}{change}")
        moved = "" if not row.rank_change else f"{row.rank_change:+d}"
        p = "" if row.p_above is None else f"{row.p_above:.3f}"
        rows.append((*cells, p, *((moved,) if changed else ())))
    head = ("rank", "team", *map(_spoken, found.measures), "p above")
    head += ("places gained",) if changed else ()
    caption = f"Gold v{found.gold}" + (f", changes against v{found.compare}" if changed else "")
    drawn = [
        Bar(
            row.system if row.baseline else row.team,
            row.means[found.headline],
            *row.intervals.get(found.headline, (None, None)),
        )
        for row in found.rows
    ]
    plot = bars(f"{_spoken(found.headline)}, with 95 % intervals", drawn, places=4)
    leaders = ", ".join(f"{_spoken(name)} {team}" for name, team in found.leaders.items())
    return [
        DataTable(head, tuple(rows), caption),
        Words(f"Leading by measure: {leaders}."),
        Figure(plot, "The official score of every system that counts"),
    ]


def _techniques(known: _Known) -> list[Part]:
    parts: list[Part] = []
    scores = {row.submission: row.means[known.board.headline] for row in known.board.rows}
    texts = {
        one.team.name: (found.fields, scores[one.submission.id])
        for one in known.teams
        if (found := description_of(known.session, known.task, one.team.id))
    }
    for name in _COMPONENTS if texts else ():
        rows = tuple((team, score, fields[name]) for team, (fields, score) in texts.items())
        parts.append(DataTable(("team", "score", name), rows, FIELDS[name]))
    return parts


def _pool(known: _Known) -> list[Part]:
    # What the pool came to is counted against the gold that it was drawn by.
    first = gold_row(known.session, known.task, known.phase.part, 1)
    gold = load_gold(known.folder, known.task, first)
    outcome = judged(known.session, known.task, known.phase.part, gold)
    if not outcome.annotations:
        return []
    rows = gold_rows(known.session, known.task, known.phase.part)
    changes = known.session.scalars(
        select(GoldChange).where(GoldChange.gold_id.in_([one.id for one in rows]))
    ).all()
    settled = [one for one in changes if one.kind == "settled"]
    to = ", ".join(
        f"{sum(one.after == label for one in settled)} {label.lower()}"
        for label in sorted({one.after for one in settled})
    )
    sets = [one for change in changes if change.kind == "evidence" for one in change.sets]
    single = sum(len(one) == 1 for one in sets)
    return [
        Words(
            f"{outcome.annotations:,} annotations were collected for {outcome.claims:,} claims. "
            f"{sum(one.kind == 'relabelled' for one in changes)} claims had a wrong label, "
            f"{len(settled)} were settled by new evidence{f' ({to})' if to else ''}, and "
            f"{len(sets)} new sets of evidence were found for claims that were settled before: "
            f"{single} single sentences and {len(sets) - single} of two or more. "
            f"{len(outcome.conflicts)} conflicts are undecided."
        )
    ]


def _difficulty(known: _Known) -> list[Part]:
    missed = difficulty(known.teams)
    count = len(known.teams)
    shares = [
        Bar(f"{right} of {count} right", float((missed == count - right).sum()))
        for right in range(count + 1)
    ]
    hardest = np.argsort(-missed, kind="stable")[:_HARDEST]
    rows = tuple((known.gold.claims[place].text, int(missed[place])) for place in hardest)
    return [
        Words(
            f"{int((missed > 0).sum()):,} claims were missed by at least one system, "
            f"{int((missed == count).sum()):,} by all."
        ),
        Figure(bars("Claims by how many systems were right", shares, places=0), ""),
        DataTable(("claim", "missed by"), rows, "The hardest claims"),
    ]


def _agreement(known: _Known) -> list[Part]:
    teams = known.teams[:10]
    if len(teams) < 2:
        return []
    names = [one.team.name for one in teams]
    shares = [[round(100 * agreement(a, b)) for b in teams] for a in teams]
    plot = heat_map(
        "Claims on which two systems are both right or both wrong, in percent",
        names,
        names,
        shares,
        row_title="system",
        column_title="system",
    )
    return [Figure(plot, "Agreement between the ten best systems")]


def _errors(known: _Known) -> list[Part]:
    found = tally_of(known.session, known.task)
    if found is None:
        return []
    rows = tuple(
        (name, one.count, f"{one.share:.1%} ({one.low:.1%} to {one.high:.1%})")
        for name, one in found.outcomes.items()
    )
    return [DataTable(("outcome", "errors", "share"), rows, f"{found.coded} errors, coded by hand")]


_SECTIONS: dict[str, Callable[[_Known], list[Part]]] = {
    "Participants": _participants,
    "Board": _board,
    "Techniques against score": _techniques,
    "Pooled evidence": _pool,
    "Difficulty of claims": _difficulty,
    "Agreement between systems": _agreement,
    "Errors": _errors,
}


def _spoken(measure: str) -> str:
    return measure.replace("_", " ")


def as_html(made: Report) -> str:
    """Write a report as one page that needs no other file."""
    return html_page(made.title, made.sections, subtitle=made.subtitle)


def write_report(made: Report, folder: Path) -> list[Path]:
    """Write report.md with its plots beside it, and report.html; return what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []

    def keep(name: str, text: str) -> str:
        path = folder / name
        path.write_text(text, "utf-8")
        written.append(path)
        return name

    lines = [f"# {made.title}", "", f"{made.subtitle}.", ""]
    pictures = 0
    for section in made.sections:
        lines += [f"## {section.heading}", ""]
        for part in section.parts:
            match part:
                case Words():
                    lines += [part.text, ""]
                case DataTable():
                    lines += [*_markdown(part), ""]
                case Figure():
                    pictures += 1
                    name = keep(f"plot-{pictures}.svg", part.svg)
                    lines += [f"![{part.caption or section.heading}]({name})", ""]
    keep("report.md", "\n".join(lines))
    keep("report.html", as_html(made))
    return written


def _markdown(table: DataTable) -> list[str]:
    caption = [f"*{table.caption}*", ""] if table.caption else []
    rows = [table.columns, ("---",) * len(table.columns), *table.rows]
    return [*caption, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]


def _cell(value: object) -> str:
    return cell_text(value).replace("|", "\\|").replace("\n", " ")
