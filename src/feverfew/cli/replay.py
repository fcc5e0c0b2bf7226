"""`feverfew replay`: run an audited check again, and say whether it still holds."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from feverfew.cli.common import json_option, print_json, stdout

if TYPE_CHECKING:
    from feverfew.render.replay import Replay

__all__ = ["command"]


@click.command("replay")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--corpus",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A corpus directory; without it, the one that the file names.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A model of your own; without it, the one that the file names.",
)
@json_option
def command(file: Path, directory: Path | None, model: Path | None, as_json: bool) -> None:
    """Run the checks of an audit report again, and say whether they still hold.

    FILE is what 'feverfew check --audit' wrote, JSON or HTML. A check holds if its verdict and
    all that it rests on are the same. Exit codes: 0 everything holds, 1 something does not.

    \b
    feverfew check "Fritz Lang directed Metropolis." --audit lang.json
    feverfew replay lang.json
    """
    from feverfew.check import Checker
    from feverfew.render.audit import audit_of, read_audit
    from feverfew.render.replay import compare

    old = read_audit(file)
    settings = replace(
        old.settings,
        corpus=str(directory or old.settings.corpus),
        model=str(model or old.settings.model),
    )
    opened = Checker.open(
        settings.corpus or None,
        settings.model or None,
        hops=settings.hops,
        reading=settings.reading,
        tables=settings.tables,
    )
    with opened as checker:
        reports = checker.check([str(report.get("claim", "")) for report in old.reports])
        new = audit_of(reports, checker.corpus, checker.fingerprint, settings, also=old.pages)
    replay = compare(old, new)
    print_json(replay) if as_json else _print(replay)
    if not replay.holds:
        raise SystemExit(1)


def _print(replay: "Replay") -> None:
    for change in replay.changes:
        stdout().print(f"changed since {replay.time}: {change}", markup=False)
    for one in replay.claims:
        stdout().print(
            f"{'holds' if one.holds else 'DOES NOT HOLD'}  {one.verdict}  {one.claim}", markup=False
        )
        for change in one.changes:
            stdout().print(f"  • {change}", markup=False)
    held = sum(one.holds for one in replay.claims)
    total = len(replay.claims)
    stdout().print(f"{held} of {total} still hold", style="bold")
