"""`feverfew arena`: baselines, descriptions of systems, withdrawal."""

import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import click
import msgspec

from feverfew.cli.arena_options import DIRECTORY, FILE, PHASE, TASK, say
from feverfew.cli.output import stderr_console
from feverfew.cli.workbench import load_part
from feverfew.errors import InputError, NotFound
from feverfew.types import Claim, Prediction, Verdict

_BY_RULE = ("not-enough-info", "random")


@click.command("baseline")
@DIRECTORY
@TASK
@PHASE
@click.option(
    "--system",
    "names",
    multiple=True,
    metavar="NAME",
    help="checker, not-enough-info, random, or EXPERIMENT:ROW of 'reproduce'; may be repeated.",
)
@click.option("--file", "files", multiple=True, metavar="NAME=FILE", help="A file of predictions.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The papers' data, to train their systems.",
)
def baseline(
    directory: Path,
    task: str,
    phase: str | None,
    names: tuple[str, ...],
    files: tuple[str, ...],
    data: Path | None,
) -> None:
    """Run systems on a task's claims and enter them as the organisers' baselines.

    They are marked on the board, and ignore quotas and dates.

    \b
    feverfew arena baseline arena --task demo --system checker --system not-enough-info
    feverfew arena baseline arena --task demo --data data \\
      --system "shared-task/board:baseline: DrQA, bigrams, one reading"
    """
    if not names and not files:
        raise InputError("name a --system, or give a --file NAME=FILE")
    bench, submissions = load_part("workbench.bench"), load_part("arena.submissions")
    tasks, teams, golds = (
        load_part("arena.tasks"),
        load_part("store.teams"),
        load_part("arena.golds"),
    )
    phases = load_part("arena.phases")
    with bench.open_bench(directory) as opened, tempfile.TemporaryDirectory() as folder:
        with opened.database.write() as session:
            organisers = teams.organisers_team(session)
        with opened.database.read() as session:
            found = tasks.task_by_name(session, task)
            wanted = phases.phase_named(session, found, phase)
            row = golds.gold_row(session, found, wanted.part)
            gold = golds.load_gold(directory, found, row)
        blind = [Claim(id=claim.id, text=claim.text) for claim in gold.claims]
        made = [(name, Path(path)) for name, _, path in (one.partition("=") for one in files)]
        for place, name in enumerate(names):
            stderr_console().print(f"running {name}", markup=False)
            said = _predict(name, found.format, blind, opened.corpus.path, data, directory)
            path = Path(folder) / f"{place}.jsonl"
            _write(path, said, found.format)
            made.append((name, path))
        for name, path in made:
            if not path.is_file():
                raise InputError(f"--file {name}={path}: there is no such file")
            sent = submissions.Sent(
                path=path,
                task=task,
                phase=wanted.name,
                team=organisers,
                system=name,
                baseline=True,
            )
            score = load_part("arena.scoring").score_here
            receipt = submissions.submit(opened.database, directory, sent, score)
            say(f"baseline {name}: submission {receipt.submission}")


def _write(path: Path, said: Iterable[Prediction], form: str) -> None:
    from feverfew.readers.predictions import dump_prediction

    with path.open("wb") as out:
        for one in said:
            out.write(msgspec.json.encode(dump_prediction(one, form)) + b"\n")


def _predict(
    name: str, form: str, claims: Sequence[Claim], corpus: Path, data: Path | None, folder: Path
) -> Iterable[Prediction]:
    if name in _BY_RULE:
        return _by_rule(name, form, claims)
    if name == "checker":
        from feverfew.check.verify import verify

        return verify(claims, corpus, form)
    experiment, _, row = name.partition(":")
    return _paper(experiment, row, claims, corpus, data, folder)


def _by_rule(name: str, form: str, claims: Sequence[Claim]) -> list[Prediction]:
    from random import Random

    labels = [Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO]
    if form == "hover":
        labels = [Verdict.SUPPORTED, Verdict.NOT_SUPPORTED]
    drawn = Random(0)
    return [
        Prediction(id=one.id, label=drawn.choice(labels) if name == "random" else labels[-1])
        for one in claims
    ]


def _paper(
    experiment: str,
    row: str,
    claims: Sequence[Claim],
    corpus: Path,
    data: Path | None,
    folder: Path,
) -> list[Prediction]:
    """Run a system of a paper; its cache is the arena's own, where ids mean its claims."""
    from feverfew.cli.reproduce import make_runner
    from feverfew.lab.papers.experiment import load_experiment

    systems = {one.row: one.system for one in load_experiment(experiment).figures if one.system}
    if row not in systems:
        known = "; ".join(systems)
        raise NotFound(f"{experiment} has no row {row!r}; there are {known}")
    if data is None:
        raise InputError("the papers' systems need training data: give --data")
    runner = make_runner(data, corpus, folder / "baselines")
    return runner.run(systems[row], claims).predictions


@click.command("describe")
@DIRECTORY
@click.argument("team")
@click.argument("file", type=FILE)
@TASK
def describe(directory: Path, team: str, file: Path, task: str) -> None:
    """Store a team's description of its system from a TOML file; teams can also use their page.

    \b
    feverfew arena describe arena UNC-NLP unc.toml --task demo
    """
    bench, entries = load_part("workbench.bench"), load_part("arena.entries")
    teams, tasks = load_part("store.teams"), load_part("arena.tasks")
    try:
        fields = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}") from None
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        found = tasks.task_by_name(session, task)
        entries.describe(session, found, teams.team_named(session, team), fields)


@click.command("due")
@DIRECTORY
@click.argument("time")
@TASK
def due(directory: Path, time: str, task: str) -> None:
    """Set the deadline for descriptions; teams without one then count as withdrawn.

    \b
    feverfew arena due arena 2018-08-10T23:59-07:00 --task demo
    """
    bench, entries = load_part("workbench.bench"), load_part("arena.entries")
    tasks, phases = load_part("arena.tasks"), load_part("arena.phases")
    when: datetime = phases.parse_time(time, "TIME")[0]
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        entries.set_due(session, tasks.task_by_name(session, task), when)


@click.command("withdraw")
@DIRECTORY
@click.argument("team")
@TASK
def withdraw(directory: Path, team: str, task: str) -> None:
    """Remove a team from the boards; its submissions are kept.

    \b
    feverfew arena withdraw arena UNC-NLP --task demo
    """
    bench, entries = load_part("workbench.bench"), load_part("arena.entries")
    teams, tasks = load_part("store.teams"), load_part("arena.tasks")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        entries.withdraw(
            session, tasks.task_by_name(session, task), teams.team_named(session, team)
        )
