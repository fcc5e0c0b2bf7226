"""Adam over named numpy arrays, with decay of the weights."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Adam"]

Array = NDArray[np.float32]


class Adam:
    """Changes the arrays of a dictionary in place of the old ones."""

    def __init__(self, weights: dict[str, Array], decay: float = 0.0) -> None:
        self._weights = weights
        self._decay = decay
        self._moments = {n: (np.zeros_like(w), np.zeros_like(w)) for n, w in weights.items()}
        self._step = 0

    def update(self, gradients: dict[str, Array], rate: float) -> None:
        """Take one step."""
        self._step += 1
        for name, gradient in gradients.items():
            weight = self._weights[name]
            first = 0.9 * self._moments[name][0] + 0.1 * gradient
            second = 0.999 * self._moments[name][1] + 0.001 * gradient**2
            self._moments[name] = (first, second)
            scaled = first / (1 - 0.9**self._step)
            move = scaled / (np.sqrt(second / (1 - 0.999**self._step)) + 1e-8)
            kept = weight * (1 - rate * self._decay) if weight.ndim > 1 else weight
            self._weights[name] = (kept - rate * move).astype(np.float32)
