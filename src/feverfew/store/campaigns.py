"""Campaigns: made, found, changed; their guidelines, and the gold that people are tested with."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotFound
from feverfew.store.claim_tables import Campaign, Claim, Guideline
from feverfew.store.claims import add_claim
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.settings import Settings, settings_from
from feverfew.store.work_tables import Gold
from feverfew.types import Ref, Verdict


def make_campaign(
    session: Session, name: str, settings: Settings, corpus: str, guideline: str = ""
) -> Campaign:
    """Make a campaign."""
    if not name or not all(c.isalnum() or c in "-_" for c in name):
        raise InputError(f"a campaign's name has letters, digits, - and _ only, not {name!r}")
    if session.scalar(select(Campaign).where(Campaign.name == name)) is not None:
        raise InputError(f"there is a campaign {name!r} already")
    campaign = Campaign(
        name=name, kind=settings.kind, settings=msgspec.to_builtins(settings), corpus=corpus
    )
    session.add(campaign)
    session.flush()
    if guideline:
        write_guideline(session, campaign, guideline, None)
    return campaign


def campaign_named(session: Session, name: str) -> Campaign:
    """Return a campaign by its name."""
    plain = name.replace("\x00", "")  # which databases refuse
    found = session.scalar(select(Campaign).where(Campaign.name == plain))
    if found is None:
        known = session.scalars(select(Campaign.name).order_by(Campaign.name)).all()
        raise NotFound(f"no campaign {name!r}; there are {', '.join(known) or 'none'}")
    return found


def settings_of(campaign: Campaign) -> Settings:
    """Return a campaign's settings."""
    return settings_from(campaign.settings, campaign.name)


def change_settings(
    session: Session, campaign: Campaign, given: dict[str, Any], by: Person | None
) -> Settings:
    """Change a campaign's settings; its kind and its seed stay."""
    settings = settings_from(given, campaign.name)
    old = settings_of(campaign)
    if (settings.kind, settings.seed) != (old.kind, old.seed):
        raise InputError("kind and seed of a campaign cannot be changed: they shaped its data")
    before, campaign.settings = campaign.settings, msgspec.to_builtins(settings)
    audit(session, by, "change settings", campaign.name, before, campaign.settings)
    return settings


def guideline_of(session: Session, campaign: Campaign) -> Guideline | None:
    """Return the guidelines in force."""
    return session.scalar(
        select(Guideline)
        .where(Guideline.campaign_id == campaign.id)
        .order_by(Guideline.version.desc())
        .limit(1)
    )


def write_guideline(
    session: Session, campaign: Campaign, text: str, by: Person | None
) -> Guideline:
    """Put a new version of the guidelines into force."""
    last = session.scalar(
        select(func.max(Guideline.version)).where(Guideline.campaign_id == campaign.id)
    )
    made = Guideline(
        campaign_id=campaign.id,
        version=(last or 0) + 1,
        text=text,
        made_by=by.id if by else None,
    )
    session.add(made)
    audit(session, by, "write guidelines", campaign.name, after=made.version)
    return made


def add_gold(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    text: str,
    verdict: Verdict,
    *,
    use: str,
    phase: int = 0,
    sets: Sequence[Sequence[Ref]] = (),
    challenge: str = "",
    explanation: str = "",
    entity: str = "",
) -> Claim:
    """Add a claim whose right answer is known: for quizzes, the calibration, or hidden tests."""
    if use not in ("quiz", "calibration", "test"):
        raise InputError(f"unknown use {use!r} of gold; known are quiz, calibration, test")
    claim = add_claim(
        session, campaign, settings, text=text, generator="gold", state="gold", entity=entity
    )
    session.add(
        Gold(
            campaign_id=campaign.id,
            claim_id=claim.id,
            use=use,
            phase=phase,
            verdict=str(verdict),
            sets=[[str(ref) for ref in one] for one in sets],
            challenge=challenge,
            explanation=explanation,
        )
    )
    return claim
