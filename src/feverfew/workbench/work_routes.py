"""The work itself: take a task, change its draft by every button, confirm, submit."""

from typing import Any

from fastapi import APIRouter, Response
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from feverfew.errors import InputError, NotAllowed
from feverfew.store.assign import may_work
from feverfew.store.campaigns import campaign_named
from feverfew.store.claim_tables import Campaign, Claim
from feverfew.store.database import now
from feverfew.store.quality import see_grades
from feverfew.store.submit import SKIP_REASONS, save_draft
from feverfew.store.work_tables import Annotation, Slot
from feverfew.types import Kind, Ref
from feverfew.workbench.account_routes import grades_of
from feverfew.workbench.fever_screens import LabelScreen, MutateScreen, WriteScreen
from feverfew.workbench.feverous_screens import HighlightScreen, VerifyScreen
from feverfew.workbench.hover_extension import ExtendScreen
from feverfew.workbench.hover_screens import (
    CreateScreen,
    HoverLabelScreen,
    HoverMutateScreen,
    ValidateScreen,
)
from feverfew.workbench.navigation import dictionary, element_texts, search, show
from feverfew.workbench.screens import JudgeScreen, Screen
from feverfew.workbench.taking import FEEDBACK, next_slot
from feverfew.workbench.tasks import MOST_SETS, Task, load_task
from feverfew.workbench.web import Fields, Form, Number, active_ms, here, looking, to

router = APIRouter(include_in_schema=False, default_response_class=Response)
SCREENS: dict[tuple[str, str], Screen] = {
    ("fever", "write"): WriteScreen(),
    ("fever", "mutate"): MutateScreen(),
    ("fever", "label"): LabelScreen(),
    ("feverous", "highlight"): HighlightScreen(),
    ("feverous", "verify"): VerifyScreen(),
    ("hover", "create"): CreateScreen(),
    ("hover", "validate"): ValidateScreen(),
    ("hover", "extend"): ExtendScreen(),
    ("hover", "mutate"): HoverMutateScreen(),
    ("hover", "label"): HoverLabelScreen(),
}


def screen_of(task: Task) -> Screen:
    """Return the screen on which a task is done."""
    found = SCREENS.get((task.campaign.kind, task.slot.workflow))
    if found is None:
        raise InputError("this evidence is judged in the arena: run 'feverfew arena serve'")
    return found


@router.post("/work/{campaign}/next/{workflow}")
def next_task(form: Fields, at: looking, campaign: str, workflow: str) -> Response:
    """Give a person the next task of a workflow."""
    found = campaign_named(at.session, campaign)
    supers = bool(form.one("super"))
    slot, why = next_slot(at.bench, at.session, at.person, found, workflow, supers=supers)
    if slot is not None:
        return to(f"/work/{campaign}/t/{slot.id}")
    return to(f"/work/{campaign}/learn/{workflow}" if why == FEEDBACK else f"/work?says={why}")


@router.get("/work/{campaign}/learn/{workflow}")
def feedback(at: here, campaign: str, workflow: str) -> Response:
    """Show the grades of a phase of the calibration, before the next one."""
    found = campaign_named(at.session, campaign)
    return at.page("learn.html", campaign=found, workflow=workflow, grades=grades_of(at))


@router.post("/work/{campaign}/learn/{workflow}")
def seen(form: Fields, at: here, campaign: str, workflow: str) -> Response:
    """Note that a person has read the feedback."""
    see_grades(at.session, campaign_named(at.session, campaign).id, at.person.id)
    return to("/work")


@router.get("/work/{campaign}/t/{slot}")
def show_task(at: here, campaign: str, slot: Number) -> Response:
    """Show a task as its draft has it."""
    task = load_task(at.bench, at.session, campaign_named(at.session, campaign), slot, at.person)
    return _render(at, task, [])


