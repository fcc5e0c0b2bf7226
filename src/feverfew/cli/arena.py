"""`feverfew arena`: host a shared task with blind data, and submit to one."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from feverfew.cli.output import print_json, stderr_console, stdout
from feverfew.cli.workbench import _load
from feverfew.errors import InputError, MissingExtra, ServerError

_DIRECTORY = click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_TASK = click.option("--task", required=True, metavar="NAME", help="The task.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
KEY = "FEVERFEW_TEAM_KEY"


@click.group("arena")
def arena() -> None:
    """Host a shared task: blind claims, teams with quotas, and a board.

    \b
    feverfew arena create arena --name demo --format fever --gold test.jsonl
    feverfew arena team arena UNC-NLP
    feverfew arena serve arena
    """


@arena.command("create")
@_DIRECTORY
@click.option("--name", required=True, help="The task's name: letters, digits, - and _.")
@click.option(
    "--format",
    "kind",
    required=True,
    type=click.Choice(["fever", "feverous", "hover"]),
    help="The data set's format, which decides the score.",
)
@click.option("--gold", required=True, type=_FILE, help="The labelled claims; they stay secret.")
@click.option("--corpus", type=click.Path(path_type=Path), help="A corpus; else the sample.")
@click.option("--database", metavar="URL", help="PostgreSQL's URL; else SQLite in DIRECTORY.")
@click.option(
    "--quota", default=10, show_default=True, type=click.IntRange(1), help="Submissions of a team."
)
@click.option(
    "--counts",
    default="last",
    show_default=True,
    type=click.Choice(["last", "best"]),
    help="Which submission of a team counts.",
)
@click.option("--end", metavar="TIME", help="The end, as in 2018-07-27T23:59-07:00; else none.")
@click.option("--hidden", is_flag=True, help="Hide all scores until the end.")
def create(
    directory: Path,
    name: str,
    kind: str,
    gold: Path,
    corpus: Path | None,
    database: str | None,
    quota: int,
    counts: str,
    end: str | None,
    hidden: bool,
) -> None:
    """Make a task, and the arena where there is none yet.

    \b
    feverfew arena create arena --name demo --format fever --gold test.jsonl --quota 3
    """
    bench, tasks = _load("workbench.bench"), _load("arena.tasks")
    ending = _time(end) if end else None
    if not (directory / "workbench.toml").exists():
        token = bench.init_bench(directory, corpus, database)
        stdout().print(f"the organiser's invitation: /join/{token}", markup=False)
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        tasks.create_task(
            session,
            directory,
            opened.corpus.fingerprint,
            name=name,
            format=kind,
            gold=gold,
            quota=quota,
            counts=counts,
            end=ending,
            hidden=hidden,
        )
    stdout().print(f"task {name}; serve it with: feverfew arena serve {directory}", markup=False)


def _time(given: str) -> datetime:
    found: datetime | None = None
    with suppress(ValueError):
        found = datetime.fromisoformat(given)
    if found is None or found.tzinfo is None:
        raise InputError(f"--end {given}: write a time with its zone, as 2018-07-27T23:59-07:00")
    return found.astimezone(UTC)


@arena.command("team")
@_DIRECTORY
@click.argument("name")
@_JSON
def team(directory: Path, name: str, as_json: bool) -> None:
    """Make a team, and print a link for its people and a key for its programs.

    \b
    feverfew arena team arena UNC-NLP
    """
    bench, teams = _load("workbench.bench"), _load("store.teams")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        made = teams.make_team(session, name)
        link, key = f"/join/{teams.invite_to_team(session, made)}", teams.make_key(session, made)
    if as_json:
        print_json({"team": name, "invitation": link, "key": key})
        return
    stdout().print(f"invitation {link}", markup=False)
    stdout().print(f"key {key}", markup=False)


@arena.command("serve")
@_DIRECTORY
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8771,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; 0 for a free one.",
)
def serve(directory: Path, host: str, port: int) -> None:
    """Serve an arena. Ctrl-C or SIGTERM ends it once what was asked is answered.

    \b
    feverfew arena serve arena --port 8771
    """
    app, bench = _load("arena.app"), _load("workbench.bench")
    from feverfew.server.middleware import log_to_stderr

    with bench.open_bench(directory) as opened:
        log_to_stderr()
        app.run_arena(
            opened,
            host,
            port,
            lambda url: stderr_console().print(f"listening on {url}", markup=False),
        )


@arena.command("submit")
@click.argument("file", type=_FILE)
@click.option("--to", "url", required=True, metavar="URL", help="The task: http://host/arena/NAME.")
@_JSON
def submit(file: Path, url: str, as_json: bool) -> None:
    """Submit predictions; the team's key is read from FEVERFEW_TEAM_KEY.

    \b
    feverfew arena submit predictions.jsonl --to http://localhost:8771/arena/demo
    """
    try:
        import httpx
    except ModuleNotFoundError:
        raise MissingExtra("submitting", "client") from None
    key = os.environ.get(KEY, "")
    if not key:
        raise InputError(f"set {KEY} to the team's key")
    try:
        response = httpx.post(
            f"{url.rstrip('/')}/submissions",
            content=file.read_bytes(),
            headers={"Authorization": f"Bearer {key}"},
            timeout=300,
        )
        said = response.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise ServerError(f"{url}: {error}") from None
    if response.is_error:
        raise InputError("\n".join(said.get("problems") or [said.get("error", "refused")]))
    if as_json:
        print_json(said)
        return
    stdout().print(f"submission {said['number']}, sha256 {said['digest']}", markup=False)
    for name, value in (said["means"] or {}).items():
        stdout().print(f"{name} {value:.4f}", markup=False)


@arena.command("board")
@_DIRECTORY
@_TASK
@_JSON
def board(directory: Path, task: str, as_json: bool) -> None:
    """Print the board: rank, team, and every measure.

    \b
    feverfew arena board arena --task demo
    """
    bench, tasks = _load("workbench.bench"), _load("arena.tasks")
    with bench.open_bench(directory) as opened, opened.database.read() as session:
        placed = tasks.board(session, task)
    for one in placed:
        if as_json:
            print_json(one)
            continue
        measures = "  ".join(f"{name} {value:.4f}" for name, value in one.means.items())
        stdout().print(f"{one.rank}  {one.team}  {measures}", markup=False)
