"""The task of 2018, simulated: from creation to the final board, in a small form."""

import json
import random
from pathlib import Path

import pytest
from sqlalchemy import select

from feverfew.arena.boards import board
from feverfew.arena.golds import gold_rows, load_gold
from feverfew.arena.pool import Candidate, Urn
from feverfew.arena.scoring import score_here
from feverfew.arena.submissions import Sent, submit
from feverfew.arena.tasks import task_by_name
from feverfew.store.arena_tables import DrawTeam, PoolDraw
from feverfew.store.assign import take
from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claim_tables import Claim
from feverfew.store.people_tables import Grant, Person
from feverfew.store.submit import Element, Work
from feverfew.store.submit import submit as keep
from feverfew.store.team_tables import Membership, Team
from feverfew.store.teams import make_team
from feverfew.store.work_tables import Slot
from feverfew.types import Ref
from feverfew.workbench.bench import Bench, open_bench
from hosting import run
from tools.shared_task import (
    LABELS,
    SUBMISSIONS,
    TEAMS,
    SimulatedClaim,
    gold_lines,
    predictions,
    simulate_claims,
    submissions_of,
)

CLAIMS, DRAWS = 90, 60
VERDICTS = dict(zip(LABELS, ("SUPPORTED", "REFUTED", "NOT ENOUGH INFO"), strict=True))