def _render(at: Any, task: Task, problems: list[str], status: int = 200) -> Response:
    screen = screen_of(task)
    if not task.draft.get("begun"):
        with at.bench.database.write() as session:
            own = load_task(at.bench, session, task.campaign, task.slot.id, task.person)
            if own.slot.state == "leased":
                screen.start(own)
                save_draft(session, own.settings, own.slot, own.person, own.draft, 0)
            task.draft = own.draft
    draft, corpus = task.draft, task.bench.corpus
    shown = None
    if screen.navigates and draft.get("page") and not draft.get("found"):
        shown = show(corpus, draft["page"], draft.get("find", ""))
    values: dict[str, Any] = {
        "task": task,
        "screen": screen,
        "draft": draft,
        "problems": problems,
        "results": search(corpus, draft.get("q", "")) if draft.get("found") else None,
        "shown": shown,
        "taken": set(draft["sets"][draft["active"]]),
        "used": {name for one in draft["sets"] for name in one},
        "shared": sorted(task.shared()),
        "texts": element_texts(corpus, [name for one in draft["sets"] for name in one]),
        "most_sets": MOST_SETS[task.campaign.kind],
        "reasons": {name: SKIP_REASONS[name] for name in screen.skips},
    }
    if isinstance(screen, JudgeScreen):
        values["expanded"] = _expanded(task)
        values["paragraphs"] = screen.paragraphs(task)
        values["marks"] = screen.marks(task)
        confirming = draft.get("stage") == "confirm" and not problems
        return at.page("confirm.html" if confirming else "judge.html", status, **values)
    values["notes"], values["fields"] = screen.notes(task), screen.fields(task)
    return at.page("compose.html", status, **values)


def _expanded(task: Task) -> Any:
    """Return the dictionary of the sentence that is expanded."""
    name = task.draft.get("expanded")
    if not name:
        return None
    ref = Ref.parse(name)
    page = task.bench.corpus.page(ref.page)
    sentence = next((s for s in page.sentences if (s.index,) == ref.position), None)
    links = [link.target for link in sentence.links] if sentence else []
    entries = dictionary(task.bench.corpus, links)
    if task.draft.get("main"):
        entries = [*dictionary(task.bench.corpus, [page.title]), *entries]
    return {"ref": name, "text": sentence.text if sentence else "", "entries": entries}


@router.post("/work/{campaign}/t/{slot}")
def act(form: Fields, at: here, campaign: str, slot: Number) -> Response:
    """Do what a button says; whatever it is, the draft is kept."""
    found = campaign_named(at.session, campaign)
    task = load_task(at.bench, at.session, found, slot, at.person)
    screen = screen_of(task)
    screen.start(task)
    _merge(task, form)
    what, _, value = form.one("do").partition(":")
    if what in ("submit", "flag", "skip", "skip-source"):
        return _end(at, task, screen, what, form)
    _navigate(task, screen, what, value)
    if isinstance(screen, JudgeScreen):
        _choose(task, what, value)
        if what == "confirm" and (problems := screen.problems(task)):
            _save(task, form)
            return _render(at, task, problems, 422)
        task.draft["stage"] = "confirm" if what == "confirm" else "work"
    _save(task, form)
    anchor = ""
    if what in ("take", "expand", "row", "column"):
        ref = Ref.parse(value) if "_" in value else None
        anchor = f"#{ref.kind}_{ref.position_text}" if ref else ""
    return to(task.address + anchor)


def _merge(task: Task, form: Form) -> None:
    """Put a form's fields into the draft."""
    for name in form:
        if name.startswith("f-"):
            task.draft["fields"][name.removeprefix("f-")] = form.one(name)
    for name in ("verdict", "challenge"):
        if name in form:
            task.draft[name] = form.one(name)


def _save(task: Task, form: Form) -> None:
    if task.slot.state == "done":  # what was submitted is being corrected
        task.keep_draft()
        return
    given = active_ms(form)
    save_draft(task.session, task.settings, task.slot, task.person, task.draft, given)


