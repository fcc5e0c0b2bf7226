"""Simulate annotators at work on one database, in processes of their own, and check the outcome.

    python benchmarks/workbench.py --database sqlite:////tmp/work.sqlite --people 50 --claims 10000
    python benchmarks/workbench.py --database postgresql://postgres@127.0.0.1:5432/bench

Each process plays some of the people: take a task, submit it, and so on until nothing is left.
Then no claim may be doubled, starved or seen by its author, and the samples must have the sizes
that chance allows.
"""

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from typing import Any

from msgspec import Struct
from sqlalchemy import event, func, select

from feverfew.store.assign import take
from feverfew.store.campaigns import campaign_named, make_campaign, settings_of
from feverfew.store.claim_tables import Claim
from feverfew.store.claims import add_claim, add_source
from feverfew.store.database import Database
from feverfew.store.people_tables import Person
from feverfew.store.settings import settings_from
from feverfew.store.submit import Element, Work, submit
from feverfew.store.work_tables import Annotation, Slot

NAME = "simulation"
CHECKS = {"five_way": 0.04, "super_annotated": 0.0, "quality": 0.1, "tests": 0.0}


class Outcome(Struct):
    """What a simulation came to."""

    pairs: int
    seconds: float
    p50: float
    p99: float
    worst: float
    statements: float
    """SQL statements for each task, BEGIN included on SQLite: what no busy machine changes."""
    problems: list[str]

    @property
    def rate(self) -> float:
        return self.pairs / self.seconds


def fill(url: str, people: int, claims: int) -> list[int]:
    """Make a campaign whose claims were written by its own annotators."""
    database = Database.open(url)
    settings = settings_from({"kind": "fever", "seed": 3, "checks": CHECKS})
    with database.write() as session:
        campaign = make_campaign(session, NAME, settings, "none")
        made = [Person(name=f"person {n}", pseudonym=f"p{n}") for n in range(people)]
        session.add_all(made)
        session.flush()
        for n in range(claims):
            if n % 5 == 0:
                source = add_source(
                    session, campaign, settings, key=str(n), kind="sentence", data={}
                )
            author = made[n // 5 % people]
            text = f"Claim number {n} is here."
            add_claim(session, campaign, settings, text=text, author=author, source=source)
    database.close()
    return [one.id for one in made]


def work(job: tuple[str, list[int], int]) -> tuple[list[float], int]:
    """Play some people until nothing is left; return each task's seconds, and count statements."""
    url, people, seed = job
    database = Database.open(url)
    statements = 0

    def count(*_: object) -> None:
        nonlocal statements
        statements += 1

    event.listen(database.engine, "before_cursor_execute", count)
    with database.read() as session:
        campaign = campaign_named(session, NAME)
        settings = settings_of(campaign)
        persons = {one: session.get_one(Person, one) for one in people}
    rng = random.Random(seed)
    waiting, seconds = set(people), []
    while waiting:
        person = rng.choice(sorted(waiting))
        start = time.perf_counter()
        slot = take(database, campaign, settings, person, "label")
        if slot is None:
            waiting.discard(person)
            continue
        verdict = rng.choice(["SUPPORTED", "REFUTED"])
        with database.write() as session:
            own = session.get_one(Slot, slot.id)
            given = Work(verdict=verdict, sets=((Element("Page_sentence_0"),),))
            submit(session, campaign, settings, own, persons[person], given)
        seconds.append(time.perf_counter() - start)
    database.close()
    return seconds, statements


def problems(url: str, claims: int) -> list[str]:
    """Return what went wrong."""
    database = Database.open(url)
    with database.read() as session:
        slots: list[Any] = list(
            session.execute(
                select(Slot.claim_id, Slot.person_id, Slot.kind, Slot.state, Claim.source_id).join(
                    Claim, Claim.id == Slot.claim_id
                )
            )
        )
        said = session.execute(select(Annotation.claim_id, Annotation.person_id)).all()
        authors = set(map(tuple, session.execute(select(Claim.source_id, Claim.author_id))))
        count = session.scalar(select(func.count()).select_from(Claim)) or 0
    database.close()
    found = []
    if len(set(map(tuple, said))) != len(said):
        found.append("someone judged a claim twice")
    left = Counter(state for *_, state, _ in slots if state != "done")
    if left:
        found.append(f"slots were left: {dict(left)}")
    if any((source, person) in authors for _, person, _, _, source in slots):
        found.append("someone judged a claim of a source that they wrote about")
    if len({claim for claim, *_ in slots}) != count or count != claims:
        found.append("a claim was starved")
    kinds = Counter(kind for _, _, kind, _, _ in slots)
    five = len({claim for claim, _, kind, _, _ in slots if kind == "five-way"})
    checked = len({claim for claim, _, kind, _, _ in slots if kind == "quality"})
    for name, seen, of, share in (
        ("five-way", five, claims, CHECKS["five_way"]),
        ("quality", checked, kinds["regular"], CHECKS["quality"]),
    ):
        if abs(seen - of * share) > 4 * (of * share * (1 - share)) ** 0.5:
            found.append(f"{name}: {seen} of {of} is not within 4 standard deviations of {share}")
    return found


def simulate(url: str, people: int, claims: int, processes: int) -> Outcome:
    """Run a simulation."""
    ids = fill(url, people, claims)
    jobs = [(url, ids[n::processes], n) for n in range(processes)]
    start = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        done = pool.map(work, jobs)
    times = sorted(t for own, _ in done for t in own)
    statements = sum(count for _, count in done) / len(times)
    seconds = time.perf_counter() - start
    p50, p99 = (times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
    return Outcome(len(times), seconds, p50, p99, times[-1], statements, problems(url, claims))


def main() -> None:
    """Run the simulation that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--database", required=True, help="an empty database's URL")
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=4)
    given = parser.parse_args()
    found = simulate(given.database, given.people, given.claims, given.processes)
    print(
        f"{found.pairs:,} tasks in {found.seconds:,.1f} s: {found.rate:,.0f} a second; "
        f"{1e3 * found.p50:.1f} ms median, {1e3 * found.p99:.1f} ms p99, "
        f"{1e3 * found.worst:.0f} ms worst; {found.statements:.1f} statements a task"
    )
    for one in found.problems:
        print(f"PROBLEM: {one}")
    sys.exit(bool(found.problems))


if __name__ == "__main__":
    main()
