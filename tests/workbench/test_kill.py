"""Kill the server while people work: what was acknowledged is kept, and nobody is stuck."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from click.testing import CliRunner
from sqlalchemy import select

from feverfew.cli.main import cli
from feverfew.store.campaigns import campaign_named, settings_of
from feverfew.store.claims import add_claim
from feverfew.store.work_tables import Annotation
from feverfew.workbench.bench import open_bench
from running import Running, running
from visiting import PASSWORD, Visitor, invitation

PEOPLE, KILLS, BETWEEN = 3, 2, 2


def work(visitor: Visitor, server: Running, acknowledged: set[int], goal: int) -> None:
    """Work until the server is gone, and end it once enough is done."""
    while True:
        try:
            assert visitor.next("fever-demo", "label"), visitor.text
            slot = int(visitor.path.rpartition("/")[2])
            visitor.press("confirm", verdict="NOT ENOUGH INFO")
            visitor.press("submit")
            assert "Submitted" in visitor.text
            acknowledged.add(slot)
        except httpx.TransportError:
            return
        if len(acknowledged) >= goal:
            server.process.kill()


def test_nothing_acknowledged_is_lost(tmp_path: Path, sample_path: Path) -> None:
    folder = tmp_path / "bench"
    made = CliRunner().invoke(
        cli, ["workbench", "init", str(folder), "--demo", "--json"], catch_exceptions=False
    )
    with open_bench(folder) as bench, bench.database.write() as session:
        campaign = campaign_named(session, "fever-demo")
        for n in range(40):
            text = f"Fritz Lang made film number {n}."
            add_claim(session, campaign, settings_of(campaign), text=text, entity="Fritz Lang")
    acknowledged: set[int] = set()
    for kill in range(KILLS + 1):
        with running("serve", folder, command="workbench") as server:
            visitors = [Visitor(server.url) for _ in range(PEOPLE)]
            if kill == 0:
                organiser = Visitor(server.url).join(json.loads(made.stdout)["invitation"], "Olga")
                for n, one in enumerate(visitors):
                    one.join(invitation(organiser, "annotator"), f"Ann {n}")
                organiser.close()
            else:
                for n, one in enumerate(visitors):
                    one.open("/login")
                    one.send({"name": f"Ann {n}", "password": PASSWORD}, "main form")
            goal = len(acknowledged) + BETWEEN * PEOPLE
            with ThreadPoolExecutor(PEOPLE) as pool:
                jobs = [pool.submit(work, one, server, acknowledged, goal) for one in visitors]
                for job in jobs:
                    job.result()
            for one in visitors:
                one.close()
    with open_bench(folder) as bench, bench.database.read() as session:
        kept = session.scalars(select(Annotation.slot_id)).all()
    assert len(acknowledged) >= (KILLS + 1) * BETWEEN * PEOPLE
    assert acknowledged <= set(kept)
    assert len(kept) == len(set(kept))
