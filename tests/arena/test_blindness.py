"""Nothing of a blind gold leaves: through no address, for nobody who should not see it."""

import json
import re
import stat
from pathlib import Path

from sqlalchemy import select, text
from starlette.routing import Route

from feverfew.store.people_tables import Audit
from feverfew.store.transfer import dump
from feverfew.workbench.bench import open_bench
from hosting import LABELS_ONLY, SECRET, Arena, join, lines, make_task, run, send, token_of

FUTURE = ("--end", "2999-01-01T00:00+00:00")
HIDDEN = (*FUTURE, "--scores", "hidden")
VALUES = {"task": "demo", "number": "1", "campaign": "demo", "name": "x", "slot": "1"}


def addresses(app: object) -> set[str]:
    """Return every address that answers to GET, with values that exist where there are any."""
    found = set()
    for route in _flat(getattr(app, "routes", [])):
        if "GET" in (route.methods or ()):
            found.add(re.sub(r"\{(\w+)[^}]*\}", lambda m: VALUES.get(m[1], "1"), route.path))
    return found


def _flat(routes: list[object]) -> list[Route]:
    found: list[Route] = []
    for one in routes:
        if isinstance(one, Route):
            found.append(one)
        else:
            inner = getattr(one, "original_router", None) or getattr(one, "router", None) or one
            found += _flat(list(getattr(inner, "routes", [])))
    return found


def forbidden(said: str) -> list[str]:
    """Find what only the gold could have told."""
    return [word for word in (SECRET, "REFUTES", "SUPPORTS", "fever_score") if word in said]


def test_the_gold_is_a_file_of_its_owner_and_not_in_the_database(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", *HIDDEN)
    (gold,) = (arena.folder / "gold").iterdir()
    assert stat.S_IMODE(gold.stat().st_mode) == 0o600
    assert stat.S_IMODE(gold.parent.stat().st_mode) == 0o700
    with open_bench(arena.folder) as bench:
        backup = b"".join(dump(bench.database))
        with bench.database.read() as session:
            assert session.scalar(text("select count(*) from gold_version")) == 1
    assert SECRET.encode() not in backup


def test_no_address_tells_the_gold_while_the_phase_runs(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", *HIDDEN)
    key, link = arena.team_and_link("Athene")
    with arena.client() as client:
        receipt = send(client, key, lines("NOT ENOUGH INFO", "NOT ENOUGH INFO", "NOT ENOUGH INFO"))
        assert receipt[1]["means"] is None
        paths = addresses(client.app)
        assert {"/arena/demo/board", "/arena/demo/systems/1", "/v1/arena/demo/claims"} <= paths
        for who in ("nobody", "Ann"):
            if who != "nobody":
                join(client, link, who)
            for path in sorted(paths):
                for accept in ("text/html", "application/json"):
                    for query in ("", "?phase=test&gold=1&form=csv", "?gold=2&compare=1"):
                        said = client.get(path + query, headers={"Accept": accept})
                        assert said.status_code < 500, (path, said.text)
                        assert forbidden(said.text) == [], (who, path, query)
        assert client.get("/v1/arena/demo/board").status_code == 403
        (gold,) = (arena.folder / "gold").iterdir()
        for path in (f"/arena/demo/{gold.name}", f"/gold/{gold.name}", f"/static/{gold.name}"):
            assert client.get(path).status_code == 404
        for path in ("/static/..%2f..%2fgold%2f" + gold.name, "/arena/..%2fgold/" + gold.name):
            assert forbidden(client.get(path).text) == []


def test_claims_carry_ids_and_texts_only(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    with arena.client() as client:
        rows = client.get("/v1/arena/demo/claims").text.splitlines()
    assert [sorted(json.loads(row)) for row in rows] == [["claim", "id"]] * 3


def test_refusals_say_nothing_about_labels(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", *HIDDEN)
    key = arena.team("Athene")
    with arena.client() as client:
        right = send(client, key, b'{"id": 2, "predicted_label": "REFUTES"}')[1]
        wrong = send(client, key, b'{"id": 2, "predicted_label": "SUPPORTS"}')[1]
    assert right == wrong


def test_other_teams_see_no_submission_and_cannot_change_it(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", *HIDDEN)
    key = arena.team("Athene")
    _, link = arena.team_and_link("Papelo")
    with arena.client() as client:
        made = send(client, key, LABELS_ONLY)[1]["submission"]
        join(client, link, "Eve")
        page = client.get(f"/arena/demo/systems/{made}", headers={"Accept": "text/html"})
        assert page.status_code == 403
        token = token_of(client, "/arena/demo/submissions")
        address = f"/arena/demo/submissions/{made}"
        assert client.post(address, data={"do": "hide", "token": token}).status_code == 403


def test_every_look_of_an_organiser_is_recorded(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena", *HIDDEN)
    key = arena.team("Athene")
    with arena.client() as client:
        made = send(client, key, LABELS_ONLY)[1]["submission"]
        join(client, arena.invitation, "Olga")
        page = client.get("/arena/demo/board", headers={"Accept": "text/html"}).text
        assert "This look was recorded" in page
        assert client.get("/v1/arena/demo/board").status_code == 200
        client.get(f"/arena/demo/systems/{made}", headers={"Accept": "text/html"})
    run("board", arena.folder, "--task", "demo")
    assert looks(arena) == [
        "look at board",
        "look at board",
        "look at system",
        "look at board",
    ]


def looks(arena: Arena) -> list[str]:
    with open_bench(arena.folder) as bench, bench.database.read() as session:
        query = select(Audit.what).where(Audit.what.startswith("look")).order_by(Audit.id)
        return list(session.scalars(query))


def test_files_sent_too_often_are_turned_away(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    key = arena.team("Athene")
    with arena.client() as client:
        client.app.state.uploads._most = 3  # type: ignore[attr-defined]
        statuses = [send(client, key, b"{}")[0] for _ in range(4)]
    assert statuses == [422, 422, 422, 429]
