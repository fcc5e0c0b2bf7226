"""Pages of a team: submit, choose what counts, describe the system, invite, make keys, withdraw."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response
from starlette.datastructures import UploadFile

from feverfew.arena.api_routes import LARGEST, keep
from feverfew.arena.entries import FIELDS, describe, description_of, due_at, withdraw
from feverfew.arena.phases import is_running, phases_of, settings_of
from feverfew.arena.scoring import Refused
from feverfew.arena.submissions import (
    Sent,
    change_submission,
    scores_of,
    submission_of,
    submissions_of,
    withdrawn_at,
)
from feverfew.arena.tasks import task_by_name
from feverfew.arena.visiting import own_team, show
from feverfew.errors import FeverfewError, InputError, NotAllowed
from feverfew.store.arena_tables import ArenaPhase
from feverfew.store.people import person_of
from feverfew.store.teams import invite_to_team, make_key, members_of, revoke_keys, teams_of
from feverfew.workbench.web import COOKIE, Fields, Here, bench_of, check_token, here, to

router = APIRouter(include_in_schema=False, default_response_class=Response)


@router.get("/arena/{task}/submit")
def form(at: here, task: str) -> Response:
    """Ask for a file."""
    return _form(at, task, [])


def _form(at: Here, task: str, problems: list[str], status: int = 200) -> Response:
    found, team = own_team(at, task)
    running = [(one, settings_of(one)) for one in phases_of(at.session, found) if is_running(one)]
    return show(
        at, "arena_submit.html", status, task=found, team=team, running=running, problems=problems
    )


@router.post("/arena/{task}/submit")
async def send(request: Request, task: str) -> Response:
    """Take a file from a form, and refuse or score it."""
    size = request.headers.get("content-length", "")
    if not size.isdecimal() or int(size) > LARGEST:
        raise HTTPException(413, f"a file may have up to {LARGEST >> 20} MB here")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions"
        async with request.form(max_files=1, max_fields=8) as fields:
            check_token(request, str(fields.get("token", "")))
            file = fields.get("file")
            if not isinstance(file, UploadFile) or not file.size:
                raise InputError("choose a file that is not empty")
            with path.open("wb") as out:
                await asyncio.to_thread(shutil.copyfileobj, file.file, out)
            said = {name: str(fields.get(name, "")) for name in ("phase", "system", "note", "team")}
        sent = await asyncio.to_thread(_sent, request, task, path, said)
        try:
            receipt = await keep(request, sent)
        except Refused as error:
            return await asyncio.to_thread(_refused, request, task, error)
    again = " You had submitted this file before." if receipt.again else ""
    return to(f"/arena/{task}/submissions?says=Submission {receipt.number} is kept.{again}")


def _sent(request: Request, task: str, path: Path, said: dict[str, str]) -> Sent:
    with bench_of(request).database.read() as session:
        person = person_of(session, request.cookies.get(COOKIE, ""))
        if person is None:
            raise HTTPException(303, "log in", {"Location": "/login?next=/arena"})
        _, team = own_team(Here(request, session, person), task, said["team"])
        return Sent(
            path=path,
            task=task,
            phase=said["phase"] or None,
            team=team,
            person=person.id,
            system=said["system"],
            note=said["note"],
        )


def _refused(request: Request, task: str, error: Refused) -> Response:
    with bench_of(request).database.read() as session:
        person = person_of(session, request.cookies.get(COOKIE, ""))
        assert person is not None  # or it would not have come so far
        return _form(Here(request, session, person), task, error.problems, 422)


@router.get("/arena/{task}/submissions")
def submissions(at: here, task: str) -> Response:
    """List what one's teams have submitted."""
    found = task_by_name(at.session, task)
    rows = []
    for team in teams_of(at.session, at.person):
        for made in submissions_of(at.session, found, team):
            phase = at.session.get_one(ArenaPhase, made.phase_id)
            scores = scores_of(at.session, phase, made)
            rows.append((team, made, phase, settings_of(phase), is_running(phase), scores))
    return show(at, "arena_submissions.html", task=found, rows=rows)


@router.post("/arena/{task}/submissions/{number}")
def change(at: here, form: Fields, task: str, number: int) -> Response:
    """Choose a submission, hide it, or show it again."""
    found = task_by_name(at.session, task)
    made = submission_of(at.session, found, number)
    if made.team_id not in {one.id for one in teams_of(at.session, at.person)}:
        raise NotAllowed("this is another team's submission", known=True)
    change_submission(at.session, made, form.one("do"), at.person)
    return to(f"/arena/{task}/submissions?says=Saved.")


@router.get("/arena/{task}/description")
def ask_description(at: here, task: str) -> Response:
    """Ask for the description of a team's system."""
    found, team = own_team(at, task)
    last = description_of(at.session, found, team.id)
    values = last.fields if last else {}
    return _description(at, task, values, "")


def _description(
    at: Here, task: str, values: dict[str, str], wrong: str, status: int = 200
) -> Response:
    found, team = own_team(at, task)
    return show(
        at,
        "arena_description.html",
        status,
        task=found,
        team=team,
        fields=FIELDS,
        values=values,
        due=due_at(found),
        wrong=wrong,
    )


@router.post("/arena/{task}/description")
def keep_description(at: here, form: Fields, task: str) -> Response:
    """Keep the description of a team's system."""
    found, team = own_team(at, task)
    values = {name: form.one(name) for name in FIELDS}
    try:
        describe(at.session, found, team, values, at.person)
    except FeverfewError as error:
        return _description(at, task, values, str(error), 422)
    return to(f"/arena/{task}/description?says=Saved.")


@router.get("/arena/{task}/team")
def team_page(at: here, task: str) -> Response:
    """Show one's team: its people, and whether it takes part."""
    return _team(at, task)


def _team(at: Here, task: str, **shown: str) -> Response:
    found, team = own_team(at, task)
    return show(
        at,
        "arena_team.html",
        task=found,
        team=team,
        members=members_of(at.session, team),
        withdrawn=withdrawn_at(at.session, found, team),
        link=shown.get("link", ""),
        key=shown.get("key", ""),
    )


@router.post("/arena/{task}/team")
def change_team(at: here, form: Fields, task: str) -> Response:
    """Invite someone, make or revoke keys, or withdraw; keys and links are shown once."""
    found, team = own_team(at, task)
    match form.one("do"):
        case "invite":
            return _team(at, task, link=f"/join/{invite_to_team(at.session, team, at.person)}")
        case "key":
            return _team(at, task, key=make_key(at.session, team, at.person))
        case "revoke":
            count = revoke_keys(at.session, team, at.person)
            return to(f"/arena/{task}/team?says=Revoked: {count}.")
        case "withdraw":
            withdraw(at.session, found, team, at.person)
            return to(f"/arena/{task}/team?says=The team has withdrawn.")
    raise InputError("choose invite, key, revoke or withdraw")
