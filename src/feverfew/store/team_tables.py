"""Tables of teams: who belongs to one, who is invited, and the keys that its programs carry."""

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from feverfew.store.database import Base, UtcTime, now


class Team(Base):
    """People who take part together."""

    __tablename__ = "team"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    organisers: Mapped[bool] = mapped_column(default=False)
    """Whether it stands for the organisers, who enter baselines."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)


class Membership(Base):
    """A person of a team."""

    __tablename__ = "membership"
    __table_args__ = (UniqueConstraint("team_id", "person_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("person.id"), index=True)
    since: Mapped[datetime] = mapped_column(UtcTime, default=now)


class TeamInvite(Base):
    """The team that whoever accepts an invitation joins."""

    __tablename__ = "team_invite"

    invite_id: Mapped[int] = mapped_column(ForeignKey("invite.id"), primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"))


class TeamKey(Base):
    """A key with which a program submits for a team; only its digest is kept."""

    __tablename__ = "team_key"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("team.id"), index=True)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    """Who made it."""
    created: Mapped[datetime] = mapped_column(UtcTime, default=now)
    revoked: Mapped[datetime | None] = mapped_column(UtcTime)