def test_the_task_of_2018_from_creation_to_the_final_board(
    tmp_path: Path, database: list[str]
) -> None:
    claims = simulate_claims(CLAIMS, seed=3, wrong=0.05, unseen=0.5)
    gold = tmp_path / "gold.jsonl"
    gold.write_text(gold_lines(claims), "utf-8")
    folder = tmp_path / "arena"
    run("create", folder, "--name", "f18", "--format", "fever", "--gold", gold, *database)
    with open_bench(folder) as bench:
        teams = _compete(bench, tmp_path, claims)
        run("phase", folder, "test", "--task", "f18", "--end", "2018-07-27T23:59-07:00")
        draws = ("pool", folder, "--task", "f18", "--json", "--seed", "2018", "--draw")
        run(*draws, DRAWS // 2)
        said = json.loads(run(*draws, DRAWS // 2))
        assert said["drawn"] == DRAWS
        _volunteer(bench, claims, teams)
    said = json.loads(run("pool", folder, "--task", "f18", "--json"))
    assert said["changes"]["settled"] > 0
    assert said["changes"]["evidence"] > 0
    run("gold", folder, "--task", "f18")
    with open_bench(folder) as bench:
        _check_gold(bench, folder, claims)
        with bench.database.read() as session:
            final = board(session, "f18", "test", 2, 1)
    assert (final.gold, final.compare, final.preliminary) == (2, 1, False)
    assert len(final.rows) == len(TEAMS)
    assert any(row.changes["fever_score"] for row in final.rows)
    assert sum(row.rank_change or 0 for row in final.rows) == pytest.approx(0, abs=3)
    top = [row.team for row in final.rows[:5]]
    assert len({"UNC-NLP", "UCL Machine Reading Group", "Athene UKP TU Darmstadt"} & {*top}) >= 2
    annotations = run("release", folder, "--task", "f18").splitlines()
    assert len(annotations) == said["annotations"]
    run("report", folder, "--task", "f18", "-o", tmp_path / "report")
    written = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert f"23 teams took part with {SUBMISSIONS} submissions to {CLAIMS} claims" in written
    assert f"{said['annotations']} annotations were collected" in written


def _compete(bench: Bench, folder: Path, claims: list[SimulatedClaim]) -> list[Team]:
    """Let every team submit; the last one counts, and is the one of the published score."""
    path = folder / "said.jsonl"
    made = []
    for place, (name, count) in enumerate(submissions_of(list(TEAMS)).items()):
        with bench.database.write() as session:
            team = make_team(session, name)
            person = Person(name=f"Of {name}", pseudonym=f"p{place}")
            session.add(person)
            session.flush()
            session.add(Membership(team_id=team.id, person_id=person.id))
            session.add(Grant(person_id=person.id, role="volunteer", campaign_id=None))
        made.append(team)
        accuracy, score = TEAMS[name]
        for number in reversed(range(count)):
            worse = 0.97**number
            path.write_bytes(
                predictions(claims, accuracy * worse, score * worse**2, 100 * place + number)
            )
            sent = Sent(path=path, task="f18", team=team)
            means = submit(bench.database, bench.directory, sent, score_here).means or {}
        # Within three standard errors of what was published.
        assert abs(means["fever_score"] - score) < 3 * (0.25 / CLAIMS) ** 0.5
    return made


def _volunteer(bench: Bench, claims: list[SimulatedClaim], teams: list[Team]) -> None:
    """Judge until nothing is left: rightly nine times of ten, and never one's own team's."""
    drawn = random.Random(1)
    with bench.database.read() as session:
        campaign = campaign_named(session, "f18-pool")
        people = list(session.scalars(select(Person).where(Person.name.startswith("Of "))))
        own = {one.person_id: one.team_id for one in session.scalars(select(Membership))}
    settings = settings_of(campaign)
    idle: set[int] = set()
    while len(idle) < len(people):
        for person in people:
            slot = take(bench.database, campaign, settings, person.id, "pool")
            if slot is None:
                idle.add(person.id)
                continue
            with bench.database.write() as session:
                draw = session.scalars(
                    select(PoolDraw).where(PoolDraw.claim_id == slot.claim_id)
                ).one()
                by = select(DrawTeam.team_id).where(DrawTeam.draw_id == draw.id)
                assert own[person.id] not in set(session.scalars(by))
                shown = session.get_one(Claim, slot.claim_id).data["refs"]
                work = _judge(claims[draw.place], shown, drawn)
                held = session.get_one(Slot, slot.id)
                keep(session, campaign, settings, held, session.get_one(Person, person.id), work)


def _judge(claim: SimulatedClaim, shown: list[str], drawn: random.Random) -> Work:
    true = [one for one in (claim.listed, claim.unlisted) if one and claim.true_label != LABELS[2]]
    good = [ref for ref in shown if ref in {str(Ref.sentence(*one)) for one in true}]
    label = claim.true_label if good else LABELS[2]
    if drawn.random() > 0.9:  # an error
        label, good = drawn.choice(LABELS), [drawn.choice(shown)]
    sets = [] if label == LABELS[2] else good
    return Work(verdict=VERDICTS[label], sets=tuple((Element(ref),) for ref in sets))


def _check_gold(bench: Bench, folder: Path, claims: list[SimulatedClaim]) -> None:
    """See that the new gold is nearer to what is true, and nothing became wrong."""
    with bench.database.read() as session:
        task = task_by_name(session, "f18")
        old, new = (load_gold(folder, task, row) for row in gold_rows(session, task, "test"))
    wrong_before = wrong_after = 0
    for claim, before, after in zip(claims, old.claims, new.claims, strict=True):
        assert set(before.evidence) <= set(after.evidence) or before.label is not after.label
        truth = VERDICTS[claim.true_label]
        wrong_before += before.label != truth
        wrong_after += after.label != truth
    assert wrong_after < wrong_before


def test_draws_follow_the_number_of_misses_and_then_the_scores() -> None:
    """Chi-squared against what the paper says; 99.9 % of right samplers pass, wrong ones do not."""
    missed, scores = [1, 2, 3, 0, 6], [0.6, 0.3, 0.1]
    refs = [(Ref.sentence("P", n),) for n in range(3)]
    own = [Candidate(one, (system,)) for system, one in enumerate(refs)]
    candidates = dict.fromkeys(range(5), own)
    claims, systems = [0] * 5, [0] * 3
    total = 4_000
    for seed in range(total):
        found = Urn(missed, scores, candidates).draw(seed, 0)
        assert found is not None
        assert found.claim_probability == pytest.approx(missed[found.place] / 12)
        assert found.system_probability == pytest.approx(scores[found.system])
        claims[found.place] += 1
        systems[found.system] += 1
    assert claims[3] == 0  # nobody missed it
    assert _chi_squared(claims, [m / 12 * total for m in missed]) < 16.27  # 3 degrees
    assert _chi_squared(systems, [s * total for s in scores]) < 13.82  # 2 degrees


def _chi_squared(seen: list[int], expected: list[float]) -> float:
    return sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True) if e)


def test_drawing_goes_on_where_it_stopped_and_repeats_nothing() -> None:
    refs = [(Ref.sentence("P", n),) for n in range(4)]
    candidates = {
        place: [Candidate(one, (system,)) for system, one in enumerate(refs)] for place in range(3)
    }
    whole, parts = Urn([1, 2, 3], [0.5] * 4, candidates), Urn([1, 2, 3], [0.5] * 4, candidates)
    drawn = [whole.draw(7, ordinal) for ordinal in range(13)]
    assert drawn[12] is None  # all twelve pairs are drawn, each once
    assert len({(one.place, one.candidate.refs) for one in drawn if one}) == 12
    for one in drawn[:5]:
        assert one is not None
        parts.take(one.place, one.candidate.refs)
    assert [parts.draw(7, ordinal) for ordinal in range(5, 13)] == drawn[5:]
