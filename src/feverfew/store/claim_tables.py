"""Tables of a campaign: its settings and guidelines, what claims are made from, and the claims."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from feverfew.store.database import Base, UtcTime, now


class Campaign(Base):
    """A data set in the making."""

    __tablename__ = "campaign"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    """fever, feverous or hover."""
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    corpus: Mapped[str]
    """The fingerprint of the corpus."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Guideline(Base):
    """A version of the guidelines; annotations say which one was in force."""

    __tablename__ = "guideline"
    __table_args__ = (UniqueConstraint("campaign_id", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    version: Mapped[int]
    text: Mapped[str]
    made_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Source(Base):
    """What claims are made from: a sentence, a highlight, or a question with its answer."""

    __tablename__ = "source"
    __table_args__ = (UniqueConstraint("campaign_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    key: Mapped[str]
    """Unique in the campaign: the element; for a highlight the page, which is used once."""
    kind: Mapped[str]
    """sentence, highlight or question."""
    page: Mapped[str] = mapped_column(default="")
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    """Elements, context, question and answer, and what is prescribed."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Claim(Base):
    """A claim, where it comes from, and how far it has come."""

    __tablename__ = "claim"
    __table_args__ = (
        Index("ix_claim_campaign", "campaign_id", "state"),
        Index("ix_claim_source", "source_id", "author_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source.id"))
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("claim.id"))
    operation: Mapped[str] = mapped_column(default="original")
    """original, the name of a mutation, extension, or I, II and III."""
    text: Mapped[str]
    entity: Mapped[str] = mapped_column(default="")
    author_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    generator: Mapped[str] = mapped_column(default="")
    """What made it, with version and seed, where no person did."""
    state: Mapped[str] = mapped_column(default="draft")
    """draft, open, reported, discarded, or gold: kept for quizzes, calibration and tests."""
    hops: Mapped[int | None]
    challenge: Mapped[str] = mapped_column(default="")
    """The one that its author expects."""
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Supporting facts, changed words, protected names."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)
    open_from: Mapped[datetime] = mapped_column(UtcTime, default=now)
    """When its author can no longer edit it, and others may see it."""


class TextChange(Base):
    """A correction of a claim's text."""

    __tablename__ = "text_change"

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    before: Mapped[str]
    after: Mapped[str]
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)


class RuleHit(Base):
    """A requirement that a claim broke when it was submitted."""

    __tablename__ = "rule_hit"

    id: Mapped[int] = mapped_column(primary_key=True)
    claim_id: Mapped[int] = mapped_column(ForeignKey("claim.id"), index=True)
    rule: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
