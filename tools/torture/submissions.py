"""Kill an arena's server while teams submit: each submission is refused or whole.

After every kill the database is looked at: what was acknowledged is there, nothing is there by
half, numbers have no gaps, and no quota is exceeded. What was not acknowledged is sent again, and
counts once.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zlib import decompress

import httpx
from sqlalchemy import select

from feverfew.arena.points import Points
from feverfew.arena.tasks import create_task
from feverfew.arena_client import submit_file
from feverfew.errors import FeverfewError
from feverfew.store.arena_tables import ScoringRun, Submission, SubmittedFile
from feverfew.store.teams import make_key, make_team
from feverfew.workbench.bench import init_bench, open_bench
from tools.shared_task import gold_lines, predictions, simulate_claims
from tools.torture import Result, Tally
from tools.torture.serving import serving

__all__ = ["run"]

CLAIMS, TEAMS, FILES = 3_000, 3, 4
_LONGEST = 3.0
"""Seconds within which the first server is killed; later ones by how long submitting takes."""


def run(tries: int, seed: int, folder: Path) -> Result:
    """Kill a server that many times, at moments chosen by chance."""
    tally = Tally("submissions", seed)
    folder.mkdir(parents=True, exist_ok=True)
    claims = simulate_claims(CLAIMS, seed)
    gold = folder / "gold.jsonl"
    gold.write_text(gold_lines(claims), "utf-8")
    files = []
    for number in range(FILES):
        path = folder / f"said-{number}.jsonl"
        path.write_bytes(predictions(claims, 0.6, 0.5, number))
        files.append(path)
    seconds = _LONGEST
    for number in range(tries):
        with tally.one_try():
            seconds = _one_try(tally, folder / f"arena-{number}", gold, files, seconds)
    return tally.result()


def _one_try(tally: Tally, arena: Path, gold: Path, files: list[Path], seconds: float) -> float:
    """Kill a server within so many seconds; return how long it takes to submit all in peace."""
    init_bench(arena, None, None)
    with open_bench(arena) as bench, bench.database.write() as session:
        create_task(session, arena, "torture", name="t", format="fever", gold=gold)
        keys = [make_key(session, make_team(session, f"team {n}")) for n in range(TEAMS)]
    acknowledged = _submit_all(arena, keys, files, tally.random.uniform(0.0, seconds))
    tally.note("acknowledged", len(acknowledged))
    for lost in acknowledged - _kept(tally, arena):
        tally.fail(f"{lost} was acknowledged and is gone")
    started = time.monotonic()
    _submit_all(arena, keys, files, None)
    whole = time.monotonic() - started
    if len(_kept(tally, arena)) != TEAMS * len(files):
        tally.fail("sent again, not every file counts exactly once")
    return whole


def _submit_all(
    arena: Path, keys: list[str], files: list[Path], kill_after: float | None
) -> set[str]:
    """Submit every file for every team; return the digests, by team, that were acknowledged."""
    acknowledged: set[str] = set()

    def submit(team: int) -> None:
        for file in files:
            try:
                receipt = submit_file(file, f"{url}/arena/t", keys[team])
            except (FeverfewError, httpx.HTTPError):
                return  # the server is gone
            acknowledged.add(f"{team + 1} {receipt.digest}")

    with (
        serving("arena", "serve", str(arena)) as (process, url),
        ThreadPoolExecutor(len(keys)) as pool,
    ):
        jobs = [pool.submit(submit, team) for team in range(len(keys))]
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        for job in jobs:
            job.result()
    return acknowledged


def _kept(tally: Tally, arena: Path) -> set[str]:
    """Look at everything that is kept; nothing may be there by half."""
    kept: set[str] = set()
    with open_bench(arena) as bench, bench.database.read() as session:
        numbers: dict[int, list[int]] = {}
        for made in session.scalars(select(Submission).order_by(Submission.id)):
            runs = session.scalars(select(ScoringRun).where(ScoringRun.submission_id == made.id))
            points = [len(Points.unpack(one.points)) for one in runs]
            file = session.get(SubmittedFile, made.digest)
            if points != [CLAIMS] or file is None or len(decompress(file.data)) != file.size:
                tally.fail(f"submission {made.id} is there by half")
            numbers.setdefault(made.team_id, []).append(made.number)
            kept.add(f"{made.team_id} {made.digest}")
        if any(own != list(range(1, len(own) + 1)) for own in numbers.values()):
            tally.fail(f"numbers have gaps: {numbers}")
    return kept
