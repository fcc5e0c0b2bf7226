"""Taking the next task: who may, what they must learn first, and the slot."""

from sqlalchemy.orm import Session

from feverfew.errors import InputError, NotAllowed
from feverfew.store.assign import held, take
from feverfew.store.campaigns import settings_of
from feverfew.store.claim_tables import Campaign
from feverfew.store.database import now
from feverfew.store.people import require_role
from feverfew.store.people_tables import Person
from feverfew.store.quality import learning_slot, learning_state
from feverfew.store.settings import role_for
from feverfew.store.work_tables import Slot
from feverfew.workbench.bench import Bench

FEEDBACK = "feedback"
"""Said instead of a reason where feedback has to be read first."""


def next_slot(
    bench: Bench,
    session: Session,
    person: Person,
    campaign: Campaign,
    workflow: str,
    *,
    supers: bool = False,
) -> tuple[Slot | None, str]:
    """Give a person the next slot of a workflow, or say why there is none.

    The session only reads; what is taken is written in a transaction of its own.
    """
    settings = settings_of(campaign)
    if workflow not in settings.workflows:
        raise InputError(f"no workflow {workflow!r}; known are {', '.join(settings.workflows)}")
    require_role(session, person, role_for(workflow), campaign.id)
    if supers:
        require_role(session, person, "super", campaign.id)
    state = learning_state(session, campaign, settings, person, workflow)
    if state.state in ("suspended", "rejected"):
        why = f"you are {state.state} in this workflow: {state.why or 'ask a manager'}"
        raise NotAllowed(why, known=True)
    if state.next_use == FEEDBACK:
        return None, FEEDBACK
    if state.state == "waiting":
        return None, "A manager has to approve you first."
    slot = None
    if state.state == "learning":
        slot = held(session, campaign.id, person.id, workflow)
        if slot is None:
            with bench.database.write() as writing:
                slot = learning_slot(writing, campaign, person, workflow, state)
                if slot is not None:
                    slot.state, slot.person_id, slot.started = "leased", person.id, now()
    if slot is None:
        slot = take(bench.database, campaign, settings, person.id, workflow, supers=supers)
    if slot is None:
        return None, f"Nothing is left to do in {campaign.name}, {workflow}. Thank you!"
    return slot, ""
