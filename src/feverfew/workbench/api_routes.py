"""The work as JSON, for programs that carry a person's key: tasks, drafts, search, progress."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from feverfew.errors import InputError, NotAllowed
from feverfew.server.http import answer, read
from feverfew.server.openapi import described
from feverfew.store.access import bearer
from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claim_tables import Campaign
from feverfew.store.people_tables import AccessKey
from feverfew.store.settings import role_for
from feverfew.store.submit import SKIP_REASONS, save_draft
from feverfew.workbench.api_messages import (
    Answer,
    Campaigns,
    CampaignShown,
    ElementShown,
    NextRequest,
    NextTask,
    Opened,
    OpenRequest,
    Refused,
    Saved,
    Searched,
    SearchRequest,
    Submitted,
    TaskShown,
)
from feverfew.workbench.export import export
from feverfew.workbench.navigation import search
from feverfew.workbench.progress import progress_of
from feverfew.workbench.screens import JudgeScreen, Screen
from feverfew.workbench.taking import next_slot
from feverfew.workbench.tasks import MOST_SETS, Task, load_task
from feverfew.workbench.web import Here, Number, bench_of, require
from feverfew.workbench.work_routes import screen_of

router = APIRouter(default_response_class=Response)
T = TypeVar("T")
_READ = (401, 403, 404, 422, 429)
_POSTED = (400, 401, 403, 404, 413, 415, 422, 429)
_bearer = HTTPBearer(auto_error=False, description="A key from the page 'My data'")


def _keyed(scope: str, *, writes: bool = False) -> Any:
    """Open a transaction for the bearer of a key that has a scope."""

    def opened(
        request: Request,
        given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    ) -> Iterator[Keyed]:
        database = bench_of(request).database
        with database.write() if writes else database.read() as session:
            try:
                key, person = bearer(session, given.credentials if given else "")
            except NotAllowed as error:
                why = str(error) if given else "a key is needed: send 'Authorization: Bearer KEY'"
                raise HTTPException(401, why, {"WWW-Authenticate": "Bearer"}) from None
            request.app.state.uses.take(str(key.id))
            if scope and scope not in key.scopes:
                raise NotAllowed(f"the key {key.name!r} does not allow {scope}", known=True)
            yield Keyed(request, session, person, key)

    return Depends(opened, scope="function")


class Keyed(Here):
    """Who asks by a key."""

    def __init__(self, request: Request, session: Any, person: Any, key: AccessKey) -> None:
        super().__init__(request, session, person)
        self.key = key

    def campaign(self, name: str) -> Campaign:
        """Return a campaign that the key opens."""
        found = campaign_named(self.session, name)
        if self.key.campaign_id not in (None, found.id):
            raise NotAllowed(f"the key {self.key.name!r} is for another campaign", known=True)
        return found

    def managed(self, name: str) -> Campaign:
        """Return a campaign that the key opens and its person manages."""
        found = self.campaign(name)
        require(self, "manager", found.id)
        return found

    def task(self, campaign: str, number: int) -> tuple[Task, Screen]:
        """Load a task that the person holds, and its screen."""
        found = self.campaign(campaign)
        task = load_task(self.bench, self.session, found, number, self.person)
        return task, screen_of(task)


def _body(kind: type[T]) -> Callable[[Request], Awaitable[T]]:
    decoder = msgspec.json.Decoder(kind)

    async def taken(request: Request) -> T:
        return await read(request, decoder)

    return taken


# Bodies come first: no transaction waits for what is still on its way.
Asking = Annotated[Keyed, _keyed("")]
Managing = Annotated[Keyed, _keyed("manage")]
Exporting = Annotated[Keyed, _keyed("export")]
Looking = Annotated[Keyed, _keyed("work")]
Working = Annotated[Keyed, _keyed("work", writes=True)]
Answered = Annotated[Answer, Depends(_body(Answer))]


@router.get("/v1/campaigns", openapi_extra=described("Campaigns", fails=(401, 403, 429)))
def campaigns(at: Asking) -> Response:
    """List the campaigns in which the key's person may do something."""
    rows = []
    for one in at.session.scalars(select(Campaign).order_by(Campaign.id)):
        settings = settings_of(one)
        workflows = [w for w in settings.workflows if at.may(role_for(w), one.id)]
        manages = at.may("manager", one.id)
        if at.key.campaign_id in (None, one.id) and (workflows or manages):
            rows.append(CampaignShown(one.name, one.kind, settings.title, workflows, manages))
    return answer(Campaigns(at.person.pseudonym, at.key.scopes, rows))


@router.post(
    "/v1/campaigns/{campaign}/tasks",
    openapi_extra=described(
        "NextTask", takes="NextRequest", example={"workflow": "label"}, fails=_POSTED
    ),
)
def next_task(
    asked: Annotated[NextRequest, Depends(_body(NextRequest))], at: Looking, campaign: str
) -> Response:
    """Take the next task of a workflow; the one that is held already, if there is one."""
    found = at.campaign(campaign)
    slot, why = next_slot(
        at.bench, at.session, at.person, found, asked.workflow, supers=asked.super
    )
    if slot is None:
        return answer(NextTask(None, why))
    with at.bench.database.write() as session:
        task = load_task(at.bench, session, found, slot.id, at.person)
        screen = screen_of(task)
        screen.start(task)
        save_draft(session, task.settings, task.slot, task.person, task.draft, 0)
        return answer(NextTask(_shown(task, screen)))


@router.get(
    "/v1/campaigns/{campaign}/tasks/{number}", openapi_extra=described("TaskShown", fails=_READ)
)
def show_task(at: Looking, campaign: str, number: Number) -> Response:
    """Show a task as its draft has it."""
    return answer(_shown(*at.task(campaign, number)))


