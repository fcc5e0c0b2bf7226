"""Many submissions at once: none lost, none doubled, and no quota exceeded; on both databases."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import select

from feverfew.arena.scoring import score_here
from feverfew.arena.submissions import Sent, submit
from feverfew.errors import NotAllowed
from feverfew.store.arena_tables import ScoringRun, Submission, SubmittedFile
from feverfew.store.team_tables import Team
from feverfew.store.teams import make_team
from feverfew.workbench.bench import open_bench
from hosting import LABELS_ONLY, RIGHT, lines, make_task

FILES = (RIGHT, LABELS_ONLY, lines("REFUTES", "REFUTES", "REFUTES"))
TEAMS, QUOTA = 4, 2


def test_quotas_hold_and_the_same_file_counts_once(tmp_path: Path, database: list[str]) -> None:
    arena = make_task(tmp_path / "arena", "--quota", str(QUOTA), *database)
    paths = []
    for number, data in enumerate(FILES):
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_bytes(data)
    with open_bench(arena.folder) as bench:
        with bench.database.write() as session:
            teams = [make_team(session, f"team {n}") for n in range(TEAMS)]

        def send(job: tuple[Team, Path]) -> str:
            sent = Sent(path=job[1], task="demo", team=job[0])
            try:
                receipt = submit(bench.database, bench.directory, sent, score_here)
            except NotAllowed:
                return "refused"
            return "again" if receipt.again else "kept"

        jobs = [(team, path) for path in paths for team in teams for _ in range(2)]
        with ThreadPoolExecutor(len(jobs)) as pool:
            said = Counter(pool.map(send, jobs))
        assert said["kept"] == TEAMS * QUOTA
        # Of every team's third file, both are refused, unless it came before another.
        assert said["refused"] + said["again"] == len(jobs) - TEAMS * QUOTA
        with bench.database.read() as session:
            rows = session.execute(select(Submission.team_id, Submission.number)).all()
            runs = session.scalars(select(ScoringRun.submission_id)).all()
            files = session.scalars(select(SubmittedFile.digest)).all()
    assert sorted(map(tuple, rows)) == [
        (team.id, number) for team in teams for number in range(1, QUOTA + 1)
    ]
    assert len(runs) == len(set(runs)) == TEAMS * QUOTA
    assert len(files) == len(set(files)) <= len(FILES)
