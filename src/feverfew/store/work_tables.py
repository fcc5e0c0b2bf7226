"""Tables of work: slots that people take, drafts, annotations with evidence, and quality.

Annotations are only ever added. One that no longer counts is named in `voided`.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from feverfew.store.database import Base, UtcTime, now

_LEASED = text("state = 'leased'")


class Slot(Base):
    """A piece of work for one person: every quota, sample and test is a number of slots."""

    __tablename__ = "slot"
    __table_args__ = (
        # NULLs differ from each other, so open slots do not collide.
        UniqueConstraint("claim_id", "workflow", "person_id", name="one_person_once"),
        UniqueConstraint("claim_id", "workflow", "kind", "ordinal", name="one_claim_slot"),
        UniqueConstraint("source_id", "workflow", "kind", "ordinal", name="one_source_slot"),
        Index(
            "one_lease",
            "person_id",
            "campaign_id",
            "workflow",
            unique=True,
            sqlite_where=_LEASED,
            postgresql_where=_LEASED,
        ),
        Index("ix_slot_open", "campaign_id", "workflow", "state", "begun", "rank"),
        Index("ix_slot_lease", "campaign_id", "workflow", "state", "leased_until"),
        Index("ix_slot_person", "person_id", "campaign_id", "workflow", "state"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    workflow: Mapped[str]
    kind: Mapped[str] = mapped_column(default="regular")
    """regular, five-way, quality, super, test, calibration, quiz or redo."""
    claim_id: Mapped[int | None] = mapped_column(ForeignKey("claim.id"))
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source.id"))
    """Of a claim's slot: the source that the claim comes from is `family`."""
    family: Mapped[int | None]
    """The source that the claim comes from: nobody judges what a sibling of their claim says."""
    ordinal: Mapped[int] = mapped_column(default=0)
    state: Mapped[str] = mapped_column(default="open")
    """open, leased, done or void."""
    begun: Mapped[int] = mapped_column(default=0)
    """0 once another slot of the claim is done, else 1: what was begun is finished first."""
    rank: Mapped[float] = mapped_column(default=0.0)
    """Age in whole numbers, chance behind the point."""
    open_from: Mapped[datetime] = mapped_column(UtcTime, default=now)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    leased_until: Mapped[datetime | None] = mapped_column(UtcTime)
    started: Mapped[datetime | None] = mapped_column(UtcTime)


