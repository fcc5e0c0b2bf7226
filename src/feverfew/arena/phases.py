"""Phases: when files are taken, how many of a team, which of them counts, and who sees what."""

from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
import numpy as np
from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from feverfew.arena.points import Mask, Points
from feverfew.errors import InputError, NotAllowed, NotFound
from feverfew.store.arena_tables import ArenaPhase, ArenaTask
from feverfew.store.database import now
from feverfew.store.people import audit
from feverfew.store.people_tables import Person


class PhaseSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a phase allows."""

    quota: int = 10
    """Submissions of a team."""
    counts: Literal["last", "best", "chosen"] = "last"
    """Which of a team's submissions counts; with `chosen` the last, until one is chosen."""
    scores: Literal["shown", "part", "hidden"] = "shown"
    """What a team sees of its own scores before the end; `part` is over a fixed share of claims."""
    share: float = 0.2
    """The share of claims whose scores are seen with `part`."""
    board: Literal["shown", "hidden"] = "shown"
    """Whether the board is seen before the end."""
    decimals: int = 4
    """Digits of every score before the end: fewer make probing slower."""
    zone: str = "UTC"
    """The zone in which the organisers state times."""


def parse_time(given: str, option: str) -> tuple[datetime, str]:
    """Read a time with its zone, as an offset or a name; return it in UTC, and the zone.

    >>> parse_time("2018-07-27T23:59-07:00", "--end")[0].isoformat()
    '2018-07-28T06:59:00+00:00'
    >>> parse_time("2018-07-27T23:59 America/Los_Angeles", "--end")[1]
    'America/Los_Angeles'
    """
    written, _, name = given.strip().partition(" ")
    wrong = InputError(
        f"{option} {given}: write a time with its zone, as 2018-07-27T23:59-07:00 or "
        "'2018-07-27T23:59 America/Los_Angeles'"
    )
    try:
        found = datetime.fromisoformat(written)
        if name:
            found = found.replace(tzinfo=ZoneInfo(name.strip()))
    except (ValueError, ZoneInfoNotFoundError):
        raise wrong from None
    if found.tzinfo is None:
        raise wrong
    return found.astimezone(UTC), name.strip() or str(found.tzinfo)


def settings_of(phase: ArenaPhase) -> PhaseSettings:
    """Return a phase's settings."""
    return msgspec.convert(phase.settings, PhaseSettings)


def put_phase(
    session: Session,
    task: ArenaTask,
    name: str,
    part: str,
    start: datetime | None,
    end: datetime | None,
    settings: PhaseSettings,
    by: Person | None = None,
) -> ArenaPhase:
    """Make a phase, or change it; two phases of one part never run at the same time."""
    _check(name, part, start, end, settings)
    own = next((one for one in phases_of(session, task) if one.name == name), None)
    for other in phases_of(session, task):
        if other.name != name and other.part == part and _overlap(other, start, end):
            raise InputError(
                f"the phases {name} and {other.name} of the part {part} would run at the same "
                "time, so that one could show what the other hides; end one before the other starts"
            )
    before = None
    if own is None:
        own = ArenaPhase(task_id=task.id, name=name, part=part)
        session.add(own)
    else:
        if own.part != part:
            raise InputError(f"the phase {name} is about the part {own.part}, not {part}")
        before = [str(own.start), str(own.end), own.settings]
    own.start, own.end, own.settings = start, end, msgspec.to_builtins(settings)
    session.flush()
    after = [str(start), str(end), own.settings]
    audit(session, by, "set phase", f"{task.name} {name}", before, after)
    return own


def _check(
    name: str, part: str, start: datetime | None, end: datetime | None, settings: PhaseSettings
) -> None:
    for word in (name, part):
        if not word or not all(c.isalnum() or c in "-_" for c in word):
            raise InputError(f"a phase's name has letters, digits, - and _ only, not {word!r}")
    if start is not None and end is not None and end <= start:
        raise InputError(f"the phase {name} would end before it starts")
    if settings.scores != "shown" and settings.board == "shown":
        raise InputError("a board that is shown would tell the scores: hide it as well")
    if settings.board == "hidden" and end is None:
        raise InputError("scores that are hidden until the end need an end")
    if not 0 < settings.share < 1 or not 1 <= settings.decimals <= 6 or settings.quota < 1:
        raise InputError("share lies between 0 and 1, decimals between 1 and 6, quota above 0")


