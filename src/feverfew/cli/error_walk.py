"""Walk a person through errors, question by question."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import talk
from feverfew.errors import NotFound
from feverfew.score.errors import Coding, Error, Outcome, walk
from feverfew.types import Ref

if TYPE_CHECKING:
    from feverfew.corpus.corpus import Corpus

__all__ = ["code"]

_KEYS = "y yes · n no · b back · s skip this claim · ? explain · q stop for now"
_MOST_ELEMENTS = 12
"""Evidence beyond this is counted, not shown: it would push the claim off the screen."""


class _SkipError(Exception):
    """The person leaves this claim for later."""


def code(errors: Sequence[Error], total: int, corpus: Path | None) -> Iterator[Coding]:
    """Ask about each error and yield its coding, until all are done or the person stops."""
    if not errors:
        talk().print(f"all {total} sampled errors are coded", markup=False)
        return
    texts = _open(corpus)
    talk().print(f"{total - len(errors)} of {total} sampled errors are coded. {_KEYS}", style="dim")
    try:
        for place, error in enumerate(errors, total - len(errors) + 1):
            _show(error, f"{place} of {total}", texts)
            try:
                yield _ask(error)
            except _SkipError:
                continue
    except click.Abort:  # q, Ctrl-C, or the end of the input
        talk().print("\nstopped; run the same command to go on", markup=False)
    finally:
        if texts is not None:
            texts.close()


def _open(path: Path | None) -> "Corpus | None":
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
                talk().print(f"  {step.help}", style="dim", markup=False)
                talk().print(f"  {_KEYS}", style="dim", markup=False)
            case key:
                talk().print(f"  {key!r} is no answer. {_KEYS}", style="dim", markup=False)


def _confirm(outcome: Outcome) -> str | None:
    """Show where the answers led; return a note, or None to go back."""
    talk().print(f"→ {outcome.name}", style="bold", markup=False)
    talk().print(f"  {outcome.text}", markup=False)
    if outcome.action:
        talk().print(f"  What to do: {outcome.action}", markup=False)
    said = _prompt("Enter keeps it, b goes back; or type a note:")
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


def _show(error: Error, place: str, texts: "Corpus | None") -> None:
    out = talk()
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
        talk().print(f"  · {ref}{text}", markup=False)
    if len(refs) > _MOST_ELEMENTS:
        talk().print(f"  … and {len(refs) - _MOST_ELEMENTS} more", style="dim")


def _text(ref: Ref, texts: "Corpus") -> str:
    try:
        return texts.element(ref)
    except NotFound:
        return "(not in the corpus)"
