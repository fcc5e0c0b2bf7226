"""The trainer: seeded, resumable, with a log that can be plotted.

A run is a folder: `log.jsonl` (a line every few steps), `checkpoint.pt` (to go on from) and
`best/` (the model that did best on the held-out pairs). The learning rate stays full and then falls
in a line; a run's length is a number of steps, so that it may be paused or slowed without learning
less, or a number of minutes of training, for when the time is fixed.
"""

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from msgspec import Struct
from tokenizers import Tokenizer
from torch.nn import functional

from feverfew.errors import InputError
from feverfew.lab.train.encoder import Batch, Verifier, collate
from feverfew.lab.train.history import LOG
from feverfew.lab.train.pairs import NOT_SUPPORTED, UNKNOWN, Mixture, Pair, PairSource
from feverfew.models.inputs import TOKENISER, open_tokeniser

__all__ = ["HeldOut", "Settings", "evaluate", "train", "verdict_loss"]

BEST, CHECKPOINT = "best", "checkpoint.pt"
_MOST_WARM = 100
"""Steps of warm-up in a run by minutes, whose number of steps is not known."""
_RELEVANT, _VERDICT = "relevance_loss", "verdict_loss"
_UNFIXED = {"check_every", "patience", "save_seconds", "log_every", "seed"}
"""Settings that may change when a run goes on. All but the seed leave its weights as they are;
another seed draws other pairs, as of two runs that share their beginning each one should."""


class Settings(Struct, frozen=True):
    """All that shapes a run, kept in its log."""

    steps: int
    batch: int = 32
    accumulate: int = 1
    rate: float = 1e-4
    head_rate: float = 1e-3
    warm_up: float = 0.06
    decay: float = 1.0
    """The share of the run, at its end, in which the rate falls; before, it stays full."""
    seed: int = 1
    longest: int = 128
    frozen: int = 0
    """Layers, from the lowest, that stay as they are: what they know is general."""
    bfloat16: bool | None = None
    """Multiply in half precision: four times as fast with AVX512-BF16, slower without; None asks
    the processor."""
    check_every: int = 250
    patience: int = 6
    """Stop after this many checks without a new best."""
    save_seconds: float = 300.0
    log_every: int = 20
    minutes: float | None = None
    """Stop after so many minutes of training, if that is before the last step."""


class HeldOut(Struct, frozen=True):
    """How a model does on pairs it never learned from."""

    verdict: float
    """The mean over the three labels of the share that is right."""
    by_label: list[float]
    relevance: float
    """The share of (relevant, irrelevant) pairs of pairs that are ranked rightly."""

    @property
    def score(self) -> float:
        """What the best model is best in; what was not measured does not count."""
        measured = [x for x in (self.verdict, self.relevance) if x >= 0]
        return sum(measured) / max(1, len(measured))


Report = Callable[[dict[str, Any]], None]


def train(
    model: Verifier,
    sources: Sequence[PairSource],
    held_out: Sequence[Pair],
    settings: Settings,
    folder: Path,
    tokeniser_folder: Path,
    report: Report = lambda _: None,
    threads: int | None = None,
) -> HeldOut:
    """Train, going on from the folder's checkpoint if there is one; return the best held-out.

    `report` is told of every step, `{"step": 7}`, and of all that is written to the log.
    """
    if threads:
        torch.set_num_threads(threads)
    folder.mkdir(parents=True, exist_ok=True)
    tokeniser = open_tokeniser(tokeniser_folder, settings.longest)
    run = _Run(model, settings, folder)
    run.resume()
    batches = Mixture(sources, settings.batch, settings.seed).batches(
        run.step * settings.accumulate
    )
    _cut_half_a_line(folder / LOG)
    with (folder / LOG).open("ab") as log:

        def tell(event: dict[str, Any]) -> None:
            log.write(msgspec.json.encode({**event, "cpu": round(time.process_time(), 1)}) + b"\n")
            log.flush()
            report(event)

        tell({"settings": msgspec.to_builtins(settings), "step": run.step})
        saved = time.monotonic()
        while not run.finished:
            run.learn(batches, tokeniser)
            report({"step": run.step})
            if run.step % settings.log_every == 0:
                tell(run.progress())
            if run.step % settings.check_every == 0 or run.spent >= 1:
                with run.precision():
                    found = evaluate(model, held_out, tokeniser)
                new = run.judge(found)
                tell({"step": run.step, "held_out": msgspec.to_builtins(found), "best": new})
                if new:
                    model.save(folder / BEST, tokeniser_folder / TOKENISER)
                run.save()
                saved = time.monotonic()
            elif time.monotonic() - saved > settings.save_seconds:
                run.save()
                saved = time.monotonic()
    return run.best or evaluate(model, held_out, tokeniser)


