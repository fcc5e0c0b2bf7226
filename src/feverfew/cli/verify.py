"""`feverfew verify`: label a file of claims, in the official formats."""

import time
from collections import Counter
from pathlib import Path

import click
from feverfew.cli.options import corpus_option, reading_option, tables_option
from feverfew.cli.output import stderr_console
import msgspec

from feverfew.errors import InputError

__all__ = ["verify"]

_FILE = click.Path(path_type=Path, dir_okay=False)


class _Begun(msgspec.Struct):
    """What an unfinished run was begun with; kept beside its predictions until it ends."""

    claims: int
    corpus: str
    model: str
    format: str
    hops: bool = False
    reading: str = "fever"
    tables: int = 3


@click.command("verify")
@click.argument("claims", type=_FILE)
@corpus_option
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write predictions.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["fever", "feverous", "hover"]),
    help="Of the predictions; that of the claims by default.",
)
@click.option("--model", type=click.Path(path_type=Path), help="A model of your own.")
@click.option("--workers", type=click.IntRange(1), help="Processes; one per core.")
@click.option("--restart", is_flag=True, help="Begin again, even if predictions exist.")
@click.option(
    "--hops", is_flag=True, help="Search in rounds, for claims that need up to four pages."
)
@reading_option
@tables_option
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 1),
    help="Exit with 1 if a smaller share of the claims is SUPPORTED.",
)
def verify(
    claims: Path,
    directory: Path | None,
    output: Path,
    form: str | None,
    model: Path | None,
    workers: int | None,
    restart: bool,
    hops: bool,
    reading: str | None,
    tables: int,
    fail_under: float | None,
) -> None:
    """Label every claim of a file, with the five best sentences for each.

    Claims may be in the form of FEVER, FEVEROUS or HoVer, or plain text, one a line. A run
    that was killed goes on where it stopped when it is started again.

    \b
    feverfew verify dev.jsonl --corpus wiki.corpus -o predictions.jsonl
    feverfew score fever dev.jsonl predictions.jsonl
    feverfew verify claims.txt --corpus docs.corpus -o out.jsonl --fail-under 0.9
    """
    from rich.progress import track

    from feverfew.check import Checker
    from feverfew.check.verify import reading_of, verify
    from feverfew.readers import dump_prediction, read_claims
    from feverfew.readers.claims import format_of

    asked = list(read_claims(claims))
    if not asked:
        raise InputError(f"{claims} holds no claims")
    doubled = [id_ for id_, count in Counter(claim.id for claim in asked).items() if count > 1]
    if doubled:
        raise InputError(f"{claims}: the id {doubled[0]!r} occurs more than once")
    spelling = form or format_of(claims)
    read = reading or reading_of(spelling)
    with Checker.open(directory, model, hops=hops, reading=read, tables=tables) as checker:
        path, fingerprint, named = (
            checker.corpus.path,
            checker.corpus.fingerprint,
            checker.fingerprint,
        )
    begun = _Begun(len(asked), fingerprint, named, spelling, hops, read, tables)
    done = _resume(output, begun, restart)
    if done > len(asked):
        raise InputError(f"{output} holds more predictions than there are claims; give --restart")
    if done:
        stderr_console().print(f"{done:,} of {len(asked):,} claims were done before; going on")
    start = time.perf_counter()
    with output.open("ab") as out:
        found = verify(
            asked[done:],
            path,
            spelling,
            model,
            workers,
            hops=hops,
            reading=read,
            tables=tables,
        )
        for prediction in track(found, "verifying", len(asked) - done, console=stderr_console()):
            out.write(msgspec.json.encode(dump_prediction(prediction, spelling)) + b"\n")
            out.flush()
    seconds = time.perf_counter() - start
    _beside(output).unlink(missing_ok=True)
    labels = Counter(
        msgspec.json.decode(line)["predicted_label"] for line in output.read_bytes().splitlines()
    )
    told = ", ".join(f"{count:,} {label}" for label, count in labels.most_common())
    rate = (len(asked) - done) / seconds
    stderr_console().print(f"{len(asked):,} claims: {told} ({rate:.0f} claims a second)")
    supported = labels["SUPPORTS"] + labels["SUPPORTED"]
    if fail_under is not None and supported < fail_under * len(asked):
        stderr_console().print(f"{supported / len(asked):.1%} are supported, fewer than {fail_under:.1%}")
        raise SystemExit(1)


def _beside(output: Path) -> Path:
    return output.with_name(output.name + ".run")


def _resume(output: Path, begun: _Begun, restart: bool) -> int:
    """Make ready to write; return how many predictions an earlier run has left whole."""
    beside = _beside(output)
    done = 0
    if output.exists() and not restart:
        if not beside.exists():
            raise InputError(f"{output} exists and is complete; give another -o, or --restart")
        if msgspec.json.decode(beside.read_bytes(), type=_Begun) != begun:
            raise InputError(
                f"{output} was begun with other claims, corpus, model, format, reading, --hops "
                "or --tables; give another -o, or --restart"
            )
        whole = output.read_bytes().rpartition(b"\n")[0]  # a killed run may end within a line
        done = whole.count(b"\n") + 1 if whole else 0
        output.write_bytes(whole + b"\n" if whole else b"")
    else:
        output.unlink(missing_ok=True)
    try:
        beside.write_bytes(msgspec.json.encode(begun))
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from None
    return done
