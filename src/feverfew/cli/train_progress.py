"""Progress of a training run on stderr: a moving line on a terminal, plain lines elsewhere."""

import time
from typing import Any

from feverfew.cli.output import stderr_console


class TrainingBar:
    """Shows step, losses, pairs a second and time left; evaluations stay on the screen."""

    def __init__(self, steps: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._steps = steps
        self._progress = Progress(
            TextColumn("step"),
            MofNCompleteColumn(),
            BarColumn(),
            TextColumn("{task.fields[said]}"),
            console=stderr_console(),
            transient=True,
            disable=not stderr_console().is_terminal,
        )
        self._losses = self._speed = ""
        self._first: tuple[int, float] | None = None
        self._last = 0.0

    def __enter__(self) -> "TrainingBar":
        self._task = self._progress.add_task("training", total=self._steps, said="")
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def move(self, event: dict[str, Any]) -> None:
        """Show an event of the trainer."""
        step, now = int(event["step"]), time.monotonic()
        if self._first is None:
            # A resumed run begins in the middle: what went before was not seen.
            self._first, self._last = (step, now), now
        if "pairs" in event:
            self._speed = f"{event['pairs'] / max(now - self._last, 1e-3):.1f} pairs/s"
            self._losses = (
                f"verdict {event['verdict_loss']:.3f}  relevance {event['relevance_loss']:.3f}"
            )
            self._last = now
        said = "  ".join(
            part for part in (self._losses, self._speed, self._left(step, now)) if part
        )
        self._progress.update(self._task, completed=step, said=said)
        if "held_out" in event:
            self._say(f"step {step:,}/{self._steps:,}  {_held_out(event)}")
        elif "pairs" in event and not stderr_console().is_terminal:
            self._say(f"step {step:,}/{self._steps:,}  {said}")

    def _left(self, step: int, now: float) -> str:
        first, since = self._first or (step, now)
        if step <= first:
            return ""
        minutes = (self._steps - step) * (now - since) / (step - first) / 60
        return f"{minutes:.0f} min left" if minutes >= 1.5 else f"{minutes * 60:.0f} s left"

    def _say(self, text: str) -> None:
        self._progress.console.print(text, markup=False, soft_wrap=True)


def _held_out(event: dict[str, Any]) -> str:
    """Describe an evaluation, without measures that no pair allows.

    >>> _held_out({"held_out": {"verdict": 0.9, "by_label": [0.9, 0.9, -1], "relevance": -1},
    ...            "best": True})
    'held out: verdict 0.900 (S 0.90, R 0.90), the best so far'
    """
    found = event["held_out"]
    labels = ", ".join(
        f"{name} {share:.2f}"
        for name, share in zip("SRN", found["by_label"], strict=True)
        if share >= 0
    )
    parts = []
    if found["verdict"] >= 0:
        parts.append(f"verdict {found['verdict']:.3f} ({labels})")
    if found["relevance"] >= 0:
        parts.append(f"relevance {found['relevance']:.3f}")
    if event["best"]:
        parts.append("the best so far")
    return "held out: " + ", ".join(parts)
