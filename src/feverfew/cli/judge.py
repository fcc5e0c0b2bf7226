"""`feverfew judge`: the verdict alone, for people who bring their own evidence."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from feverfew.cli.common import talk
from feverfew.errors import InputError

if TYPE_CHECKING:
    from feverfew.judge import Judge, LabelPolicy, Probabilities
    from feverfew.judge.chains import ChainJudge
    from feverfew.readers.user_evidence import UserEvidence
    from feverfew.tables import TableJudge
    from feverfew.tables.user_evidence import TableAnswer

__all__ = ["command"]

_BATCH = 256


@click.command("judge")
@click.argument("pairs", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Instead of stdout.")
@click.option("--model", type=click.Path(path_type=Path), help="A model of your own.")
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core.")
@click.option(
    "--reading",
    type=click.Choice(["fever", "feverous", "hover"]),
    default="fever",
    show_default=True,
    help="When to refute: on explicit evidence, or where a reader would be misled. As HoVer reads "
    "it: the texts of a claim together, and S only where they support it all.",
)
def command(
    pairs: Path, output: Path | None, model: Path | None, threads: int | None, reading: str
) -> None:
    """Judge claims by the evidence that stands beside them; - reads from stdin.

    A JSON line each: {"claim": …, "evidence": "…" or ["…", …], "id": …}; the id may be left
    out. For each line, in the same order: {"id": …, "label": "S", "R" or "N",
    "probabilities": {"S": …, "R": …, "N": …}}. Beside or instead of "evidence" there may be a
    "table": rows of strings, the first the header, a FEVEROUS table, or an infobox as
    {key: [values]}, with its "caption"; the answer then gives the "reason", the program that was
    run over it and its value, and the "cells".

    \b
    feverfew judge pairs.jsonl -o verdicts.jsonl
    echo '{"claim": "Lang is Austrian.", "evidence": "Lang was born in Vienna."}' | feverfew judge -
    """
    from feverfew.check.chained import ChainWeights
    from feverfew.judge import Judge
    from feverfew.readers.user_evidence import read_user_evidence
    from feverfew.tables import TableJudge
    from feverfew.tables.cells import Cells

    asked = read_user_evidence(pairs)
    hover = reading == "hover"
    judge = Judge.open(model, threads, "fever" if hover else reading)
    texts = ChainWeights.open(judge.folder).judge(judge) if hover else judge
    tables = TableJudge.open(judge, Cells.open())
    count = 0
    with ExitStack() as opened:
        try:
            out = opened.enter_context(click.open_file(str(output or "-"), "wb"))
        except OSError as error:
            raise InputError(f"cannot write {output}: {error.strerror}") from None
        status = opened.enter_context(talk().status("judging"))
        while group := list(islice(asked, _BATCH)):
            for pair, told in zip(group, _judged(texts, judge, tables, group), strict=True):
                named = {} if pair.id is None else {"id": pair.id}
                label = _label(told.probabilities, judge.rule, hover=hover)
                out.write(msgspec.json.encode(named | _answer(told, label)) + b"\n")
            count += len(group)
            status.update(f"judged {count:,}")


def _judged(
    by_texts: "Judge | ChainJudge",
    judge: "Judge",
    tables: "TableJudge",
    group: "Sequence[UserEvidence]",
) -> "list[TableAnswer]":
    """Judge a batch: those with a table together, and those without."""
    from feverfew.tables.user_evidence import TableAnswer, TableQuery, judge_tables

    plain = [pair for pair in group if pair.table is None]
    texts = iter(by_texts.judge_texts([(pair.claim, pair.evidence) for pair in plain]))
    asked = [
        TableQuery(pair.claim, pair.table, pair.title, pair.evidence)
        for pair in group
        if pair.table is not None
    ]
    told = iter(judge_tables(judge, tables, asked))
    return [
        TableAnswer(next(texts).probabilities) if pair.table is None else next(told)
        for pair in group
    ]


def _label(shares: "Probabilities", rule: "LabelPolicy", *, hover: bool) -> str:
    """Name the verdict of a reading; HoVer supports only what is likelier than all the rest."""
    from feverfew.judge import VERDICTS

    if hover and shares[0] < 0.5:
        return "R" if shares[1] >= shares[2] else "N"
    return "SRN"[VERDICTS.index(rule.verdict(shares))]


def _answer(told: "TableAnswer", label: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "label": label,
        "probabilities": dict(zip("SRN", told.probabilities, strict=True)),
    }
    if told.reason:
        answer["reason"] = told.reason
    if told.cells:
        answer["cells"] = told.cells
    return answer
