"""`feverfew arena`: after the close: pooled evidence, versions of the gold, release, report."""

from pathlib import Path
from typing import Any

import click

from feverfew.cli.arena_options import DIRECTORY, JSON, PHASE, TASK, say
from feverfew.cli.output import plural, print_json, stderr_console
from feverfew.cli.workbench import load_part


@click.command("pool")
@DIRECTORY
@TASK
@PHASE
@click.option(
    "--draw",
    "count",
    default=0,
    type=click.IntRange(0),
    help="Draw this many more pieces of evidence.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the draws.")
@JSON
def pool(
    directory: Path, task: str, phase: str | None, count: int, seed: int, as_json: bool
) -> None:
    """Draw evidence outside the gold data for judging, and print the progress of judging.

    Claims are drawn by the number of systems that missed them, then systems by their score.

    \b
    feverfew arena pool arena --task demo --draw 1000 --seed 2018
    """
    bench, pools, judging = (
        load_part("workbench.bench"),
        load_part("arena.pool"),
        load_part("arena.judged"),
    )
    golds = load_part("arena.golds")
    with bench.open_bench(directory) as opened:
        with opened.database.read() as session:
            found, wanted = _found(session, task, phase)
        if count:
            made = pools.draw(opened.database, directory, found, wanted, count, seed)
            if made < count:
                stderr_console().print(f"only {made:,} were left to draw", markup=False)
        with opened.database.read() as session:
            found, wanted = _found(session, task, phase)
            gold = golds.load_gold(directory, found, golds.gold_row(session, found, wanted.part))
            drawn = len(pools.draws_of(session, found, wanted.part))
            outcome = judging.judged(session, found, wanted.part, gold)
    said = {
        "drawn": drawn,
        "annotations": outcome.annotations,
        "claims": outcome.claims,
        "changes": {
            kind: sum(one.kind == kind for one in outcome.changes) for kind in judging.KINDS
        },
        "conflicts": len(outcome.conflicts),
    }
    if as_json:
        print_json(said)
        return
    for name, value in said.items():
        say(f"{name} {value}")


def _found(session: Any, task: str, phase: str | None) -> tuple[Any, Any]:
    found = load_part("arena.tasks").task_by_name(session, task)
    return found, load_part("arena.phases").phase_named(session, found, phase)


@click.command("gold")
@DIRECTORY
@TASK
@PHASE
@JSON
def gold(directory: Path, task: str, phase: str | None, as_json: bool) -> None:
    """Make the next version of the gold from the pool's judgements, and rescore everything.

    If interrupted, it continues where it stopped. Prints the changes.

    \b
    feverfew arena gold arena --task demo
    """
    bench, versions = load_part("workbench.bench"), load_part("arena.versions")
    golds, workers = load_part("arena.golds"), load_part("workers")
    with bench.open_bench(directory) as opened:
        with opened.database.write() as session:
            found, wanted = _found(session, task, phase)
            newest = golds.gold_rows(session, found, wanted.part)[-1]
            if newest.scored is not None:
                newest, outcome = versions.make_version(session, directory, found, wanted.part)
                if outcome.conflicts:
                    said = plural(len(outcome.conflicts), "conflict")
                    stderr_console().print(f"{said} left out, undecided", markup=False)
            changes = versions.changes_of(session, newest)
        with load_part("arena.scoring").Scorer(workers.cores()) as scorer:
            count = versions.rescore(opened.database, directory, found, wanted.part, scorer)
    stderr_console().print(
        f"gold v{newest.version}: {plural(len(changes), 'change')}, "
        f"{plural(count, 'submission')} rescored",
        markup=False,
    )
    for one in changes:
        if as_json:
            print_json(one)
        else:
            line = f"{one['place']}  {one['kind']}  {one['before']} → {one['after']}"
            say(f"{line}  {one['sets']}")


@click.command("release")
@DIRECTORY
@TASK
@PHASE
def release(directory: Path, task: str, phase: str | None) -> None:
    """Print every judgement of the pool as JSON lines, under pseudonyms.

    \b
    feverfew arena release arena --task demo > annotations.jsonl
    """
    bench = load_part("workbench.bench")
    with bench.open_bench(directory) as opened, opened.database.write() as session:
        found, wanted = _found(session, task, phase)
        data = load_part("arena.release").release(session, directory, found, wanted.part)
    click.echo(data, nl=False)


@click.command("report")
@DIRECTORY
@TASK
@PHASE
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Write report.md, report.html and plots here.",
)
def report(directory: Path, task: str, phase: str | None, output: Path) -> None:
    """Write the summary of a task: participants, boards, techniques, pooled evidence, difficulty.

    \b
    feverfew arena report arena --task demo -o report
    """
    bench, reports = load_part("workbench.bench"), load_part("arena.report")
    with bench.open_bench(directory) as opened:
        with opened.database.read() as session:
            found, wanted = _found(session, task, phase)
            made = reports.report(session, directory, found, wanted)
        with opened.database.write() as session:
            load_part("store.people").audit(session, None, "look at report", task)
    for path in reports.write_report(made, output):
        stderr_console().print(f"wrote {path}", markup=False)
