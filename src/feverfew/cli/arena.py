"""`feverfew arena`: host a shared task with blind data, and submit to one."""

import os
from pathlib import Path
from typing import Any

import click

from feverfew.cli import arena_entries as entries
from feverfew.cli import arena_judging as judging
from feverfew.cli.arena_options import DIRECTORY, FILE, JSON, PHASE, TASK, say
from feverfew.cli.output import print_json, stderr_console
from feverfew.cli.workbench import load_part, serve_bench, serve_options
from feverfew.errors import InputError

KEY = "FEVERFEW_TEAM_KEY"


def _phase_options(command: Any) -> Any:
    """Add the options that say what a phase allows."""
    for option in reversed(
        [
            click.option("--start", metavar="TIME", help="When it starts; now by default."),
            click.option(
                "--end",
                metavar="TIME",
                help="The end, as 2018-07-27T23:59-07:00 or '2018-07-27T23:59 Europe/Berlin'.",
            ),
            click.option(
                "--quota",
                default=10,
                show_default=True,
                type=click.IntRange(1),
                help="Submissions per team.",
            ),
            click.option(
                "--counts",
                default="last",
                show_default=True,
                type=click.Choice(["last", "best", "chosen"]),
                help="Which submission of a team is on the board.",
            ),
            click.option(
                "--scores",
                default="shown",
                show_default=True,
                type=click.Choice(["shown", "part", "hidden"]),
                help="Which scores teams see before the end.",
            ),
            click.option(
                "--share",
                default=0.2,
                show_default=True,
                type=click.FloatRange(0, 1, min_open=True, max_open=True),
                help="The share of claims that --scores part scores.",
            ),
            click.option(
                "--board",
                default="shown",
                show_default=True,
                type=click.Choice(["shown", "hidden"]),
                help="Whether the board is visible before the end.",
            ),
            click.option(
                "--decimals",
                default=4,
                show_default=True,
                type=click.IntRange(1, 6),
                help="Decimals of scores before the end.",
            ),
        ]
    ):
        command = option(command)
    return command


