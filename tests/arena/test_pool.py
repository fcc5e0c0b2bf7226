"""Pooled evidence in a browser: judged blind by other teams, adjudicated, and put into the gold."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from feverfew.errors import InputError, NotAllowed
from hosting import Arena, join, make_task, run, send, token_of

PAGE = {"Accept": "text/html"}
GOLD: list[dict[str, object]] = [
    {
        "id": 1,
        "claim": "Lang was born in 1890.",
        "label": "SUPPORTS",
        "evidence": [[[0, 0, "Metropolis", 0]]],
    },
    {"id": 2, "claim": "Lang was never hurt.", "label": "NOT ENOUGH INFO", "evidence": []},
    {
        "id": 3,
        "claim": "Lang's father built.",
        "label": "REFUTES",
        "evidence": [[[0, 0, "Metropolis", 0]]],
    },
]
SAID = {1: ("SUPPORTS", 0), 2: ("REFUTES", 2), 3: ("SUPPORTS", 1)}
"""What the system of Athene says, and which sentence of Fritz Lang's page it returns."""


def file(said: dict[int, tuple[str, int]]) -> bytes:
    rows = [
        {"id": n, "predicted_label": label, "predicted_evidence": [["Fritz_Lang", line]]}
        for n, (label, line) in said.items()
    ]
    return "\n".join(map(json.dumps, rows)).encode()


class Judge:
    """A volunteer of a team, who judges by forms."""

    def __init__(self, client: TestClient, link: str, name: str) -> None:
        join(client, link, name)
        self.client, self.name = client, name

    def next(self) -> str:
        """Take the next piece of evidence; return its address, or "" when nothing is left."""
        token = token_of(self.client, "/arena/demo/pool")
        found = self.client.post("/work/demo-pool/next/pool", data={"token": token})
        return found.url.path if "/t/" in found.url.path else ""

    def judge(self, address: str, verdict: str, ref: str = "") -> None:
        token = token_of(self.client, address)
        if ref:
            self.client.post(address, data={"do": f"take:{ref}", "token": token})
        page = self.client.post(
            address, data={"do": "confirm", "verdict": verdict, "token": token}, headers=PAGE
        )
        assert page.status_code == 200, page.text
        done = self.client.post(address, data={"do": "submit", "token": token}, headers=PAGE)
        assert "Submitted" in done.text


@pytest.fixture
def ended(tmp_path: Path, database: list[str]) -> tuple[Arena, dict[str, str]]:
    """Return an arena after the close, with three teams and everything drawn."""
    arena = make_task(tmp_path / "arena", *database, gold=GOLD)
    teams = {name: arena.team_and_link(name) for name in ("Athene", "Papelo", "UCL")}
    with arena.client() as client:
        assert send(client, teams["Athene"][0], file(SAID))[0] == 201
        nothing = dict.fromkeys(SAID, ("NOT ENOUGH INFO", 0))
        gold = file(nothing).replace(b"Fritz_Lang", b"Metropolis")
        assert send(client, teams["Papelo"][0], gold)[0] == 201
    with pytest.raises(NotAllowed, match="evidence is pooled after the end"):
        run("pool", arena.folder, "--task", "demo", "--draw", "9")
    run("phase", arena.folder, "test", "--task", "demo", "--end", "2020-01-01T00:00Z")
    with pytest.raises(InputError, match="no judgement changes the gold"):
        run("gold", arena.folder, "--task", "demo")
    # Papelo's evidence is the gold's for two claims; for the open one it is outside, like all.
    said = json.loads(run("pool", arena.folder, "--task", "demo", "--draw", "9", "--json"))
    assert said["drawn"] == 4
    return arena, {name: link for name, (_, link) in teams.items()}


