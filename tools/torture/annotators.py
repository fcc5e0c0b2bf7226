"""Kill a workbench's server while people work: nothing acknowledged is lost, nobody is stuck.

After every kill the database is looked at: each acknowledged submission and draft is there, no
claim was judged twice by anyone, and no slot is done without an annotation. At the end all that
is left is done by the same people, without waiting for any lease to run out.
"""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from msgspec import Struct
from sqlalchemy import func, select

from feverfew.store.access import make_access_key
from feverfew.store.campaigns import campaign_named, make_campaign, settings_of
from feverfew.store.claims import add_claim
from feverfew.store.people_tables import Grant, Person
from feverfew.store.settings import settings_from
from feverfew.store.work_tables import Annotation, Draft, Slot
from feverfew.workbench.bench import init_bench, open_bench
from tools.torture import Result, Tally
from tools.torture.serving import serving

__all__ = ["run"]

PEOPLE, CLAIMS = 4, 12
"""Claims are added before every kill."""
_TASKS = "/v1/campaigns/work/tasks"


class Heard(Struct):
    """What the server acknowledged."""

    submitted: set[int]
    drafts: dict[int, str]
    problems: list[str]


def run(tries: int, seed: int, folder: Path) -> Result:
    """Kill a server that many times, at moments chosen by chance."""
    tally = Tally("annotators", seed)
    folder.mkdir(parents=True, exist_ok=True)
    bench = folder / "bench"
    init_bench(bench, None, None)
    keys = _people(bench, seed)
    heard = Heard(set(), {}, [])
    for _ in range(tries):
        with tally.one_try():
            _add_claims(bench)
            _work(bench, keys, heard, tally.random.uniform(1, CLAIMS))
            _examine(tally, bench, heard)
    tally.note("acknowledged", len(heard.submitted))
    _work(bench, keys, heard, None)
    _examine(tally, bench, heard)
    with open_bench(bench) as opened, opened.database.read() as session:
        left = session.scalar(select(func.count()).select_from(Slot).where(Slot.state != "done"))
    if left:
        tally.fail(f"{left} slots could not be done: a lease is stuck")
    return tally.result()


def _people(bench: Path, seed: int) -> list[str]:
    settings = settings_from(
        {"kind": "fever", "seed": seed, "checks": {"super_annotated": 0.0, "quality": 0.1}}
    )
    keys = []
    with open_bench(bench) as opened, opened.database.write() as session:
        make_campaign(session, "work", settings, opened.corpus.fingerprint)
        for number in range(PEOPLE + 1):  # one more, so that five can label a claim
            person = Person(name=f"person {number}", pseudonym=f"p{number}")
            session.add(person)
            session.flush()
            session.add(Grant(person_id=person.id, role="annotator", campaign_id=None))
            keys.append(make_access_key(session, person, "torture", ["work"]))
    return keys


def _add_claims(bench: Path) -> None:
    with open_bench(bench) as opened, opened.database.write() as session:
        campaign = campaign_named(session, "work")
        for number in range(CLAIMS):
            text = f"Fritz Lang made film number {number}."
            add_claim(session, campaign, settings_of(campaign), text=text, entity="Fritz Lang")


def _work(bench: Path, keys: list[str], heard: Heard, kill_after: float | None) -> None:
    """Let everyone work until nothing is left, or kill the server after so many tasks and a bit."""
    with (
        serving("workbench", "serve", str(bench)) as (process, url),
        ThreadPoolExecutor(len(keys)) as pool,
    ):
        begun, start = len(heard.submitted), time.monotonic()
        jobs = [pool.submit(_annotate, url, key, heard) for key in keys]
        if kill_after is not None:
            whole, rest = divmod(kill_after, 1)
            while len(heard.submitted) - begun < whole and not all(job.done() for job in jobs):
                time.sleep(0.005)
            time.sleep(rest * (time.monotonic() - start) / whole)
            process.kill()
        for job in jobs:
            job.result()


def _annotate(url: str, key: str, heard: Heard) -> None:
    bearer = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=url, headers=bearer, timeout=120) as client:
        try:
            while task := _ask(client, "POST", _TASKS, {"workflow": "label"}, heard)["task"]:
                slot, at = task["task"], f"{_TASKS}/{task['task']}"
                note = f"{time.monotonic_ns()}"
                _ask(client, "PUT", f"{at}/draft", {"fields": {"note": note}}, heard)
                heard.drafts[slot] = note
                _ask(client, "POST", f"{at}/submission", {"verdict": "NOT ENOUGH INFO"}, heard)
                heard.submitted.add(slot)
        except httpx.TransportError:
            return  # the server is gone


def _ask(client: httpx.Client, method: str, path: str, body: object, heard: Heard) -> dict:  # type: ignore[type-arg]
    answer = client.request(method, path, json=body)
    if answer.status_code != 200:
        heard.problems.append(f"{method} {path}: {answer.status_code} {answer.text[:100]}")
        return {"task": None}
    found: dict[str, object] = answer.json()
    return found


def _examine(tally: Tally, bench: Path, heard: Heard) -> None:
    for problem in heard.problems:
        tally.fail(problem)
    heard.problems.clear()
    with open_bench(bench) as opened, opened.database.read() as session:
        said = session.execute(
            select(Annotation.slot_id, Annotation.claim_id, Annotation.person_id)
        ).all()
        drafts = {one.slot_id: one.data for one in session.scalars(select(Draft))}
        done = set(session.scalars(select(Slot.id).where(Slot.state == "done")))
    kept = {slot for slot, _, _ in said}
    if lost := heard.submitted - kept:
        tally.fail(f"{len(lost)} submissions were acknowledged and are gone")
    if done != kept or len(kept) != len(said):
        tally.fail("a slot is done without an annotation, or has two")
    if max(Counter((claim, person) for _, claim, person in said).values(), default=1) > 1:
        tally.fail("someone judged a claim twice")
    for slot, note in heard.drafts.items():
        if slot not in drafts or int(drafts[slot]["fields"].get("note", 0)) < int(note):
            tally.fail(f"the draft of slot {slot} was acknowledged and is gone")
