"""Tasks: made from labelled claims, and found by their names."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.golds import read_gold, write_gold
from feverfew.arena.phases import PhaseSettings, put_phase
from feverfew.errors import InputError, NotFound
from feverfew.store.arena_tables import ArenaTask, GoldVersion
from feverfew.store.database import now
from feverfew.store.people import audit

PART = "test"
"""The part, and the phase, that a task has from the beginning."""


def create_task(
    session: Session,
    folder: Path,
    corpus: str,
    *,
    name: str,
    format: str,  # noqa: A002
    gold: Path,
    start: datetime | None = None,
    end: datetime | None = None,
    settings: PhaseSettings | None = None,
) -> ArenaTask:
    """Make a task with one phase; its gold is copied to where only the arena reads it."""
    if not name or not all(c.isalnum() or c in "-_" for c in name):
        raise InputError(f"a task's name has letters, digits, - and _ only, not {name!r}")
    if session.scalar(select(ArenaTask).where(ArenaTask.name == name)) is not None:
        raise InputError(f"there is a task {name!r} already")
    task = ArenaTask(name=name, title=name, format=format, corpus=corpus, settings={})
    session.add(task)
    session.flush()
    add_part(session, folder, task, PART, gold)
    put_phase(session, task, PART, PART, start, end, settings or PhaseSettings())
    return task


def add_part(session: Session, folder: Path, task: ArenaTask, part: str, gold: Path) -> GoldVersion:
    """Give a task the first gold of a part, such as dev."""
    known = select(GoldVersion).where(GoldVersion.task_id == task.id, GoldVersion.part == part)
    if session.scalar(known) is not None:
        raise InputError(f"{task.name} has a gold of the part {part} already")
    first = write_gold(folder, task, part, 1, read_gold(gold, task.format))
    first.scored = now()
    session.add(first)
    session.flush()
    audit(session, None, "add gold", f"{task.name} {part} v1", after=first.digest)
    return first


def task_by_name(session: Session, name: str) -> ArenaTask:
    """Return a task by its name."""
    task = session.scalar(select(ArenaTask).where(ArenaTask.name == name))
    if task is None:
        known = session.scalars(select(ArenaTask.name).order_by(ArenaTask.name)).all()
        raise NotFound(f"no task {name!r}; there are {', '.join(known) or 'none'}")
    return task
