"""Tables of the arena: tasks, phases, gold versions, submissions, points, and the pool.

Labels and evidence of a blind part lie in a file that only the arena's process reads, never in a
table. A claim is named by its place in that file, which stays the same in all gold versions.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from feverfew.store.database import Base, UtcTime, now


class ArenaTask(Base):
    """A shared task."""

    __tablename__ = "arena_task"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    title: Mapped[str]
    format: Mapped[str]
    """fever, feverous or hover."""
    corpus: Mapped[str]
    """The fingerprint of the corpus."""
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    """The campaign in which the pool is judged."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)


class ArenaPhase(Base):
    """A time in which files are taken, what of them counts, and who sees what."""

    __tablename__ = "arena_phase"
    __table_args__ = (UniqueConstraint("task_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("arena_task.id"))
    name: Mapped[str]
    part: Mapped[str]
    """The part of the data that it is about: test, dev …"""
    start: Mapped[datetime | None] = mapped_column(UtcTime)
    end: Mapped[datetime | None] = mapped_column(UtcTime)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)


class GoldVersion(Base):
    """A version of a part's gold; the file's name and digest, not what it says."""

    __tablename__ = "gold_version"
    __table_args__ = (UniqueConstraint("task_id", "part", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("arena_task.id"))
    part: Mapped[str]
    version: Mapped[int]
    digest: Mapped[str]
    file: Mapped[str]
    claims: Mapped[int]
    scored: Mapped[datetime | None] = mapped_column(UtcTime)
    """When all submissions were scored against it; boards show no version before that."""
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class GoldChange(Base):
    """What a gold version changed, and the annotations that it rests on."""

    __tablename__ = "gold_change"

    id: Mapped[int] = mapped_column(primary_key=True)
    gold_id: Mapped[int] = mapped_column(ForeignKey("gold_version.id"), index=True)
    place: Mapped[int]
    kind: Mapped[str]
    """relabelled, settled (from not enough info), or evidence."""
    before: Mapped[str]
    after: Mapped[str]
    sets: Mapped[list[list[str]]] = mapped_column(JSON)
    annotations: Mapped[list[int]] = mapped_column(JSON)


class TeamEntry(Base):
    """A team that takes part in a task."""

    __tablename__ = "team_entry"
    __table_args__ = (UniqueConstraint("task_id", "team_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("arena_task.id"))
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    joined: Mapped[datetime] = mapped_column(UtcTime, default=now)
    withdrawn: Mapped[datetime | None] = mapped_column(UtcTime)


class SystemDescription(Base):
    """How a team's system works; the newest row holds."""

    __tablename__ = "system_description"
    __table_args__ = (Index("ix_description", "task_id", "team_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("arena_task.id"))
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    fields: Mapped[dict[str, str]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class SubmittedFile(Base):
    """A file as it was sent, compressed; it never changes, and is never deleted."""

    __tablename__ = "submitted_file"

    digest: Mapped[str] = mapped_column(primary_key=True)
    """SHA-256 of what was sent."""
    size: Mapped[int]
    data: Mapped[bytes]


class Submission(Base):
    """A file that a team submitted in a phase, and that was scored."""

    __tablename__ = "submission"
    # A request that is sent again, because its answer was lost, makes no second submission.
    __table_args__ = (
        UniqueConstraint("phase_id", "team_id", "digest"),
        UniqueConstraint("phase_id", "team_id", "number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("arena_phase.id"))
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    number: Mapped[int]
    """1 for a team's first in a phase."""
    digest: Mapped[str] = mapped_column(ForeignKey("submitted_file.digest"))
    system: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    baseline: Mapped[bool] = mapped_column(default=False)
    chosen: Mapped[datetime | None] = mapped_column(UtcTime)
    hidden: Mapped[datetime | None] = mapped_column(UtcTime)
    """Withdrawn by its team: it is kept, and no longer counts."""
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class ScoringRun(Base):
    """A submission against a gold version: every measure, and the points of each claim."""

    __tablename__ = "scoring_run"
    __table_args__ = (UniqueConstraint("submission_id", "gold_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id"))
    gold_id: Mapped[int] = mapped_column(ForeignKey("gold_version.id"), index=True)
    scorer: Mapped[str]
    """The measure with its limits, and the version of the scorer."""
    means: Mapped[dict[str, float]] = mapped_column(JSON)
    intervals: Mapped[dict[str, list[float]]] = mapped_column(JSON)
    points: Mapped[bytes]
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class PoolDraw(Base):
    """A system's evidence for a claim, drawn to be judged."""

    __tablename__ = "pool_draw"
    __table_args__ = (UniqueConstraint("task_id", "part", "ordinal"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task_id: Mapped[int] = mapped_column(ForeignKey("arena_task.id"))
    part: Mapped[str]
    ordinal: Mapped[int]
    seed: Mapped[int]
    place: Mapped[int]
    """The claim."""
    submission_id: Mapped[int] = mapped_column(ForeignKey("submission.id"))
    claim_probability: Mapped[float]
    system_probability: Mapped[float]
    refs: Mapped[list[str]] = mapped_column(JSON)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"), unique=True)
    """The claim of the pool's campaign, whose slots people take."""


class DrawTeam(Base):
    """A team whose system returned what was drawn; its people do not judge it."""

    __tablename__ = "draw_team"

    draw_id: Mapped[int] = mapped_column(ForeignKey("pool_draw.id"), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), primary_key=True)


class DrawCoding(Base):
    """Why a system erred in what was drawn, as FEVER's appendix B asks."""

    __tablename__ = "draw_coding"

    id: Mapped[int] = mapped_column(primary_key=True)
    draw_id: Mapped[int] = mapped_column(ForeignKey("pool_draw.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    answers: Mapped[dict[str, bool]] = mapped_column(JSON)
    outcome: Mapped[str]
    note: Mapped[str] = mapped_column(default="")
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)
