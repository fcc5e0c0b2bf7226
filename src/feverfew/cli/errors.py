"""`feverfew errors`: code a sample of a system's errors by hand and count them."""

import os
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from feverfew.cli.options import html_option, json_option
from feverfew.cli.output import emit, stderr_console
from feverfew.errors import BadRecord, InputError, NotFound, ScoreError
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import decode, refuse
from feverfew.render.page import DataTable, Figure, Section, Words
from feverfew.render.plots import Bar, bars
from feverfew.score.errors import GRAPH, Coding, Error, Outcome, Share, Tally, walk
from feverfew.types import Ref

if TYPE_CHECKING:
    from feverfew.corpus.corpus import Corpus

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("errors")
@click.argument("task", type=click.Choice(["fever", "feverous", "hover"]))
@click.argument("gold", type=_FILE)
@click.argument("predictions", type=_FILE)
@click.option(
    "--codings",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where codings are saved, one JSON line each; created if absent, continued if present.",
)
@click.option(
    "--sample",
    default=100,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many errors to code; a larger sample contains the smaller one.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--corpus",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Show the text of the evidence from this corpus.",
)
@click.option("--tally", "only_tally", is_flag=True, help="Ask nothing; count the codings.")
@html_option
@json_option
def errors(
    task: str,
    gold: Path,
    predictions: Path,
    codings: Path,
    sample: int,
    seed: int,
    corpus: Path | None,
    only_tally: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Code by hand why PREDICTIONS are wrong on claims of GOLD, and count the reasons.

    \b
    feverfew errors fever dev.jsonl predictions.jsonl --codings codings.jsonl
    feverfew errors fever dev.jsonl predictions.jsonl --codings codings.jsonl --tally --json

    The questions follow the error analysis of the FEVER paper. Questions that the data can answer
    are skipped. Each coding is saved immediately: stop at any time (q), and run the same command to
    continue.
    """
    from feverfew.cli.score import placed, read_gold, read_said
    from feverfew.score.errors import errors_of, tally
    from feverfew.score.tasks import TASKS

    claims = read_gold(gold, task)
    said = read_said(predictions, task, claims)
    with placed(gold, predictions):
        sheet = TASKS[task].score(claims, said, TASKS[task].limits)
    found = {e.pair.claim.id: e for e in errors_of(sheet)}
    chosen = _chosen(list(found.values()), sample, seed)
    done = read_codings(codings)
    if not only_tally:
        left = [e for e in chosen if e.pair.claim.id not in done]
        for coding in code(left, len(chosen), corpus):
            add_coding(codings, coding)
            done[coding.id] = coding
    counted = [c for c in done.values() if c.id in found]
    if len(counted) < len(done):
        stderr_console().print(
            f"{len(done) - len(counted)} codings are for claims that are not errors of these "
            "predictions; they are not counted",
            markup=False,
        )
    if not counted:
        if only_tally:
            raise ScoreError(f"{codings}: no error is coded yet; run without --tally to start")
        stderr_console().print("nothing is coded yet", markup=False)
        return
    numbers = {
        "task": task,
        "metric": sheet.metric,
        "claims": len(sheet),
        "errors": len(found),
        "sampled": len(chosen),
        "left": sum(e.pair.claim.id not in done for e in chosen),
    }
    tallied = tally(counted)
    emit(
        "Errors",
        f"{predictions.name} on {gold.name}",
        tally_sections(tallied, numbers),
        {**numbers, **msgspec.to_builtins(tallied)},
        as_json=as_json,
        html=html,
    )


def _chosen(errors: "list[Error]", sample: int, seed: int) -> "list[Error]":
    """Draw a sample; shuffling everything first makes larger samples contain smaller ones."""
    random.Random(seed).shuffle(errors)
    return errors[:sample]


_CODING = msgspec.json.Decoder(Coding)


def read_codings(path: Path) -> dict[int | str, Coding]:
    """Return the codings by claim; none if the file does not exist yet.

    A last line without a line end was interrupted while being written: it is dropped, and its claim
    comes up again.
    """
    if not path.exists():
        if not path.parent.is_dir():  # said now, not after the first claim is coded
            raise InputError(f"{path}: there is no folder {path.parent}; create it first")
        return {}
    data = path.read_bytes()
    whole, cut, _ = data.rpartition(b"\n")
    source = Source(path, str(path))
    codings: dict[int | str, Coding] = {}
    for number, line in enumerate((whole + cut).splitlines(), 1):
        if not line.strip():
            continue
        record = Record(line, number)
        coding = decode(_CODING, record, source)
        if coding.outcome not in GRAPH.outcomes:
            known = ", ".join(GRAPH.outcomes)
            why = f"unknown outcome {coding.outcome!r}; expected one of {known}"
            raise refuse(why, record, source)
        if coding.id in codings:
            why = f"claim {coding.id!r} is coded twice; keep one of the two lines"
            raise BadRecord(why, path=source.name, line=number)
        codings[coding.id] = coding
    return codings


def add_coding(path: Path, coding: Coding) -> None:
    """Append one coding; it is on disk on return."""
    try:
        with path.open("ab+") as file:
            _drop_cut_line(file.fileno())
            file.write(msgspec.json.encode(coding) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _drop_cut_line(file: int) -> None:
    """Truncate the file after its last complete line."""
    size = os.fstat(file).st_size
    data = os.pread(file, size, 0)
    if (end := data.rfind(b"\n") + 1) < size:
        os.ftruncate(file, end)


def tally_sections(tally: Tally, numbers: Mapping[str, object]) -> list[Section]:
    """Lay out the outcomes, the paper's facets, and the answers behind both."""
    left = f" {numbers['left']} of the sample are still to code." if numbers["left"] else ""
    actions = tuple(
        (name, share.count, GRAPH.outcomes[name].action)
        for name, share in tally.outcomes.items()
        if GRAPH.outcomes[name].action
    )
    sections = [
        Section(
            "What the errors are",
            (
                Words(
                    f"{tally.coded:,} coded of {numbers['errors']:,} errors on "
                    f"{numbers['claims']:,} claims ({numbers['metric']}).{left}"
                ),
                _shares("outcome", tally.outcomes),
                Figure(_bars("Outcomes", tally.outcomes)),
            ),
        ),
        Section(
            "Counted as in the FEVER paper",
            (
                Words("These overlap, so they do not add up to one."),
                _shares("kind of error", tally.facets),
                Figure(_bars("Kinds of error", tally.facets)),
            ),
        ),
        Section(
            "Answers",
            (
                DataTable(
                    ("question", "yes", "no"),
                    tuple(
                        (GRAPH.questions[name].text, given["yes"], given["no"])
                        for name, given in tally.answers.items()
                    ),
                ),
            ),
        ),
    ]
    if actions:
        table = DataTable(("outcome", "errors", "what to do"), actions)
        sections.append(Section("What to do", (table,)))
    return sections


def _shares(name: str, shares: Mapping[str, Share]) -> DataTable:
    return DataTable(
        (name, "errors", "share", "from", "to"),
        tuple((text, s.count, s.share, s.low, s.high) for text, s in shares.items()),
        "From and to: 95 % intervals (Wilson).",
    )


def _bars(title: str, shares: Mapping[str, Share]) -> str:
    return bars(
        title,
        [Bar(n, s.share, s.low, s.high, f"n = {s.count:,}") for n, s in shares.items()],
        axis="share of the coded errors",
    )


_KEYS = "y yes · n no · b back · s skip this claim · ? explain · q stop for now"
_MOST_ELEMENTS = 12
"""Further evidence is counted, not shown: it would push the claim off the screen."""


class _SkipError(Exception):
    """Skip this claim for now."""


def code(errors: Sequence[Error], total: int, corpus: Path | None) -> Iterator[Coding]:
    """Ask about each error and yield its coding, until all are done or the person stops."""
    if not errors:
        stderr_console().print(f"all {total} sampled errors are coded", markup=False)
        return
    texts = _open_corpus(corpus)
    stderr_console().print(
        f"{total - len(errors)} of {total} sampled errors are coded. {_KEYS}", style="dim"
    )
    try:
        for place, error in enumerate(errors, total - len(errors) + 1):
            _show_error(error, f"{place} of {total}", texts)
            try:
                yield _ask(error)
            except _SkipError:
                continue
    except click.Abort:  # q, Ctrl-C, or the end of the input
        stderr_console().print("\nstopped; run the same command to continue", markup=False)
    finally:
        if texts is not None:
            texts.close()


def _open_corpus(path: Path | None) -> "Corpus | None":
    if path is None:
        return None
    from feverfew.corpus.corpus import Corpus

    return Corpus.open(path)


def _ask(error: Error) -> Coding:
    answers: dict[str, bool] = {}
    while True:
        step = walk(error.facts, answers)
        if isinstance(step, Outcome):
            note = _confirm(step)
            if note is not None:
                return Coding(error.pair.claim.id, step.name, answers, note)
            answers = dict(list(answers.items())[:-1])
            continue
        match _key(f"{step.text} [y/n]"):
            case "y":
                answers = {**answers, step.name: True}
            case "n":
                answers = {**answers, step.name: False}
            case "b":
                answers = dict(list(answers.items())[:-1])
            case "?":
                stderr_console().print(f"  {step.help}", style="dim", markup=False)
                stderr_console().print(f"  {_KEYS}", style="dim", markup=False)
            case key:
                stderr_console().print(
                    f"  {key!r} is not an answer. {_KEYS}", style="dim", markup=False
                )


def _confirm(outcome: Outcome) -> str | None:
    """Show where the answers led; return a note, or None to go back."""
    stderr_console().print(f"→ {outcome.name}", style="bold", markup=False)
    stderr_console().print(f"  {outcome.text}", markup=False)
    if outcome.action:
        stderr_console().print(f"  What to do: {outcome.action}", markup=False)
    said = _prompt("Enter saves it, b goes back; or type a note:")
    match said.strip():
        case "b":
            return None
        case "q":
            raise click.Abort
        case "s":
            raise _SkipError
        case note:
            return note


def _key(question: str) -> str:
    said = _prompt(question).strip().lower()
    match said:
        case "q" | "quit":
            raise click.Abort
        case "s" | "skip":
            raise _SkipError
        case "yes" | "no" | "back":
            return said[0]
    return said


def _prompt(text: str) -> str:
    said: str = click.prompt(
        text, default="", show_default=False, prompt_suffix=" ", err=True, type=str
    )
    return said


def _show_error(error: Error, place: str, texts: "Corpus | None") -> None:
    out = stderr_console()
    claim, said = error.pair.claim, error.pair.prediction
    out.print(f"\n── {place} · claim {claim.id} ──", style="bold", markup=False)
    out.print(claim.text, style="bold", markup=False)
    out.print(f"gold: {claim.label.value if claim.label else 'none'}", markup=False)
    for number, refs in enumerate(claim.evidence, 1):
        out.print(f"  set {number}" if len(claim.evidence) > 1 else "  evidence", style="dim")
        _show_refs(refs, texts)
    out.print(f"predicted: {said.label.value if said else 'nothing'}", markup=False)
    _show_refs(said.evidence if said else (), texts)


def _show_refs(refs: Sequence[Ref], texts: "Corpus | None") -> None:
    for ref in refs[:_MOST_ELEMENTS]:
        text = "" if texts is None else f": {_text(ref, texts)}"
        stderr_console().print(f"  · {ref}{text}", markup=False)
    if len(refs) > _MOST_ELEMENTS:
        stderr_console().print(f"  … and {len(refs) - _MOST_ELEMENTS} more", style="dim")


def _text(ref: Ref, texts: "Corpus") -> str:
    try:
        return texts.element(ref)
    except NotFound:
        return "(not in the corpus)"