class _Run:
    """What changes while a run goes on, and how it is kept."""

    def __init__(self, model: Verifier, settings: Settings, folder: Path) -> None:
        self.model, self.settings, self.path = model, settings, folder / CHECKPOINT
        # Word vectors stay as they are: half of all numbers, and few words occur often enough
        # here to be learned better.
        model.body.embeddings.requires_grad_(False)
        heads = model.heads
        body = [p for p in model.body.parameters() if p.requires_grad]
        self.optimiser = torch.optim.AdamW(
            [
                {"params": body, "lr": settings.rate},
                {"params": heads, "lr": settings.head_rate},
            ],
            weight_decay=0.01,
            fused=True,
        )
        model.body.encoder.layer[: settings.frozen].requires_grad_(False)
        half = settings.bfloat16
        self.bfloat16 = torch.cpu._is_avx512_bf16_supported() if half is None else half
        if self.bfloat16:
            # The fused attention's slopes take six times as long as its values in half precision.
            model.body.set_attn_implementation("eager")
        self.step, self.stale, self.seconds = 0, 0, 0.0
        self.schedule = torch.optim.lr_scheduler.LambdaLR(self.optimiser, self._share)
        self.best: HeldOut | None = None
        self._sums = {_VERDICT: 0.0, _RELEVANT: 0.0}
        self._steps = self._pairs = 0

    def _share(self, step: int) -> float:
        """The share of the full rate: up in the warm-up, full, then down to nothing in a line."""
        warm = max(1, round(self.settings.steps * self.settings.warm_up))
        if self.settings.minutes:
            warm = min(warm, _MOST_WARM)
        if step < warm:
            return (step + 1) / warm
        spent = max(step / self.settings.steps, self.spent)
        return min(1.0, (1 - min(1.0, spent)) / self.settings.decay)

    @property
    def spent(self) -> float:
        """How much of the run is over, from 0 to 1, by steps or by minutes."""
        minutes = self.settings.minutes
        by_time = self.seconds / 60 / minutes if minutes else 0.0
        return max(self.step / self.settings.steps, by_time)

    @property
    def finished(self) -> bool:
        """Whether the run is over, or has not become better for long."""
        return self.spent >= 1 or self.stale >= self.settings.patience

    def precision(self) -> torch.autocast:
        """Return what to compute in; the weights themselves stay in full precision."""
        return torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16)

    def learn(self, batches: Iterator[list[Pair]], tokeniser: Tokenizer) -> None:
        """Take one step."""
        began = time.monotonic()
        self.model.train()
        for _ in range(self.settings.accumulate):
            pairs = next(batches)
            with self.precision():
                losses = _losses(self.model, collate(pairs, tokeniser, self.model.pad))
            (sum(losses.values(), torch.zeros(())) / self.settings.accumulate).backward()
            for name, loss in losses.items():
                self._sums[name] += float(loss.detach()) / self.settings.accumulate
            self._pairs += len(pairs)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        self.seconds += time.monotonic() - began
        self.schedule.step()
        self._steps += 1

    def progress(self) -> dict[str, Any]:
        """Return the mean losses since the last call."""
        # A resumed run may have begun between two calls.
        means = {name: round(value / self._steps, 4) for name, value in self._sums.items()}
        rate = self.schedule.get_last_lr()[0]
        event = {"step": self.step, **means, "pairs": self._pairs, "rate": rate}
        self._sums = dict.fromkeys(self._sums, 0.0)
        self._steps = self._pairs = 0
        return event

    def judge(self, found: HeldOut) -> bool:
        """Say whether this is the best so far, and remember it."""
        if self.best is None or found.score > self.best.score:
            self.best, self.stale = found, 0
            return True
        self.stale += 1
        return False

    def save(self) -> None:
        """Write all that going on needs, whole or not at all."""
        state = {
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "schedule": self.schedule.state_dict(),
            "random": torch.get_rng_state(),
            "step": self.step,
            "seconds": self.seconds,
            "stale": self.stale,
            "best": msgspec.json.encode(self.best).decode(),
            "settings": self._fixed(),
        }
        beside = self.path.with_suffix(".new")
        torch.save(state, beside)
        beside.replace(self.path)

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        if not self.path.is_file():
            torch.manual_seed(self.settings.seed)
            return
        try:
            state = torch.load(self.path, weights_only=True)
            self._refuse_others(state.get("settings"))
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
        except (RuntimeError, EOFError, ValueError, KeyError, pickle.UnpicklingError) as error:
            why = (str(error) or "cut off").splitlines()[0]
            raise InputError(
                f"{self.path} is damaged, or of another model ({why}); "
                "give another -o, or delete it to begin anew"
            ) from None
        self.schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        self.step, self.stale = state["step"], state["stale"]
        self.seconds = state.get("seconds", 0.0)
        self.best = msgspec.json.decode(state["best"], type=HeldOut | None)

    def _fixed(self) -> dict[str, Any]:
        """Return the settings that must not change."""
        named: dict[str, Any] = msgspec.to_builtins(self.settings)
        return {name: value for name, value in named.items() if name not in _UNFIXED}

    def _refuse_others(self, before: dict[str, Any] | None) -> None:
        """Refuse to go on with other settings than a run began with."""
        now = self._fixed()
        changed = [name for name in now if before and before.get(name) != now[name]]
        if before and changed:
            said = ", ".join(f"{name} {before.get(name)}, now {now[name]}" for name in changed)
            raise InputError(
                f"{self.path.parent} holds a run with other settings ({said}); "
                "give the same to go on with it, or another -o"
            )


