"""`feverfew calibrate`: fit an external judge's confidence to a labelled file."""

from pathlib import Path

import click
from msgspec.structs import replace

from feverfew.cli.options import json_option, judge_model_option, model_option
from feverfew.cli.output import print_json, require_writable, stdout, write_file
from feverfew.errors import InputError

_LEAST = 10


@click.command("calibrate")
@click.argument("pairs", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--judge", "url", required=True, metavar="URL", help="The judge's endpoint, or its folder."
)
@judge_model_option
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the calibration, for --judge-calibration.",
)
@model_option
@json_option
def calibrate(
    pairs: Path, url: str, judge_model: str, output: Path, model: Path | None, as_json: bool
) -> None:
    """Fit the confidence of an external judge to claims whose labels are known.

    Each line of PAIRS is {"claim": …, "evidence": "…" or ["…", …], "label": …}; labels are
    SUPPORTED, REFUTED and NOT ENOUGH INFO, or FEVER's, or S, R and N. About fifty lines of each are
    enough.

    \b
    feverfew calibrate labelled.jsonl --judge http://localhost:8000/v1 --judge-model m -o m.json
    feverfew check --judge http://localhost:8000/v1 --judge-model m --judge-calibration m.json …
    feverfew calibrate labelled.jsonl --judge my-classifier -o my-classifier.json
    """
    from feverfew.judge import Judge
    from feverfew.judge.external import fit, said_of, with_external
    from feverfew.readers.bounded import bounded
    from feverfew.readers.user_evidence import read_labelled_evidence

    require_writable(output)
    labelled = list(bounded(read_labelled_evidence, pairs))
    if len(labelled) < _LEAST:
        found = f"{pairs} has {len(labelled)} labelled claims"
        raise InputError(f"{found}; at least {_LEAST} are needed")
    judge = with_external(Judge.open(model), url, judge_model)
    judged = judge.judge_texts([(one.claim, one.evidence) for one, _ in labelled])
    said = [said_of(one.readings) for one in judged]
    known = [(own, label) for own, (_, label) in zip(said, labelled, strict=True) if own]
    made, before = fit([own for own, _ in known], [label for _, label in known])
    # What a folder holds is known by its weights, an endpoint's model by its name only.
    name = judge_model if judge_model or judge.large is None else judge.large.fingerprint
    made = replace(made, judge=url, model=name, loss_before=before)
    write_file(output, made)
    if as_json:
        print_json(made)
    else:
        stdout().print(
            f"{made.fitted_on} claims: log loss {before:.3f} before, {made.loss:.3f} after",
            markup=False,
        )