class Draft(Base):
    """Unfinished work of a slot, as its page last sent it."""

    __tablename__ = "draft"

    slot_id: Mapped[int] = mapped_column(ForeignKey("slot.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    active_ms: Mapped[int] = mapped_column(default=0)
    saved: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Annotation(Base):
    """What one person said of one slot; a correction is a new version."""

    __tablename__ = "annotation"
    __table_args__ = (
        UniqueConstraint("slot_id", "version"),
        Index("ix_annotation_claim", "claim_id"),
        Index("ix_annotation_person", "person_id", "at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    slot_id: Mapped[int] = mapped_column(ForeignKey("slot.id"))
    claim_id: Mapped[int | None] = mapped_column(ForeignKey("claim.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    version: Mapped[int] = mapped_column(default=1)
    outcome: Mapped[str]
    """label, skip, report or written."""
    verdict: Mapped[str | None]
    reasons: Mapped[list[str]] = mapped_column(JSON, default=list)
    note: Mapped[str] = mapped_column(default="")
    challenge: Mapped[str] = mapped_column(default="")
    flagged: Mapped[bool] = mapped_column(default=False)
    answers: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Answers to the other questions of the screen."""
    guideline: Mapped[int] = mapped_column(default=0)
    """The version of the guidelines in force."""
    active_ms: Mapped[int] = mapped_column(default=0)
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Evidence(Base):
    """An element of an evidence set, with the context that goes with it."""

    __tablename__ = "evidence"

    id: Mapped[int] = mapped_column(primary_key=True)
    annotation_id: Mapped[int] = mapped_column(ForeignKey("annotation.id"), index=True)
    number: Mapped[int]
    """Which set: 0, 1, 2 …"""
    place: Mapped[int]
    ref: Mapped[str]
    context: Mapped[list[str]] = mapped_column(JSON, default=list)


class Operation(Base):
    """Something a person did while working on a slot, as FEVEROUS logs it."""

    __tablename__ = "operation"

    id: Mapped[int] = mapped_column(primary_key=True)
    slot_id: Mapped[int] = mapped_column(ForeignKey("slot.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    name: Mapped[str]
    value: Mapped[str]
    seconds: Mapped[float]


class Asked(Base):
    """Which arm an annotation fell into, and what the checker asked after it.

    Made with the annotation, in which the person's own verdict stands; what they change
    afterwards is a new version of it.
    """

    __tablename__ = "asked"

    annotation_id: Mapped[int] = mapped_column(ForeignKey("annotation.id"), primary_key=True)
    arm: Mapped[str]
    """asked, or control: nothing was asked."""
    refs: Mapped[list[str] | None] = mapped_column(JSON)
    """What the checker found and the person had not taken; None until it was looked for."""
    taken: Mapped[list[str]] = mapped_column(JSON, default=list)
    answered: Mapped[datetime | None] = mapped_column(UtcTime)
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Voided(Base):
    """An annotation that no longer counts, and why."""

    __tablename__ = "voided"

    annotation_id: Mapped[int] = mapped_column(ForeignKey("annotation.id"), primary_key=True)
    why: Mapped[str]
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Thread(Base):
    """A discussion of a claim, closed by a decision."""

    __tablename__ = "thread"

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"), index=True)
    decision: Mapped[str] = mapped_column(default="")
    closed: Mapped[datetime | None] = mapped_column(UtcTime)
    opened: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Message(Base):
    """A message of a discussion."""

    __tablename__ = "message"

    id: Mapped[int] = mapped_column(primary_key=True)
    thread_id: Mapped[int] = mapped_column(ForeignKey("thread.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    text: Mapped[str]
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Gold(Base):
    """The right answer of a claim that people are tested with."""

    __tablename__ = "gold"
    __table_args__ = (UniqueConstraint("claim_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"), index=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"))
    version: Mapped[int] = mapped_column(default=1)
    use: Mapped[str]
    """quiz, calibration or test."""
    phase: Mapped[int] = mapped_column(default=0)
    verdict: Mapped[str]
    sets: Mapped[list[list[str]]] = mapped_column(JSON, default=list)
    challenge: Mapped[str] = mapped_column(default="")
    explanation: Mapped[str] = mapped_column(default="")


class Grade(Base):
    """An annotation against the gold, or as a manager graded it."""

    __tablename__ = "grade"

    id: Mapped[int] = mapped_column(primary_key=True)
    annotation_id: Mapped[int] = mapped_column(ForeignKey("annotation.id"), unique=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    use: Mapped[str]
    phase: Mapped[int] = mapped_column(default=0)
    right: Mapped[bool]
    precision: Mapped[float] = mapped_column(default=1.0)
    recall: Mapped[float] = mapped_column(default=1.0)
    feedback: Mapped[str] = mapped_column(default="")
    seen: Mapped[datetime | None] = mapped_column(UtcTime)
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Qualification(Base):
    """How far a person has come in a workflow of a campaign; the newest row holds."""

    __tablename__ = "qualification"
    __table_args__ = (Index("ix_qualification", "person_id", "campaign_id", "workflow"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    workflow: Mapped[str]
    state: Mapped[str]
    """learning, waiting, qualified, suspended or rejected."""
    why: Mapped[str] = mapped_column(default="")
    decided_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Adjudication(Base):
    """A decision between annotations that disagree, made without knowing whose they are."""

    __tablename__ = "adjudication"

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"), index=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"))
    right: Mapped[list[int]] = mapped_column(JSON)
    """The annotations that are right: none, some or all."""
    verdict: Mapped[str | None]
    code: Mapped[str] = mapped_column(default="")
    """Why they differ: counting, overlooked detail, evidence not found, accident, other."""
    comment: Mapped[str] = mapped_column(default="")
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Release(Base):
    """A file that left the workbench, and its digest."""

    __tablename__ = "release"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    form: Mapped[str]
    digest: Mapped[str]
    claims: Mapped[int]
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)