def _cut_half_a_line(path: Path) -> None:
    """Drop what a killed run had begun to write."""
    if path.is_file():
        written = path.read_bytes()
        path.write_bytes(written[: written.rfind(b"\n") + 1])


def _losses(model: Verifier, batch: Batch) -> dict[str, torch.Tensor]:
    """Return both heads' losses; a head that no pair of the batch teaches has none."""
    verdict, relevance = model(batch)
    losses = {}
    if bool((batch.verdict != UNKNOWN).any()):
        losses[_VERDICT] = verdict_loss(verdict, batch.verdict)
    known = batch.relevant != UNKNOWN
    if bool(known.any()):
        losses[_RELEVANT] = functional.binary_cross_entropy_with_logits(
            relevance[known], batch.relevant[known].to(relevance.dtype)
        )
    return losses


def verdict_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy; what is not supported may be refuted or open, whichever is likelier."""
    shares = functional.log_softmax(logits, -1)
    either = torch.logsumexp(shares[:, 1:], -1, keepdim=True)
    return functional.nll_loss(torch.cat([shares, either], -1), labels, ignore_index=UNKNOWN)


@torch.inference_mode()
def evaluate(model: Verifier, pairs: Sequence[Pair], tokeniser: Tokenizer) -> HeldOut:
    """Measure both heads on labelled pairs; -1 stands for what no pair can tell."""
    model.eval()
    right: list[list[bool]] = [[], [], []]
    scores: list[tuple[float, int]] = []
    ordered = sorted(pairs, key=lambda pair: len(pair.claim) + len(pair.evidence))
    for start in range(0, len(ordered), 64):
        group = ordered[start : start + 64]
        verdict, relevance = model(collate(group, tokeniser, model.pad))
        for pair, said, score in zip(
            group, verdict.argmax(-1).tolist(), relevance.tolist(), strict=True
        ):
            if pair.verdict not in (UNKNOWN, NOT_SUPPORTED):
                right[pair.verdict].append(said == pair.verdict)
            if pair.relevant != UNKNOWN:
                scores.append((score, pair.relevant))
    by_label = [sum(r) / len(r) if r else -1.0 for r in right]
    measured = [share for share in by_label if share >= 0]
    verdict_share = sum(measured) / len(measured) if measured else -1.0
    return HeldOut(verdict_share, by_label, _ranked_rightly(scores))


def _ranked_rightly(scores: list[tuple[float, int]]) -> float:
    """The area under the curve, from the ranks of the relevant."""
    relevant = sum(label for _, label in scores)
    others = len(scores) - relevant
    if not relevant or not others:
        return -1.0
    ranks = sum(rank for rank, (_, label) in enumerate(sorted(scores), 1) if label)
    return (ranks - relevant * (relevant + 1) / 2) / (relevant * others)
