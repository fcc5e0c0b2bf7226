"""Who visits the arena's pages: everyone may look, people of teams submit, organisers see all."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from sqlalchemy.orm import Session

from feverfew.arena.phases import board_is_open, phase_named
from feverfew.arena.tasks import task_by_name
from feverfew.errors import NotAllowed
from feverfew.store.arena_tables import ArenaTask
from feverfew.store.people import audit, may, person_of
from feverfew.store.people_tables import Person
from feverfew.store.team_tables import Team
from feverfew.store.teams import teams_of
from feverfew.workbench.web import COOKIE, Here, bench_of, page


class Visit:
    """Someone who looks at a page, logged in or not."""

    def __init__(self, request: Request, session: Session, person: Person | None) -> None:
        self.request = request
        self.session = session
        self.person = person
        self.bench = bench_of(request)

    @property
    def organises(self) -> bool:
        return self.person is not None and may(self.session, self.person, "organiser", None)

    def teams(self) -> list[Team]:
        """Return the teams of whoever visits."""
        return teams_of(self.session, self.person) if self.person else []

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """Write a page, whose frame depends on who visits."""
        values["organises"], values["teams"] = self.organises, self.teams()
        if self.person is None:
            return page(self.request, template, status, **values)
        return Here(self.request, self.session, self.person).page(template, status, **values)

    def look(self, what: str, subject: str) -> None:
        """Record that an organiser saw what others may not."""
        with self.bench.database.write() as session:
            audit(session, self.person, what, subject)

    def look_at_board(self, task: str, phase: str) -> bool:
        """Say whether everyone may see a board; if not, record the organiser's look."""
        shown = board_is_open(phase_named(self.session, task_by_name(self.session, task), phase))
        if not shown:
            self.look("look at board", f"{task} {phase}")
        return shown


def _visit(request: Request) -> Iterator[Visit]:
    with bench_of(request).database.read() as session:
        yield Visit(request, session, person_of(session, request.cookies.get(COOKIE, "")))


visit = Annotated[Visit, Depends(_visit, scope="function")]


def show(at: Here, template: str, status: int = 200, **values: Any) -> Response:
    """Write a page of the arena for someone who is logged in."""
    return Visit(at.request, at.session, at.person).page(template, status, **values)


def own_team(at: Here, task: str, wanted: str = "") -> tuple[ArenaTask, Team]:
    """Return the task, and the team of whoever asks; of several, the one that is named."""
    found = task_by_name(at.session, task)
    teams = teams_of(at.session, at.person)
    if not teams:
        raise NotAllowed("you belong to no team; ask for an invitation to one", known=True)
    named = [one for one in teams if str(one.id) == wanted]
    return found, (named or teams)[0]
