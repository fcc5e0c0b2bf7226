"""What was collected is released: every judgement of the pool, under pseudonyms."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from sqlalchemy.orm import Session

from feverfew.arena.golds import gold_row, load_gold
from feverfew.arena.pool import draws_of
from feverfew.errors import InputError
from feverfew.store.arena_tables import ArenaTask
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign
from feverfew.store.people import audit
from feverfew.store.people_tables import Person
from feverfew.store.work_tables import Release
from feverfew.workbench.judgements import told


def release(
    session: Session, folder: Path, task: ArenaTask, part: str, by: Person | None = None
) -> bytes:
    """Return all judgements of a part's pool as JSON lines, and keep the file's digest."""
    if task.campaign_id is None:
        raise InputError(f"nothing was pooled for {task.name}, so there is nothing to release")
    campaign = session.get_one(Campaign, task.campaign_id)
    rows = list(_rows(session, folder, task, part, campaign))
    data = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    session.add(
        Release(
            campaign_id=campaign.id,
            person_id=by.id if by else None,
            form="pool",
            digest=sha256(data).hexdigest(),
            claims=len({row["id"] for row in rows}),
        )
    )
    audit(session, by, "release pool", task.name, after=len(rows))
    return data


def _rows(
    session: Session, folder: Path, task: ArenaTask, part: str, campaign: Campaign
) -> Iterator[dict[str, object]]:
    said = told(session, campaign, settings_of(campaign))
    gold = load_gold(folder, task, gold_row(session, task, part))
    for draw in draws_of(session, task, part):
        claim = gold.claims[draw.place]
        for one in said.get(draw.claim_id, []):
            yield {
                "id": claim.id,
                "claim": claim.text,
                "draw": draw.ordinal,
                "evidence": draw.refs,
                "annotator": one.pseudonym,
                "verdict": one.annotation.verdict,
                "sets": [[element.ref for element in own] for own in one.sets],
                "note": one.annotation.note,
                "at": one.annotation.at,
            }