def test_judged_blind_by_other_teams_then_in_the_gold(
    ended: tuple[Arena, dict[str, str]], tmp_path: Path
) -> None:
    arena, links = ended
    verdicts = {
        "Lang was born in 1890.": ("SUPPORTED", "Fritz Lang_sentence_0"),
        "Lang was never hurt.": ("REFUTED", "Fritz Lang_sentence_2"),
        "Lang's father built.": ("SUPPORTED", "Fritz Lang_sentence_1"),
    }
    with arena.client() as client:
        own = Judge(client, links["Athene"], "Ann")
        address = own.next()  # only what Papelo returned is left for someone of Athene
        assert "Metropolis" in client.get(address, headers=PAGE).text
        own.judge(address, "NOT ENOUGH INFO")
        assert own.next() == ""
        for name, link in (("Papa", links["Papelo"]), ("Uli", links["UCL"])):
            judge = Judge(client, link, name)
            while address := judge.next():
                page = client.get(address, headers=PAGE).text
                for hidden in ("Athene", "Papelo", "REFUTES", "fever", "gold"):
                    assert hidden not in page.split("<main")[1], (name, hidden)
                if "Metropolis may refer" in page:
                    judge.judge(address, "NOT ENOUGH INFO")
                    continue
                text = next(text for text in verdicts if text.replace("'", "&#39;") in page)
                judge.judge(address, *verdicts[text])
        said = json.loads(run("pool", arena.folder, "--task", "demo", "--json"))
        assert said["changes"] == {"relabelled": 0, "settled": 1, "evidence": 1}
        assert said["conflicts"] == 1
        _adjudicate(client, arena)
        _code_errors(client)
        assert "Techniques" not in client.get("/arena/demo/report", headers=PAGE).text
    changes = [
        json.loads(line)
        for line in run("gold", arena.folder, "--task", "demo", "--json").splitlines()
    ]
    assert [(one["kind"], one["before"], one["after"]) for one in changes] == [
        ("evidence", "SUPPORTED", "SUPPORTED"),
        ("settled", "NOT ENOUGH INFO", "REFUTED"),
        ("relabelled", "REFUTED", "SUPPORTED"),
    ]
    assert [one["sets"] for one in changes] == [[[f"Fritz_Lang_sentence_{n}"]] for n in (0, 2, 1)]
    words = ("board", arena.folder, "--task", "demo", "--compare", "1", "--form", "json")
    final = json.loads(run(*words))
    rows = {row["team"]: row for row in final["rows"]}
    assert rows["Athene"]["means"]["fever_score"] == 1.0
    assert rows["Athene"]["changes"]["fever_score"] == 1.0
    assert rows["Athene"]["rank_change"] == 1
    assert rows["Papelo"]["changes"]["fever_score"] == pytest.approx(-1 / 3)
    released = [
        json.loads(row) for row in run("release", arena.folder, "--task", "demo").splitlines()
    ]
    assert len(released) == 8 - 0
    assert all(row["annotator"].startswith("p") for row in released)
    run("report", arena.folder, "--task", "demo", "-o", tmp_path / "report")
    text = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "1 claims had a wrong label, 1 were settled by new evidence (1 refuted)" in text
    assert (tmp_path / "report" / "plot-1.svg").read_text("utf-8").startswith("<svg")
    assert "<svg" in (tmp_path / "report" / "report.html").read_text("utf-8")


def _adjudicate(client: TestClient, arena: Arena) -> None:
    """Let volunteers be turned away, and an organiser decide."""
    assert client.get("/arena/demo/conflicts", headers=PAGE).status_code == 403
    join(client, arena.invitation, "Olga")
    page = client.get("/arena/demo/conflicts", headers=PAGE).text
    assert "1 open conflicts" in page
    assert "The gold says <strong>REFUTED</strong>" in page
    assert "Papa" not in page
    address = page.split('<form method="post" action="/arena/demo/conflicts/')[1].split('"')[0]
    token = token_of(client, "/arena/demo/conflicts")
    form = {"verdict": "SUPPORTED", "comment": "The page says so.", "token": token}
    client.post(f"/arena/demo/conflicts/{address}", data=form)
    assert "Nothing to decide" in client.get("/arena/demo/conflicts", headers=PAGE).text
    for page in ("", "/quality", "/people", "/flags", "/adjudicate"):
        assert client.get(f"/manage/demo-pool{page}", headers=PAGE).status_code == 200


def _code_errors(client: TestClient) -> None:
    """Code one error by the questions of appendix B."""
    page = client.get("/arena/demo/errors", headers=PAGE).text
    assert "Does the claim meet the guidelines?" in page
    token = token_of(client, "/arena/demo/errors?guidelines=yes&gold_label=no")
    page = client.get("/arena/demo/errors?guidelines=yes&gold_label=no", headers=PAGE).text
    draw = page.split('action="/arena/demo/errors/')[1].split('"')[0]
    early = client.post(f"/arena/demo/errors/{draw}", data={"token": token, "guidelines": "yes"})
    assert early.status_code == 422
    answers = {"token": token, "guidelines": "yes", "gold_label": "no", "note": "a slip"}
    page = client.post(f"/arena/demo/errors/{draw}", data=answers, headers=PAGE).text
    assert "annotator-error" in page
