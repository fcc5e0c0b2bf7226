"""What tests of the arena share: a small gold, predictions, and an arena to send them to."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click.testing import CliRunner
from msgspec import Struct
from starlette.testclient import TestClient

from feverfew.arena.app import make_arena
from feverfew.arena.scoring import Scorer
from feverfew.cli.main import cli
from feverfew.workbench.bench import open_bench

SECRET = "Hidden_page"
GOLD = [
    {"id": 1, "claim": "A.", "label": "SUPPORTS", "evidence": [[[0, 0, SECRET, 7]]]},
    {"id": 2, "claim": "B.", "label": "REFUTES", "evidence": [[[0, 0, SECRET, 8]]]},
    {"id": 3, "claim": "C.", "label": "NOT ENOUGH INFO", "evidence": [[[0, None, None, None]]]},
]


def lines(*labels: str, page: str = SECRET) -> bytes:
    """Write predictions of the three claims."""
    rows = [
        {"id": n, "predicted_label": label, "predicted_evidence": [[page, n + 6]]}
        for n, label in enumerate(labels, 1)
    ]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


RIGHT = lines("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
LABELS_ONLY = lines("SUPPORTS", "REFUTES", "NOT ENOUGH INFO", page="Elsewhere")


def run(*words: object) -> str:
    """Run `feverfew arena …`, and return what it printed."""
    done = CliRunner().invoke(cli, ["arena", *map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


class Arena(Struct):
    """An arena in a folder, and the organiser's invitation."""

    folder: Path
    invitation: str

    def team(self, name: str) -> str:
        """Make a team, and return its key."""
        return self.team_and_link(name)[0]

    def team_and_link(self, name: str) -> tuple[str, str]:
        """Make a team, and return its key and an invitation."""
        made = json.loads(run("team", self.folder, name, "--json"))
        return made["key"], made["invitation"]

    @contextmanager
    def client(self) -> Iterator[TestClient]:
        with (
            open_bench(self.folder) as bench,
            Scorer(1) as scorer,
            TestClient(make_arena(bench, scorer)) as client,
        ):
            yield client


def make_task(folder: Path, *more: str, gold: list[dict[str, object]] = GOLD) -> Arena:
    """Make an arena with the task `demo`."""
    path = folder.parent / "gold.jsonl"
    path.write_text("\n".join(map(json.dumps, gold)), "utf-8")
    said = run("create", folder, "--name", "demo", "--format", "fever", "--gold", path, *more)
    return Arena(folder, said.split("invitation: ")[1].split()[0])


def send(client: TestClient, key: str, data: bytes, **asked: str) -> tuple[int, dict[str, object]]:
    """Submit over HTTP."""
    headers = {"Authorization": f"Bearer {key}"}
    address = "/v1/arena/demo/submissions"
    found = client.post(address, content=data, headers=headers, params=asked)
    return found.status_code, found.json()


def token_of(client: TestClient, path: str) -> str:
    """Return the token of a page's forms."""
    page = client.get(path, headers={"Accept": "text/html"}).text
    return page.split('name="token" value="')[1].split('"')[0]


def join(client: TestClient, link: str, name: str) -> None:
    """Accept an invitation; the client is logged in then."""
    client.cookies.clear()
    named = {"name": name, "password": "a long enough password", "token": token_of(client, link)}
    assert client.post(link, data=named).status_code == 200
