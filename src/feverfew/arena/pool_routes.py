"""Pages of the pool: how far judging is, conflicts, changes of the gold, and error coding."""

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse
from sqlalchemy import func, select

from feverfew.arena.coding import code_error, next_error, tally_of
from feverfew.arena.golds import gold_row, gold_rows, load_gold
from feverfew.arena.judged import Outcome, adjudicate, judged
from feverfew.arena.phases import phase_named
from feverfew.arena.pool import draws_of
from feverfew.arena.pool_screen import PoolScreen
from feverfew.arena.report import as_html, report
from feverfew.arena.tasks import task_by_name
from feverfew.arena.versions import changes_of
from feverfew.arena.visiting import show
from feverfew.errors import InputError, NotFound
from feverfew.store.arena_tables import ArenaPhase, ArenaTask
from feverfew.store.claim_tables import Campaign
from feverfew.store.people import audit
from feverfew.store.work_tables import Slot
from feverfew.types import Verdict
from feverfew.workbench.navigation import element_texts
from feverfew.workbench.web import Fields, Here, here, require, to

router = APIRouter(include_in_schema=False, default_response_class=Response)
VERDICTS = PoolScreen.verdicts


def _found(at: Here, task: str) -> tuple[ArenaTask, ArenaPhase]:
    found = task_by_name(at.session, task)
    return found, phase_named(at.session, found, None)


@router.get("/arena/{task}/pool")
def pool(at: here, task: str) -> Response:
    """Show how far judging is, and lead to the next piece of evidence."""
    found, phase = _found(at, task)
    counts: dict[str, int] = {}
    campaign = at.session.get(Campaign, found.campaign_id) if found.campaign_id else None
    if campaign is not None:
        rows = at.session.execute(
            select(Slot.state, func.count())
            .where(Slot.campaign_id == campaign.id)
            .group_by(Slot.state)
        )
        counts = {str(state): int(count) for state, count in rows}
    versions = gold_rows(at.session, found, phase.part) if at.may("organiser") else []
    changes = [change for one in versions for change in changes_of(at.session, one)]
    if changes:
        with at.bench.database.write() as session:
            audit(session, at.person, "look at changes", task)
    return show(
        at,
        "arena_pool.html",
        task=found,
        campaign=campaign,
        drawn=len(draws_of(at.session, found, phase.part)),
        counts=counts,
        changes=changes,
    )


def _outcome(at: Here, task: ArenaTask, phase: ArenaPhase) -> Outcome:
    gold = load_gold(at.bench.directory, task, gold_row(at.session, task, phase.part))
    return judged(at.session, task, phase.part, gold)


@router.get("/arena/{task}/conflicts")
def conflicts(at: here, task: str) -> Response:
    """Show an organiser the judgements that contradict the gold, without names."""
    require(at, "organiser")
    found, phase = _found(at, task)
    outcome = _outcome(at, found, phase)
    with at.bench.database.write() as session:
        audit(session, at.person, "look at conflicts", task, after=len(outcome.conflicts))
    first = next(iter(outcome.conflicts), None)
    refs = [e.ref for one in (first.said if first else ()) for own in one.sets for e in own]
    return show(
        at,
        "arena_conflicts.html",
        task=found,
        outcome=outcome,
        conflict=first,
        claim=first.said[0].claim if first else None,
        verdicts=VERDICTS,
        texts=element_texts(at.bench.corpus, refs),
    )


@router.post("/arena/{task}/conflicts/{claim}")
def decide(at: here, form: Fields, task: str, claim: int) -> Response:
    """Decide between the gold and the judgements."""
    require(at, "organiser")
    found, phase = _found(at, task)
    open_ = [one for one in _outcome(at, found, phase).conflicts if one.claim == claim]
    if not open_:
        raise NotFound(f"no open conflict {claim}")
    if form.one("verdict") not in [name for name, _, _ in VERDICTS]:
        raise InputError("choose a verdict")
    verdict = Verdict(form.one("verdict"))
    adjudicate(at.session, open_[0], verdict, at.person.id, form.one("comment"))
    audit(at.session, at.person, "adjudicate", f"{task} {claim}", after=str(verdict))
    return to(f"/arena/{task}/conflicts?says=Decided.")


@router.get("/arena/{task}/report")
def show_report(at: here, task: str) -> Response:
    """Show an organiser the report of a task."""
    require(at, "organiser")
    found, phase = _found(at, task)
    made = report(at.session, at.bench.directory, found, phase)
    with at.bench.database.write() as session:
        audit(session, at.person, "look at report", task)
    return HTMLResponse(as_html(made))


@router.get("/arena/{task}/errors")
def errors(at: here, task: str) -> Response:
    """Ask an organiser why a system erred, as FEVER's appendix B does."""
    require(at, "organiser")
    found, phase = _found(at, task)
    answers = {
        name: value == "yes"
        for name, value in at.request.query_params.items()
        if value in ("yes", "no")
    }
    open_ = next_error(at.session, at.bench.directory, found, phase.part, answers)
    with at.bench.database.write() as session:
        audit(session, at.person, "look at error", task, after=open_.draw.id if open_ else None)
    return show(
        at,
        "arena_errors.html",
        task=found,
        error=open_,
        answers=answers,
        texts=element_texts(at.bench.corpus, open_.refs) if open_ else {},
        tally=tally_of(at.session, found),
    )


@router.post("/arena/{task}/errors/{draw}")
def code(at: here, form: Fields, task: str, draw: int) -> Response:
    """Keep how an error was coded."""
    require(at, "organiser")
    found, phase = _found(at, task)
    answers = {name: form.one(name) == "yes" for name in form if form.one(name) in ("yes", "no")}
    code_error(
        at.session,
        at.bench.directory,
        found,
        phase.part,
        draw,
        answers,
        form.one("note"),
        at.person,
    )
    return to(f"/arena/{task}/errors?says=Coded.")
