"""`feverfew judge`: verdicts for claims with your own evidence."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from feverfew.cli.options import external_judge, external_judge_options, model_option
from feverfew.cli.output import stderr_console
from feverfew.errors import InputError

if TYPE_CHECKING:
    from feverfew.judge import Judge, Judgement
    from feverfew.readers.user_evidence import UserEvidence
    from feverfew.tables import TableEvidence, TableReader

_BATCH = 256


@click.command("judge")
@click.argument("pairs", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write; stdout by default."
)
@model_option
@external_judge_options
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core by default.")
@click.option(
    "--label-policy",
    type=click.Choice(["fever", "feverous", "hover"]),
    default="fever",
    show_default=True,
    help="When to refute: on explicit evidence (fever), or if a reader would be misled "
    "(feverous); hover answers S only from a probability of 0.5.",
)
def judge(
    pairs: Path,
    output: Path | None,
    model: Path | None,
    judge: str,
    judge_model: str,
    judge_calibration: Path | None,
    threads: int | None,
    label_policy: str,
) -> None:
    """Judge claims by evidence that you provide; - reads from stdin.

    Each input line is {"claim": …, "evidence": "…" or ["…", …], "id": …}; the id is optional. Each
    output line, in the same order, is {"id": …, "label": "S", "R" or "N", "probabilities": {"S": …,
    "R": …, "N": …}}. Instead of "evidence", or in addition, a line may have a "table" and its
    "caption": rows of strings (the first is the header), a FEVEROUS table, or an infobox as {key:
    [values]}. The output then also has the "cells" and the "reason": the program that was run over
    the table, and its result.

    \b
    feverfew judge pairs.jsonl -o verdicts.jsonl
    feverfew judge pairs.jsonl --judge http://localhost:8000/v1 --judge-model m
    echo '{"claim": "Lang is Austrian.", "evidence": "Lang was born in Vienna."}' | feverfew judge -
    """
    from feverfew.judge import Judge
    from feverfew.judge.external import with_external
    from feverfew.readers.bounded import bounded
    from feverfew.readers.user_evidence import read_user_evidence
    from feverfew.tables import TableReader

    asked = bounded(read_user_evidence, pairs)
    hover = label_policy == "hover"
    external = external_judge(judge, judge_model, judge_calibration)
    opened = Judge.open(model, threads, "fever" if hover else label_policy)
    if judge:
        calibration = external["judge_calibration"]
        opened = with_external(opened, external["judge"], judge_model, calibration)
    tables = TableReader.open()
    count = 0
    with ExitStack() as stack:
        try:
            out = stack.enter_context(click.open_file(str(output or "-"), "wb"))
        except OSError as error:
            raise InputError(f"cannot write {output}: {error.strerror}") from None
        status = stack.enter_context(stderr_console().status("judging"))
        while group := list(islice(asked, _BATCH)):
            for pair, (judgement, table) in zip(group, _judged(opened, tables, group), strict=True):
                named = {} if pair.id is None else {"id": pair.id}
                answer = named | _answer(judgement, table, hover=hover)
                out.write(msgspec.json.encode(answer) + b"\n")
            count += len(group)
            status.update(f"judged {count:,}")


def _judged(
    judge: "Judge", tables: "TableReader", group: "Sequence[UserEvidence]"
) -> "list[tuple[Judgement, TableEvidence | None]]":
    """Judge a batch; the texts and the table of a pair are read together."""
    from feverfew.judge import Piece
    from feverfew.tables import TableView

    read = [
        None
        if pair.table is None
        else tables.read(pair.claim, pair.table, TableView.of(pair.table, pair.title))
        for pair in group
    ]
    pieces = [
        judge.shorten(pair.claim, pair.evidence)
        + ([Piece("", table.text, table.votes)] if table and table.text else [])
        for pair, table in zip(group, read, strict=True)
    ]
    return list(zip(judge.judge([pair.claim for pair in group], pieces), read, strict=True))


def _answer(
    judgement: "Judgement", table: "TableEvidence | None", *, hover: bool
) -> dict[str, Any]:
    from feverfew.judge import VERDICTS

    shares = judgement.probabilities
    label = "SRN"[VERDICTS.index(judgement.verdict)]
    if hover and shares[0] < 0.5:  # HoVer has two labels
        label = "R" if shares[1] >= shares[2] else "N"
    answer: dict[str, Any] = {
        "label": label,
        "probabilities": dict(zip("SRN", shares, strict=True)),
    }
    if table is None or label == "N":
        return answer
    supported = label == "S"
    if reason := table.reason(supported):
        answer["reason"] = reason
    refs = table.refs(table.cited(supported))
    if refs:
        answer["cells"] = [f"{ref.kind}_{ref.position_text}" for ref in refs]
    return answer
