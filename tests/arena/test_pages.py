"""The arena's pages, without scripts: rules, submitting, describing, the team, the board."""

from pathlib import Path

from feverfew.arena.entries import FIELDS
from hosting import LABELS_ONLY, RIGHT, join, make_task, run, send, token_of

PAGE = {"Accept": "text/html"}


def test_a_team_does_everything_in_a_browser(tmp_path: Path, database: list[str]) -> None:
    arena = make_task(tmp_path / "arena", "--end", "2999-01-01T00:00+00:00", *database)
    _, link = arena.team_and_link("Athene")
    papelo = arena.team("Papelo")
    with arena.client() as client:
        assert "demo" in client.get("/arena", headers=PAGE).text
        assert "3 claims" in client.get("/arena/demo", headers=PAGE).text
        join(client, link, "Ann")
        form = {"token": token_of(client, "/arena/demo/submit"), "phase": "test", "note": "first"}
        bad = client.post("/arena/demo/submit", data=form, files={"file": b"{"})
        assert bad.status_code == 422
        assert "predictions:1:" in bad.text
        kept = client.post("/arena/demo/submit", data=form, files={"file": RIGHT})
        assert "Submission 1 is kept." in kept.text
        assert "fever score 1.0000" in kept.text
        stranger = client.post("/arena/demo/submit", data={"token": "x"}, files={"file": RIGHT})
        assert stranger.status_code == 403
        page = client.post("/arena/demo/team", data={"do": "invite", "token": form["token"]}).text
        again = f"/join/{page.split('/join/')[1].split('<')[0]}"
        page = client.post("/arena/demo/team", data={"do": "key", "token": form["token"]}).text
        key = page.split("ffk_")[1].split("<")[0]
        assert send(client, f"ffk_{key}", LABELS_ONLY)[0] == 201
        client.post("/arena/demo/team", data={"do": "revoke", "token": form["token"]})
        assert send(client, f"ffk_{key}", RIGHT)[0] == 401
        lacks = {"token": form["token"], "retrieval": "BM25"}
        page = client.post("/arena/demo/description", data=lacks).text
        assert "the description lacks selection, inference" in page
        whole = {name: f"our {name}" for name in FIELDS}
        client.post("/arena/demo/description", data={"token": form["token"], **whole})
        send(client, papelo, RIGHT)
        board = client.get("/arena/demo/board", headers=PAGE).text
        assert board.index("Papelo") < board.index("Athene")
        system = client.get("/arena/demo/systems/2", headers=PAGE).text
        assert "our retrieval" in system
        assert "label accuracy" in system
        client.post("/arena/demo/team", data={"do": "withdraw", "token": form["token"]})
        assert "Athene" not in client.get("/v1/arena/demo/board").text
        client.cookies.clear()
        assert client.get("/arena/demo/systems/2", headers=PAGE).status_code == 404
        join(client, again, "Bob")
        form["token"] = token_of(client, "/arena/demo/submit")
        late = client.post("/arena/demo/submit", data=form, files={"file": RIGHT + b"\n"})
        assert late.status_code == 403


def test_a_team_without_a_description_counts_as_withdrawn_when_due(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    first, second = arena.team("Athene"), arena.team("Papelo")
    said = tmp_path / "papelo.toml"
    said.write_text("\n".join(f'{name} = "none"' for name in FIELDS), "utf-8")
    run("describe", arena.folder, "Papelo", said, "--task", "demo")
    with arena.client() as client:
        send(client, first, RIGHT)
        send(client, second, LABELS_ONLY)
        teams = [row["team"] for row in client.get("/v1/arena/demo/board").json()["rows"]]
        assert teams == ["Athene", "Papelo"]
        run("due", arena.folder, "2018-08-10T23:59-07:00", "--task", "demo")
        found = client.get("/v1/arena/demo/board")
        assert [row["team"] for row in found.json()["rows"]] == ["(withdrawn)", "Papelo"]
        assert "Athene" not in client.get("/arena/demo/systems/1", headers=PAGE).text


def test_an_ended_phase_shows_slices_and_its_tag_of_being_preliminary(tmp_path: Path) -> None:
    arena = make_task(tmp_path / "arena")
    key = arena.team("Athene")
    with arena.client() as client:
        send(client, key, RIGHT)
        assert "By label" not in client.get("/arena/demo/systems/1", headers=PAGE).text
        run("phase", arena.folder, "test", "--task", "demo", "--end", "2020-01-01T00:00Z")
        assert "By label" in client.get("/arena/demo/systems/1", headers=PAGE).text
        board = client.get("/arena/demo/board", params={"by": "precision"}, headers=PAGE).text
        assert "Preliminary, pending annotation" in board
