"""Average the weights of runs that went on from one checkpoint, each with its own pairs.

Two cores that train apart and meet now and then learn nearly twice as much as one, and never wait
for each other; and the mean of two such models judges better than either.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from feverfew.errors import InputError
from feverfew.lab.train.encoder import Verifier
from feverfew.lab.train.loop import BEST, CHECKPOINT
from feverfew.models.inputs import TOKENISER


def average(runs: Sequence[Path]) -> None:
    """Give every run the mean of all runs' weights to go on from; all else stays its own."""
    states = [_load(run) for run in runs]
    mean = mean_state([state["model"] for state in states])
    for run, state in zip(runs, states, strict=True):
        state["model"] = mean
        beside = (run / CHECKPOINT).with_suffix(".new")
        torch.save(state, beside)
        beside.replace(run / CHECKPOINT)


def write_mean(runs: Sequence[Path], folder: Path) -> None:
    """Write the mean of weights as a model to export; the runs, or what was so written, stay."""
    first = runs[0] / BEST if _is_run(runs[0]) else runs[0]
    model = Verifier.start(first, seed=0)
    model.load_state_dict(mean_state([_weights(run) for run in runs]))
    model.save(folder, first / TOKENISER)


def _weights(run: Path) -> dict[str, Any]:
    """Return a run's weights as they are now, or those that `write_mean` wrote."""
    if _is_run(run):
        weights: dict[str, Any] = _load(run)["model"]
        return weights
    return dict(Verifier.start(run, seed=0).state_dict())


def _is_run(folder: Path) -> bool:
    return (folder / CHECKPOINT).is_file()


def mean_state(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean of models' weights; what is no weight is the first one's."""
    first = states[0]
    if any(state.keys() != first.keys() for state in states):
        raise InputError("the runs' models have different parts: they cannot be averaged")
    return {
        name: torch.stack([state[name] for state in states]).mean(0)
        if value.is_floating_point()
        else value
        for name, value in first.items()
    }


def _load(run: Path) -> dict[str, Any]:
    if not _is_run(run):
        raise InputError(f"{run} is not a run: it has no {CHECKPOINT}")
    state: dict[str, Any] = torch.load(run / CHECKPOINT, weights_only=True)
    return state