def _overlap(other: ArenaPhase, start: datetime | None, end: datetime | None) -> bool:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    return (other.start or first) < (end or last) and (start or first) < (other.end or last)


def phases_of(session: Session, task: ArenaTask) -> list[ArenaPhase]:
    """Return the phases of a task, in the order in which they were made."""
    query = select(ArenaPhase).where(ArenaPhase.task_id == task.id)
    return list(session.scalars(query.order_by(ArenaPhase.id)))


def phase_named(session: Session, task: ArenaTask, name: str | None) -> ArenaPhase:
    """Return a phase by its name; without one the phase that runs, else the last that ended."""
    known = phases_of(session, task)
    if name is None:
        moment = now()
        running = [one for one in known if is_running(one, moment)]
        ended = [one for one in known if one.end is not None and one.end <= moment]
        if len(running) > 1:
            names = ", ".join(one.name for one in running)
            raise InputError(f"several phases run now: {names}; name one")
        if running or ended or known:
            return (running or sorted(ended, key=lambda one: str(one.end))[-1:] or known)[0]
    found = next((one for one in known if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in known)
        raise NotFound(f"no phase {name!r} in {task.name}; there are {names or 'none'}")
    return found


def is_running(phase: ArenaPhase, moment: datetime | None = None) -> bool:
    """Say whether files are taken; the server's clock decides."""
    moment = moment or now()
    return has_started(phase, moment) and not has_ended(phase, moment)


def has_started(phase: ArenaPhase, moment: datetime | None = None) -> bool:
    """Say whether a phase has begun."""
    return phase.start is None or phase.start <= (moment or now())


def has_ended(phase: ArenaPhase, moment: datetime | None = None) -> bool:
    """Say whether a phase is over."""
    return phase.end is not None and phase.end <= (moment or now())


def say_time(moment: datetime | None, phase: ArenaPhase) -> str:
    """Write a time in the organisers' zone, and in UTC."""
    if moment is None:
        return "–"
    zone = settings_of(phase).zone
    said = f"{moment:%Y-%m-%d %H:%M} UTC"
    if "/" not in zone:  # UTC, or an offset
        return said
    return f"{said} ({moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone})"


def check_running(phase: ArenaPhase) -> None:
    """Refuse what comes before the start or after the end."""
    if not has_started(phase):
        when = say_time(phase.start, phase)
        raise NotAllowed(f"the phase {phase.name} starts at {when}", True)
    if has_ended(phase):
        raise NotAllowed(f"the phase {phase.name} ended at {say_time(phase.end, phase)}", True)


def board_is_open(phase: ArenaPhase) -> bool:
    """Say whether everyone may see the board."""
    return settings_of(phase).board == "shown" or has_ended(phase)


def own_means(
    phase: ArenaPhase, means: dict[str, float], points: bytes, secret: str
) -> dict[str, float] | None:
    """Return what a team may see of its own scores now; None while they are hidden.

    The secret, which decides the claims of a part, is the gold's digest.
    """
    settings = settings_of(phase)
    if has_ended(phase):
        return means
    if settings.scores == "hidden":
        return None
    if settings.scores == "part":
        found = Points.unpack(points)
        means = found.means(_visible(len(found), settings.share, secret))
    return rounded(phase, means)


def rounded(phase: ArenaPhase, means: dict[str, float]) -> dict[str, float]:
    """Round scores as a phase has it while it runs."""
    if has_ended(phase):
        return means
    return {name: round(value, settings_of(phase).decimals) for name, value in means.items()}


def _visible(count: int, share: float, secret: str) -> Mask:
    """Choose the claims whose scores are seen: the same ones for everybody, always."""
    order = np.random.default_rng(int(secret[:16], 16)).permutation(count)
    return np.asarray(order < max(1, round(share * count)))