def _navigate(task: Task, screen: Screen, what: str, value: str) -> None:
    if not screen.navigates:
        return
    draft = task.draft
    match what:
        case "enter" | "search":
            query, find = task.text("q"), task.text("find")
            if find != draft.get("find", "") and query == draft.get("q", ""):
                draft["find"] = find
                task.log("Page search" if find else "page-search-reset", find)
            elif query:
                draft.update(q=query, found=True)
                task.log("search", query)
        case "find":
            draft["find"] = task.text("find")
            task.log("Page search", draft["find"])
        case "result" | "open":
            if value in task.bench.corpus:
                title = task.bench.corpus.page(value).title
                task.open_page(title, "hyperlink" if what == "open" else "")
        case "jump" if task.source is not None:
            task.log("Jump to Highlight", task.source.page)
            task.open_page(task.source.page, "")
        case "results":
            draft["found"] = True
        case "back" if draft["trail"]:
            draft["page"], draft["trail"] = draft["trail"][-1], draft["trail"][:-1]
            draft["found"] = False
            task.log("back-button-clicked", draft["page"])
    if what in ("result", "open", "back", "jump"):
        draft["fields"].pop("find", None)


def _choose(task: Task, what: str, value: str) -> None:
    match what:
        case "take":
            task.toggle([value])
        case "row" | "column":
            task.toggle(_line(task, value, what))
        case "set" if value.isdecimal():
            task.activate(int(value))
        case "expand" if element_texts(task.bench.corpus, [value])[value]:
            task.draft["expanded"] = "" if task.draft.get("expanded") == value else value
            task.draft["visited"] = sorted({*task.draft.get("visited", []), value})
            task.draft["main"] = False
        case "main":
            task.draft["main"] = not task.draft.get("main")
        case "undo":
            task.undo()


def _line(task: Task, name: str, what: str) -> list[str]:
    """Return the cells of a cell's row or column."""
    ref = Ref.parse(name)
    if ref.kind not in (Kind.CELL, Kind.HEADER_CELL):
        return []
    page = task.bench.corpus.page(ref.page)
    table, row, column = ref.position
    return [
        str(found)
        for found, text in page.elements()
        if found.kind is Kind.CELL
        and found.position[0] == table
        and (found.position[1] == row if what == "row" else found.position[2] == column)
        and text
    ]


def _end(at: Any, task: Task, screen: Screen, what: str, form: Form) -> Response:
    """Submit, or skip."""
    task.draft["stage"] = "work"
    if task.slot.state == "leased":
        may_work(task.slot, task.person.id)
        _save(task, form)
    if what == "skip" and isinstance(screen, JudgeScreen):
        screen.skip(task, tuple(form.get("reason", [])))
    elif what == "skip-source" and screen.may_skip_source:
        screen.skip_source(task)
    else:
        if problems := screen.problems(task):
            _save(task, form)
            at.session.commit()
            return _render(at, task, problems, 422)
        try:
            if following := screen.finish(task, what == "flag"):
                return to(following)
        except IntegrityError:
            raise NotAllowed("this task was submitted already", known=True) from None
    return submitted(task)


def submitted(task: Task) -> Response:
    """Say that a task is done."""
    return to(f"/work?done={task.slot.workflow}&says=Submitted. Take the next task.")


@router.get("/work/history")
def history(at: here) -> Response:
    """List what a person submitted of late."""
    query = (
        select(Annotation, Claim, Slot)
        .join(Slot, Slot.id == Annotation.slot_id)
        .outerjoin(Claim, Claim.id == Annotation.claim_id)
        .where(Annotation.person_id == at.person.id)
        .order_by(Annotation.id.desc())
        .limit(50)
    )
    rows = [
        (annotation, claim, slot, campaign_of(at, slot))
        for annotation, claim, slot in at.session.execute(query)
    ]
    mine = at.session.scalars(
        select(Claim)
        .where(Claim.author_id == at.person.id, Claim.open_from > now())
        .order_by(Claim.id.desc())
    ).all()
    return at.page("history.html", rows=rows, mine=mine)


def campaign_of(at: Any, slot: Slot) -> str:
    """Return the name of a slot's campaign."""
    name: str = at.session.get_one(Campaign, slot.campaign_id).name
    return name
