"""How teams take part: their systems' descriptions, withdrawal, and what is due when."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.submissions import entry_of
from feverfew.errors import InputError
from feverfew.store.arena_tables import ArenaTask, SystemDescription
from feverfew.store.database import now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.team_tables import Team

FIELDS = {
    "retrieval": "How documents are found",
    "selection": "How sentences or cells are chosen",
    "inference": "How the label is inferred from the evidence",
    "combination": "How several pieces of evidence are combined",
    "data": "What it was trained on",
    "size": "How large it is: parameters, or models",
    "resources": "External resources: search engines, pretrained models, knowledge bases",
    "link": "Where it is described or published",
}
"""What a description must say."""
_LONGEST = 2_000
_DUE = "descriptions_due"


def describe(
    session: Session,
    task: ArenaTask,
    team: Team,
    fields: Mapping[str, str],
    by: Person | None = None,
) -> SystemDescription:
    """Keep a team's description of its system; older ones stay."""
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise InputError(f"unknown field {unknown[0]!r}; a description has {', '.join(FIELDS)}")
    clean = {name: str(fields.get(name, "")).strip()[:_LONGEST] for name in FIELDS}
    if missing := [name for name, value in clean.items() if not value]:
        raise InputError(f"the description lacks {', '.join(missing)}; write 'none' where it is so")
    made = SystemDescription(
        task_id=task.id, team_id=team.id, person_id=by.id if by else None, fields=clean
    )
    session.add(made)
    audit(session, by, "describe system", f"{task.name} {team.name}")
    return made


def description_of(session: Session, task: ArenaTask, team_id: int) -> SystemDescription | None:
    """Return a team's newest description."""
    mine = (SystemDescription.task_id == task.id, SystemDescription.team_id == team_id)
    query = select(SystemDescription).where(*mine)
    return session.scalar(query.order_by(SystemDescription.id.desc()).limit(1))


def described(session: Session, task: ArenaTask) -> set[int]:
    """Return the teams that described their system."""
    query = select(SystemDescription.team_id).where(SystemDescription.task_id == task.id)
    return set(session.scalars(query))


def set_due(session: Session, task: ArenaTask, due: datetime | None) -> None:
    """Say until when descriptions are due; a team without one counts as withdrawn then."""
    before = task.settings.get(_DUE)
    task.settings = {**task.settings, _DUE: due.isoformat() if due else None}
    audit(session, None, "set descriptions due", task.name, before, task.settings[_DUE])


def due_at(task: ArenaTask) -> datetime | None:
    """Return until when descriptions are due."""
    written = task.settings.get(_DUE)
    return datetime.fromisoformat(written) if written else None


def descriptions_are_due(task: ArenaTask) -> bool:
    """Say whether a team without a description counts as withdrawn by now."""
    due = due_at(task)
    return due is not None and due <= now()


def withdraw(session: Session, task: ArenaTask, team: Team, by: Person | None = None) -> None:
    """Take a team off the boards; what it submitted is kept."""
    entry = entry_of(session, task, team)
    entry.withdrawn = entry.withdrawn or now()
    audit(session, by, "withdraw", f"{task.name} {team.name}")
