"""`feverfew verify`: label a file of claims, in the official formats."""

import time
from collections import Counter
from pathlib import Path

import click
import msgspec

from feverfew.cli.options import (
    corpus_option,
    external_judge,
    external_judge_options,
    label_policy_option,
    max_hops_option,
    max_tables_option,
    model_option,
    workers_option,
)
from feverfew.cli.output import plural, stderr_console
from feverfew.errors import InputError

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("verify")
@click.argument("claims", type=_FILE)
@corpus_option
@click.option("-o", "--output", required=True, type=_FILE, help="Where to write predictions.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["fever", "feverous", "hover"]),
    help="Format of the predictions; that of the claims by default.",
)
@model_option
@workers_option(1, "Processes that judge")
@click.option("--restart", is_flag=True, help="Start over, even if predictions exist.")
@max_hops_option
@max_tables_option
@label_policy_option
@external_judge_options
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
    workers: int | str | None,
    restart: bool,
    max_hops: int,
    max_tables: int,
    label_policy: str | None,
    judge: str,
    judge_model: str,
    judge_calibration: Path | None,
    fail_under: float | None,
) -> None:
    """Label every claim of a file, with the evidence that the official score counts.

    Claims may be in the format of FEVER, FEVEROUS or HoVer, or plain text, one per line. A run
    that was killed continues where it stopped when it is started again with the same claims,
    corpus, model and options.

    \b
    feverfew verify dev.jsonl --corpus wiki.corpus -o predictions.jsonl
    feverfew score fever dev.jsonl predictions.jsonl
    feverfew verify claims.txt --corpus docs.corpus -o out.jsonl --fail-under 0.9
    feverfew verify dev.jsonl --corpus wiki.corpus -o out.jsonl --workers ray://10.0.0.5:6379
    """
    from rich.progress import track

    from feverfew.check import Checker
    from feverfew.check.resume import Run, digest_claims, finish, resume, writing
    from feverfew.check.verify import policy_of, verify
    from feverfew.readers import dump_prediction, read_claims
    from feverfew.readers.bounded import bounded, bounded_value
    from feverfew.readers.claims import format_of

    asked = list(bounded(read_claims, claims))
    if not asked:
        raise InputError(f"{claims} has no claims")
    doubled = [id_ for id_, count in Counter(claim.id for claim in asked).items() if count > 1]
    if doubled:
        raise InputError(f"{claims}: the id {doubled[0]!r} occurs more than once")
    spelling = form or bounded_value(format_of, claims)
    policy = label_policy or policy_of(spelling)
    external = external_judge(judge, judge_model, judge_calibration)
    with Checker.open(directory, model, **external) as checker:
        path = checker.corpus.path
        run = Run(
            digest_claims(asked),
            checker.corpus.fingerprint,
            checker.fingerprint,
            spelling,
            max_hops,
            max_tables,
            policy,
        )
    with writing(output):
        done = resume(output, run, asked, restart=restart)
        if done:
            stderr_console().print(
                f"{done:,} of {len(asked):,} claims are already done; continuing"
            )
        start = time.perf_counter()
        found = verify(
            asked[done:],
            path,
            spelling,
            model,
            workers,
            max_hops=max_hops,
            max_tables=max_tables,
            label_policy=policy,
            expected=(run.corpus, run.model),
            **external,
        )
        shown = track(found, "verifying", len(asked) - done, console=stderr_console())
        with output.open("ab") as out:
            for prediction in shown:
                out.write(msgspec.json.encode(dump_prediction(prediction, spelling)) + b"\n")
                out.flush()
        finish(output)
    seconds = time.perf_counter() - start
    labels = Counter(
        msgspec.json.decode(line)["predicted_label"] for line in output.read_bytes().splitlines()
    )
    counts = ", ".join(f"{count:,} {label}" for label, count in labels.most_common())
    rate = (len(asked) - done) / seconds
    stderr_console().print(f"{plural(len(asked), 'claim')}: {counts} ({rate:.0f} claims a second)")
    supported = labels["SUPPORTS"] + labels["SUPPORTED"]
    if fail_under is not None and supported < fail_under * len(asked):
        stderr_console().print(
            f"{supported / len(asked):.1%} are supported, fewer than {fail_under:.1%}"
        )
        raise SystemExit(1)
