"""`feverfew judge`: the verdict alone, for people who bring their own evidence."""

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from feverfew.cli.common import talk
from feverfew.errors import InputError

__all__ = ["command"]

_BATCH = 256


@click.command("judge")
@click.argument("pairs", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Instead of stdout.")
@click.option("--model", type=click.Path(path_type=Path), help="A model of your own.")
@click.option("--threads", type=click.IntRange(1), help="Threads; one per core.")
@click.option(
    "--reading",
    type=click.Choice(["fever", "hover"]),
    default="fever",
    show_default=True,
    help="As HoVer reads it: the texts of a claim together, and S only where they support it all.",
)
def command(
    pairs: Path, output: Path | None, model: Path | None, threads: int | None, reading: str
) -> None:
    """Judge claims by the evidence that stands beside them; - reads from stdin.

    A JSON line each: {"claim": …, "evidence": "…" or ["…", …], "id": …}; the id may be left
    out. For each line, in the same order: {"id": …, "label": "S", "R" or "N",
    "probabilities": {"S": …, "R": …, "N": …}}. Beside or instead of "evidence" there may be a
    "table": rows of strings, the first the header, or a FEVEROUS table, with its "caption";
    the answer then gives the "reason": the program that was run over it, and its value.

    \b
    feverfew judge pairs.jsonl -o verdicts.jsonl
    echo '{"claim": "Lang is Austrian.", "evidence": "Lang was born in Vienna."}' | feverfew judge -
    """
    from feverfew.check.chained import ChainWeights
    from feverfew.judge import Judge
    from feverfew.judge.tables.brought import judge_table
    from feverfew.readers.brought import read_brought

    asked = read_brought(pairs)
    judge = Judge.open(model, threads)
    hover = reading == "hover"
    judge_texts = ChainWeights.shipped().judge(judge).judge_texts if hover else judge.judge_texts
    count = 0
    with ExitStack() as opened:
        try:
            out = opened.enter_context(click.open_file(str(output or "-"), "wb"))
        except OSError as error:
            raise InputError(f"cannot write {output}: {error.strerror}") from None
        status = opened.enter_context(talk().status("judging"))
        while group := list(islice(asked, _BATCH)):
            judged = judge_texts([(pair.claim, pair.evidence) for pair in group])
            for pair, judgement in zip(group, judged, strict=True):
                answer: dict[str, Any] = {} if pair.id is None else {"id": pair.id}
                probabilities = judgement.probabilities
                told: dict[str, Any] = {}
                if pair.table is not None:
                    probabilities, told = judge_table(pair.claim, pair.table, probabilities)
                shares = dict(zip("SRN", probabilities, strict=True))
                answer |= {"label": _label(shares, hover), "probabilities": shares}
                answer |= told
                out.write(msgspec.json.encode(answer) + b"\n")
            count += len(group)
            status.update(f"judged {count:,}")


def _label(shares: dict[str, float], hover: bool) -> str:
    """Name the likeliest verdict; HoVer supports only what is likelier than all the rest."""
    if hover and shares["S"] < 0.5:
        return max("RN", key=shares.__getitem__)
    return max(shares, key=shares.__getitem__)
