"""`feverfew replay`: repeat an audited check and compare the results."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from feverfew.cli.options import json_option
from feverfew.cli.output import print_json, stdout
from feverfew.errors import InputError, Tampered

if TYPE_CHECKING:
    from feverfew.render.audit import Audit, Settings
    from feverfew.render.replay import Replay

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("replay")
@click.argument("file", type=_FILE)
@click.option(
    "--corpus",
    "directory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A corpus directory; the one that the file names by default.",
)
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="A model; the one that the file names by default.",
)
@click.option(
    "--key",
    type=_FILE,
    metavar="KEY",
    help="The public Ed25519 key (PEM) of the file's signature.",
)
@click.option(
    "--yes", is_flag=True, help="Open the corpus and the model that the file names, without asking."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="The largest difference between equal numbers: other CPUs may round differently.",
)
@json_option
def replay(
    file: Path,
    directory: Path | None,
    model: Path | None,
    key: Path | None,
    yes: bool,
    tolerance: float,
    as_json: bool,
) -> None:
    """Repeat the checks of an audit report, and say whether they still hold.

    FILE was written by 'feverfew check --audit', as JSON or HTML. It must be unchanged; with --key,
    it must be signed. A check holds if the verdict, all probabilities, the evidence and the reasons
    are the same. Exit codes: 0 if all checks hold, 1 if one does not, or if the file was changed.

    \b
    feverfew check "Fritz Lang directed Metropolis." --audit lang.json --sign audit.key
    feverfew replay lang.json --key audit.pub
    """
    from feverfew.readers.bounded import bounded_value
    from feverfew.render.audit import audit_of, read_audit, require_signature
    from feverfew.render.replay import Replay, compare
    from feverfew.render.signing import VerifyKey

    try:
        held = bounded_value(read_audit, file)
        if key is not None:
            require_signature(held, VerifyKey.open(key))
    except Tampered as error:
        found = Replay(False, False, "", (str(error),), ())
    else:
        old = held.audit
        settings = _settings(old, directory, model, yes)
        with settings.open() as checker:
            reports = checker.check([report.claim for report in old.reports])
            new = audit_of(reports, checker.corpus, checker.fingerprint, settings, also=old.pages)
        found = compare(old, new, tolerance=tolerance, signed=key is not None)
    print_json(found) if as_json else _print(found)
    if not found.holds:
        raise SystemExit(1)


def _settings(old: "Audit", directory: Path | None, model: Path | None, yes: bool) -> "Settings":
    """Return the corpus and the model: the user's own, or the file's, if the user allows that."""
    from feverfew.judge.judge import SMALL

    own = old.settings
    if directory is None and own.corpus:
        _allow("corpus", own.corpus, yes)
    if model is None and own.model not in ("", SMALL):
        _allow("model", own.model, yes)
    return replace(own, corpus=str(directory or own.corpus), model=str(model or own.model))


def _allow(what: str, path: str, yes: bool) -> None:
    """Ask before opening a path that the file names: the file may come from anyone."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InputError(
            f"the file names the {what} {path!r}; name yours with --{what}, or open that with --yes"
        )
    click.confirm(f"The file names the {what} {path!r}. Open it?", abort=True, err=True)


def _print(replay: "Replay") -> None:
    out = stdout()
    for change in replay.changes:
        since = f"changed since {replay.time}: " if replay.time else ""
        out.print(f"{since}{change}", markup=False)
    for one in replay.claims:
        words = "holds" if one.holds else "DOES NOT HOLD"
        out.print(f"{words}  {one.verdict}  {one.claim}", markup=False)
        for change in one.changes:
            out.print(f"  • {change}", markup=False)
    held = sum(one.holds for one in replay.claims)
    if replay.time:
        proof = "signed" if replay.signed else "not verified by a signature"
        out.print(f"{held} of {len(replay.claims)} still hold; {proof}", style="bold")