def _shown(task: Task, screen: Screen) -> TaskShown:
    draft = {name: task.draft.get(name) for name in ("verdict", "challenge", "sets", "fields")}
    return TaskShown(
        task=task.slot.id,
        campaign=task.campaign.name,
        workflow=task.slot.workflow,
        title=screen.title,
        until=task.slot.leased_until,
        claim=task.claim.text if task.claim else "",
        guide=screen.guide,
        verdicts=[name for name, _, _ in screen.verdicts],
        challenges=list(screen.challenges),
        reasons={name: SKIP_REASONS[name] for name in screen.skips},
        most_sets=MOST_SETS[task.campaign.kind] if screen.judging else 0,
        practice=task.practice,
        notes=screen.notes(task),
        fields=screen.fields(task),
        paragraphs=screen.paragraphs(task),
        draft=draft,
    )


@router.put(
    "/v1/campaigns/{campaign}/tasks/{number}/draft",
    openapi_extra=described("Saved", takes="Answer", example={"sets": [[]]}, fails=_POSTED),
)
def keep_draft(given: Answered, at: Working, campaign: str, number: Number) -> Response:
    """Keep a draft, and renew the lease."""
    task, screen = at.task(campaign, number)
    _fill(task, screen, given)
    save_draft(at.session, task.settings, task.slot, at.person, task.draft, given.active_ms)
    return answer(Saved(task.slot.leased_until, screen.problems(task)))


def _fill(task: Task, screen: Screen, given: Answer) -> None:
    """Put an answer into the draft."""
    screen.start(task)
    task.draft["fields"].update({_plain(k): _plain(v) for k, v in given.fields.items()})
    for name in ("verdict", "challenge"):
        if (value := getattr(given, name)) is not None:
            task.draft[name] = _plain(value)
    if given.sets is not None:
        task.choose([[_plain(name) for name in one] for one in given.sets])


def _plain(text: str) -> str:
    return text.replace("\x00", "")  # which databases refuse


@router.post(
    "/v1/campaigns/{campaign}/tasks/{number}/submission",
    openapi_extra=described(
        "Submitted", takes="Answer", example={"verdict": "NOT ENOUGH INFO"}, fails=_POSTED
    ),
)
def submit(given: Answered, at: Working, campaign: str, number: Number) -> Response:
    """Submit a task, or skip it; what is wrong is said, and the draft kept."""
    task, screen = at.task(campaign, number)
    _fill(task, screen, given)
    if task.slot.state == "leased":
        save_draft(at.session, task.settings, task.slot, at.person, task.draft, given.active_ms)
    following = ""
    if given.skip:
        if not isinstance(screen, JudgeScreen):
            raise InputError("this task has no claim to skip; give it up with 'give_up'")
        screen.skip(task, tuple(given.skip))
    elif given.give_up:
        if not screen.may_skip_source:
            raise InputError("this task cannot be given up")
        screen.skip_source(task)
    elif problems := screen.problems(task):
        return answer(Refused(" ".join(problems), problems), status=422)
    else:
        try:
            following = screen.finish(task, given.flag)
        except IntegrityError:
            raise NotAllowed("this task was submitted already", known=True) from None
    return answer(Submitted(task.slot.id, following))


@router.post(
    "/v1/campaigns/{campaign}/tasks/{number}/search",
    openapi_extra=described(
        "Searched", takes="SearchRequest", example={"q": "Fritz Lang"}, fails=_POSTED
    ),
)
def search_corpus(
    asked: Annotated[SearchRequest, Depends(_body(SearchRequest))],
    at: Working,
    campaign: str,
    number: Number,
) -> Response:
    """Search the corpus while at a task; it is logged with it."""
    task, screen = at.task(campaign, number)
    _may_search(screen)
    task.log("search", _plain(asked.q))
    return answer(Searched(search(at.bench.corpus, asked.q)))


@router.post(
    "/v1/campaigns/{campaign}/tasks/{number}/open",
    openapi_extra=described(
        "Opened", takes="OpenRequest", example={"title": "Fritz Lang"}, fails=_POSTED
    ),
)
def open_page(
    asked: Annotated[OpenRequest, Depends(_body(OpenRequest))],
    at: Working,
    campaign: str,
    number: Number,
) -> Response:
    """Open a page while at a task; it is logged with it."""
    task, screen = at.task(campaign, number)
    _may_search(screen)
    page = at.bench.corpus.page(asked.title)
    task.log("Now on", page.title)
    elements = [ElementShown(str(ref), text) for ref, text in page.elements()]
    links = dict.fromkeys(link.target for _, link in page.links())
    return answer(Opened(page.title, elements, list(links)))


def _may_search(screen: Screen) -> None:
    if not screen.navigates:
        raise NotAllowed("this task has its own paragraphs; the corpus is not searched", known=True)


@router.get("/v1/campaigns/{campaign}/progress", openapi_extra=described("Progress", fails=_READ))
def progress(at: Managing, campaign: str) -> Response:
    """Say how far a campaign has come."""
    return answer(progress_of(at.session, at.managed(campaign)))


@router.get(
    "/v1/campaigns/{campaign}/export",
    openapi_extra=described("", fails=_READ, media="application/jsonl"),
)
def export_campaign(at: Exporting, campaign: str, form: str = "") -> Response:
    """Export the data set, or annotations, claims, hours or profiles; JSON lines, HoVer's JSON."""
    data = export(at.session, at.managed(campaign), form)
    return Response(data, media_type="application/jsonl")
