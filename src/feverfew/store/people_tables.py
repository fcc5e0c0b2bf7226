"""Tables of people: who they are, how they log in, what they may do, and who did what."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from feverfew.store.database import Base, UtcTime, now


class Person(Base):
    """Someone with an account. What leaves the workbench names the pseudonym only."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    pseudonym: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(unique=True)
    """What they log in with."""
    mail: Mapped[str] = mapped_column(default="")
    profile: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Native language, country, education and the like; exported as aggregates only."""
    active: Mapped[bool] = mapped_column(default=True)
    trained_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    keys: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """The keys that they remapped."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Credential(Base):
    """A password's argon2id hash."""

    __tablename__ = "credential"

    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), primary_key=True)
    hash: Mapped[str]
    changed: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Login(Base):
    """A browser that is logged in; only the digest of its token is kept."""

    __tablename__ = "login"

    digest: Mapped[str] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)
    until: Mapped[datetime] = mapped_column(UtcTime)


class Invite(Base):
    """A link that lets one person in, once; only the digest of its token is kept."""

    __tablename__ = "invite"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    roles: Mapped[list[str]] = mapped_column(JSON)
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """Whose password it renews; None for a new account."""
    made_by: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    expires: Mapped[datetime] = mapped_column(UtcTime)
    used: Mapped[datetime | None] = mapped_column(UtcTime)


class AccessKey(Base):
    """A key with which a program acts for a person; only its digest is kept."""

    __tablename__ = "access_key"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    name: Mapped[str]
    scopes: Mapped[list[str]] = mapped_column(JSON)
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    """The only campaign that it opens; None for all that its person may enter."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)


class Grant(Base):
    """A role of a person, in one campaign or in all."""

    __tablename__ = "role_grant"
    __table_args__ = (UniqueConstraint("person_id", "role", "campaign_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    role: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))


class Audit(Base):
    """Who changed what, before and after."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_at", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime, default=now)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    what: Mapped[str]
    subject: Mapped[str]
    before: Mapped[Any] = mapped_column(JSON, nullable=True)
    after: Mapped[Any] = mapped_column(JSON, nullable=True)
