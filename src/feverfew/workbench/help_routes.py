"""The page that asks "did you miss this?" once a verdict was submitted."""

from fastapi import APIRouter, Response

from feverfew.store.campaigns import campaign_named
from feverfew.store.submit import reconsider
from feverfew.workbench.helping import answer_question, look_for_missed, open_question
from feverfew.workbench.navigation import element_texts
from feverfew.workbench.screens import JudgeScreen
from feverfew.workbench.tasks import Task, load_task
from feverfew.workbench.web import Fields, Here, Number, active_ms, here, looking
from feverfew.workbench.work_routes import screen_of, submitted

router = APIRouter(include_in_schema=False, default_response_class=Response)


@router.get("/work/{campaign}/t/{slot}/missed")
def ask(at: looking, campaign: str, slot: Number) -> Response:
    """Ask about evidence that the checker finds and the person did not take, if there is any."""
    task = load_task(at.bench, at.session, campaign_named(at.session, campaign), slot, at.person)
    asked = open_question(at.session, task.slot)
    if asked is None:
        return submitted(task)
    if asked.refs is None:
        found = look_for_missed(at.bench, task)  # takes a second: outside of any transaction
        with at.bench.database.write() as session:
            asked = open_question(session, task.slot)
            if asked is not None and asked.refs is None:
                asked.refs = found
    if asked is None or not asked.refs:
        return submitted(task)
    return _page(at, task, asked.refs, [])


def _page(at: Here, task: Task, refs: list[str], problems: list[str]) -> Response:
    screen = screen_of(task)
    sets = task.sets()
    return at.page(
        "missed.html",
        422 if problems else 200,
        task=task,
        screen=screen,
        refs=refs,
        sets=sets,
        problems=problems,
        texts=element_texts(at.bench.corpus, [*refs, *(name for one in sets for name in one)]),
    )


@router.post("/work/{campaign}/t/{slot}/missed")
def answer(form: Fields, at: here, campaign: str, slot: Number) -> Response:
    """Keep the answer: a new version of the annotation, also where nothing has changed."""
    task = load_task(at.bench, at.session, campaign_named(at.session, campaign), slot, at.person)
    asked = open_question(at.session, task.slot)
    screen = screen_of(task)
    if asked is None or not asked.refs or not isinstance(screen, JudgeScreen):
        return submitted(task)
    refs = asked.refs
    places = {name: form.one(f"place-{n}") for n, name in enumerate(refs)}
    verdict = form.one("verdict") or task.draft.get("verdict", "")
    answer_question(task, asked, places, verdict)
    if problems := screen.problems(task):
        at.session.rollback()
        return _page(at, task, refs, problems)
    work = task.work(outcome="label", answers=screen.answers(task))
    reconsider(at.session, task.campaign, task.slot, task.person, work, active_ms(form))
    task.keep_draft()
    return submitted(task)