def _phase(given: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return start, end and settings of a phase."""
    phases = load_part("arena.phases")
    start = phases.parse_time(given["start"], "--start") if given["start"] else (None, "UTC")
    end = phases.parse_time(given["end"], "--end") if given["end"] else (None, "UTC")
    names = ("quota", "counts", "scores", "share", "board", "decimals")
    settings = {name: given[name] for name in names}
    if settings["scores"] != "shown":
        settings["board"] = "hidden"  # it would tell the scores
    zone = end[1] if given["end"] else start[1]
    return start[0], end[0], phases.PhaseSettings(**settings, zone=zone)


@click.group("arena")
def arena() -> None:
    """Host a shared task: blind claims, teams with quotas, boards, and pooled evidence.

    \b
    feverfew arena create arena --name demo --format fever --gold test.jsonl
    feverfew arena team arena UNC-NLP
    feverfew arena serve arena
    """


@arena.command("create")
@DIRECTORY
@click.option("--name", required=True, help="The task's name: letters, digits, - and _.")
@click.option(
    "--format",
    "kind",
    required=True,
    type=click.Choice(["fever", "feverous", "hover"]),
    help="The data set's format, which determines the score.",
)
@click.option("--gold", required=True, type=FILE, help="The labelled claims; they are kept secret.")
@click.option("--corpus", type=click.Path(path_type=Path), help="A corpus; the sample by default.")
@click.option("--database", metavar="URL", help="A PostgreSQL URL; SQLite in DIRECTORY by default.")
@_phase_options
def create(
    directory: Path,
    name: str,
    kind: str,
    gold: Path,
    corpus: Path | None,
    database: str | None,
    **phase: Any,
) -> None:
    """Create a task with one phase, test, and the arena if it does not exist.

    \b
    feverfew arena create arena --name demo --format fever --gold test.jsonl --quota 3
    """
    bench, tasks = load_part("workbench.bench"), load_part("arena.tasks")
    start, end, settings = _phase(phase)
    if not (directory / "workbench.toml").exists():
        token = bench.init_bench(directory, corpus, database)
        say(f"the organiser's invitation: /join/{token}")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        tasks.create_task(
            session,
            directory,
            opened.corpus.fingerprint,
            name=name,
            format=kind,
            gold=gold,
            start=start,
            end=end,
            settings=settings,
        )
    say(f"task {name}; serve it with: feverfew arena serve {directory}")


@arena.command("phase")
@DIRECTORY
@click.argument("name")
@TASK
@click.option("--part", default="test", show_default=True, help="The split of the data.")
@click.option("--gold", type=FILE, help="The labelled claims of a new split.")
@_phase_options
def phase(
    directory: Path, name: str, task: str, part: str, gold: Path | None, **given: Any
) -> None:
    """Add a phase to a task, or change one: every option is set again.

    \b
    feverfew arena phase arena dev --task demo --part dev --gold dev.jsonl --quota 100
    feverfew arena phase arena test --task demo --end 2018-07-27T23:59-07:00 --scores hidden
    feverfew arena phase arena after --task demo --start 2018-07-28T00:00-07:00
    """
    bench, tasks, phases = (
        load_part("workbench.bench"),
        load_part("arena.tasks"),
        load_part("arena.phases"),
    )
    start, end, settings = _phase(given)
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        found = tasks.task_by_name(session, task)
        if gold is not None:
            tasks.add_part(session, directory, found, part, gold)
        load_part("arena.golds").gold_row(session, found, part)
        phases.put_phase(session, found, name, part, start, end, settings)
    say(f"phase {name} of {task}")


@arena.command("team")
@DIRECTORY
@click.argument("name")
@JSON
def team(directory: Path, name: str, as_json: bool) -> None:
    """Create a team, and print an invitation link and a key for programs.

    \b
    feverfew arena team arena UNC-NLP
    """
    bench, teams = load_part("workbench.bench"), load_part("store.teams")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        made = teams.make_team(session, name)
        link, key = f"/join/{teams.invite_to_team(session, made)}", teams.make_key(session, made)
    if as_json:
        print_json({"team": name, "invitation": link, "key": key})
        return
    say(f"invitation {link}")
    say(f"key {key}")


@arena.command("serve")
@DIRECTORY
@serve_options(8771)
def serve(directory: Path, host: str, port: int) -> None:
    """Serve an arena. Ctrl-C or SIGTERM stops it after open requests are answered.

    \b
    feverfew arena serve arena --port 8771
    """
    serve_bench(directory, host, port, load_part("arena.app").run_arena)


@arena.command("submit")
@click.argument("file", type=FILE)
@click.option("--to", "url", required=True, metavar="URL", help="The task: http://host/arena/NAME.")
@PHASE
@click.option("--system", default="", help="The system's name; the team's by default.")
@click.option("--note", default="", help="A private note.")
@JSON
def submit(file: Path, url: str, phase: str | None, system: str, note: str, as_json: bool) -> None:
    """Submit predictions; the team's key is read from FEVERFEW_TEAM_KEY.

    \b
    feverfew arena submit predictions.jsonl --to http://localhost:8771/arena/demo
    """
    from feverfew.arena_client import submit_file

    key = os.environ.get(KEY, "")
    if not key:
        raise InputError(f"set {KEY} to the team's key")
    said = submit_file(file, url, key, phase=phase, system=system, note=note)
    if as_json:
        print_json(said)
        return
    say(f"submission {said.number}, sha256 {said.digest}")
    say(f"{said.left} left in the phase {said.phase}")
    for name, value in (said.means or {}).items():
        say(f"{name} {value:.4f}")


@arena.command("board")
@DIRECTORY
@TASK
@PHASE
@click.option(
    "--gold",
    "version",
    type=click.IntRange(1),
    help="The version of the gold data; the newest by default.",
)
@click.option("--compare", type=click.IntRange(1), help="Show differences from this version.")
@click.option(
    "--form",
    default="text",
    show_default=True,
    type=click.Choice(["text", "json", "csv", "latex"]),
    help="The output format.",
)
def board(
    directory: Path,
    task: str,
    phase: str | None,
    version: int | None,
    compare: int | None,
    form: str,
) -> None:
    """Print a board: rank, team and every measure, including what teams cannot see.

    \b
    feverfew arena board arena --task demo
    feverfew arena board arena --task demo --gold 2 --compare 1 --form latex
    """
    bench, boards = load_part("workbench.bench"), load_part("arena.boards")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        found = boards.board(session, task, phase, version, compare, organiser=True)
        load_part("store.people").audit(session, None, "look at board", f"{task} {found.phase}")
    if form == "json":
        print_json(found)
    elif form != "text":
        click.echo((boards.as_csv if form == "csv" else boards.as_latex)(found), nl=False)
    else:
        if found.preliminary:
            stderr_console().print("preliminary, pending annotation", markup=False)
        for row in found.rows:
            say(_line(found, row))


def _line(found: Any, row: Any) -> str:
    moved = f" ({row.rank_change:+d})" if row.rank_change else ""
    cells = [f"{row.rank}{moved}", f"{row.system} (baseline)" if row.baseline else row.team]
    for name in found.measures:
        change = f" ({row.changes[name]:+.4f})" if name in row.changes else ""
        cells.append(f"{name} {row.means[name]:.4f}{change}")
    return "  ".join(cells)


for command in (
    entries.baseline,
    entries.describe,
    entries.due,
    entries.withdraw,
    judging.pool,
    judging.gold,
    judging.release,
    judging.report,
):
    arena.add_command(command)
