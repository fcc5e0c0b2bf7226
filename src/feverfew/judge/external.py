"""A stronger judge, if the user has one: a model behind an OpenAI-compatible endpoint, or a folder.

It takes the place of the large encoder: it reads the few pieces of evidence that decide, alone and
together, and its answers, calibrated, are the verdict. All else stays as it is. Claims and evidence
are sent to an endpoint, so it is used only where it is named. A folder is what `feverfew train
import` made of someone's classifier, and is read on this machine.
"""

import hashlib
import json
import math
import os
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.errors import InputError, ServerError
from feverfew.judge.combine import Combination
from feverfew.judge.judge import Judge
from feverfew.judge.label_policy import Probabilities
from feverfew.judge.readings import Readings
from feverfew.models.encoder import WIDTH, Encoder, PairReader
from feverfew.models.network import softmax

KEYS = ("FEVERFEW_JUDGE_KEY", "OPENAI_API_KEY")
"""Where the key of the endpoint is looked for."""
_PROMPT = (
    "You judge whether evidence supports a claim. Go by the evidence alone, not by what you know. "
    "Answer with one letter. A: the evidence says that the claim is true. B: the evidence says "
    "that the claim is false. C: the evidence does not say enough to decide."
)
_LETTERS = "ABC"
_UNSURE = 3.0
"""How far the letter that was given is above the others, where no probabilities are told."""
_LEAST = -9.0
"""The logarithm for a letter that is not among the likeliest tokens."""
_TRIES, _PATIENCE, _AT_ONCE = 4, 60.0, 8
_RETRIED = (408, 409, 429, 500, 502, 503, 504)

Array = NDArray[np.float32]


class Calibration(Struct, frozen=True, forbid_unknown_fields=True):
    """Turns what the judge says into probabilities; fitted on a labelled file."""

    scale: float = 1.0
    bias: tuple[float, float] = (0.0, 0.0)
    judge: str = ""
    model: str = ""
    fitted_on: int = 0
    loss_before: float = 0.0
    loss: float = 0.0
    """The mean logarithmic loss on the file, before and after."""

    @classmethod
    def read(cls, path: Path) -> "Calibration":
        """Read a file that `feverfew calibrate` wrote."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError) as error:
            raise InputError(
                f"{path} is no calibration ({error}); make one with 'feverfew calibrate'"
            ) from None


class RemoteReader:
    """Reads pairs of claim and evidence by asking a chat completion for each."""

    def __init__(self, url: str, model: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError(
                f"--judge {url!r} is no address such as http://host:8000/v1, nor a model's folder"
            )
        if not model:
            raise InputError("--judge needs --judge-model, the name that the endpoint knows")
        self._at = url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"
        self._model = model
        self._logprobs = True
        named = f"{url}\n{model}\n{_PROMPT}"
        self.fingerprint = hashlib.blake2b(named.encode(), digest_size=8).hexdigest()

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """Return a row for each pair: what it says of S, R and N, and whether it matters."""
        if not pairs:
            return np.zeros((0, WIDTH), np.float32)
        with ThreadPoolExecutor(min(_AT_ONCE, len(pairs))) as threads:
            said = np.array(list(threads.map(self._ask, pairs)), np.float32)
        relevance = np.logaddexp(said[:, :1], said[:, 1:2]) - said[:, 2:]
        return np.concatenate([said, relevance, said, said], 1)

    def relevance(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely each evidence is to matter to its claim, from 0 to 1."""
        shares: list[float] = (1 / (1 + np.exp(-self.logits(pairs)[:, 3].clip(-30, 30)))).tolist()
        return shares

    def _ask(self, pair: tuple[str, str]) -> tuple[float, float, float]:
        claim, evidence = pair
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": _PROMPT},
                {"role": "user", "content": f"Claim: {claim}\nEvidence: {evidence}\nAnswer:"},
            ],
            "temperature": 0,
            "max_tokens": 8,
        }
        if self._logprobs:
            body |= {"logprobs": True, "top_logprobs": 10}
        return _letters(self._post(body), self._at)

    def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        """Ask once or, while the endpoint is busy, some times."""
        key = next((os.environ[name] for name in KEYS if os.environ.get(name)), "")
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        for attempt in range(1, _TRIES + 1):
            request = urllib.request.Request(self._at, json.dumps(body).encode(), headers)
            try:
                with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
                    found: dict[str, Any] = json.load(answer)
                    return found
            except urllib.error.HTTPError as error:
                with error:
                    said = error.read(500).decode(errors="replace")
                if error.code == 400 and "logprobs" in said and "logprobs" in body:
                    self._logprobs = False
                    body = {k: v for k, v in body.items() if "logprobs" not in k}
                    continue
                if error.code not in _RETRIED or attempt == _TRIES:
                    hint = f"; set {KEYS[0]}" if error.code in (401, 403) else ""
                    raise ServerError(
                        f"the judge at {self._at} answered {error.code}{hint}: {said[:200]}"
                    ) from None
            except (OSError, ValueError) as error:
                if attempt == _TRIES:
                    raise ServerError(f"the judge at {self._at} cannot be asked: {error}") from None
            time.sleep(0.5 * 2**attempt)
        raise ServerError(f"the judge at {self._at} does not answer")


def _letters(answer: dict[str, Any], at: str) -> tuple[float, float, float]:
    """Read how likely each letter is or, where that is not told, which one was given."""
    try:
        choice = answer["choices"][0]
        content = choice["message"]["content"] or ""
        tokens = (choice.get("logprobs") or {}).get("content") or []
    except (KeyError, IndexError, TypeError):
        raise ServerError(f"the judge at {at} answers in no form that is known") from None
    for token in tokens:
        likely = dict.fromkeys(_LETTERS, _LEAST)
        for one in [token, *token.get("top_logprobs", ())]:
            letter = one["token"].strip().strip("*.:()")
            if letter in likely:
                likely[letter] = max(likely[letter], float(one["logprob"]))
        if token["token"].strip().strip("*.:()") in likely:
            return likely["A"], likely["B"], likely["C"]
    given = next((letter for letter in content if letter in _LETTERS), "")
    if not given:
        raise ServerError(f"the judge at {at} answered {content[:40]!r} instead of A, B or C")
    a, b, c = (0.0 if letter == given else -_UNSURE for letter in _LETTERS)
    return a, b, c


class ExternalCombination(Combination):
    """Takes the external judge at its word, calibrated; what it has not read, as before."""

    def __init__(self, calibration: Calibration, otherwise: Combination) -> None:
        self._calibration, self._otherwise = calibration, otherwise
        named = msgspec.json.encode(calibration)
        self.fingerprint = hashlib.blake2b(named, digest_size=8).hexdigest()

    def probabilities(self, readings: Sequence[Readings]) -> list[Probabilities]:
        """Return S, R and N for each claim."""
        found: list[Probabilities] = []
        for one in readings:
            said = said_of(one)
            if said is None:
                found += self._otherwise.probabilities([one])
            else:
                found.append(calibrated(self._calibration, said))
        return found


def said_of(one: Readings) -> tuple[float, float] | None:
    """Return how far S and R are above N: of all pieces together or, if none, of the best one."""
    joint = one.close_sets[~np.isnan(one.close_sets[:, 0])] if len(one.sets) else one.close[:0]
    rows = joint[:1] if len(joint) else one.close[~np.isnan(one.close[:, 0])]
    if not len(rows):
        return None
    above = rows[:, :2] - rows[:, 2:]
    supported, refuted = above[int(above.max(1).argmax())].tolist()
    return supported, refuted


def calibrated(own: Calibration, said: tuple[float, float]) -> Probabilities:
    """Turn what the judge says into probabilities."""
    scores = [own.scale * s + b for s, b in zip(said, own.bias, strict=True)]
    supported, refuted, neither = softmax(np.array([*scores, 0.0])).tolist()
    return supported, refuted, neither


def with_external(
    judge: Judge, url: str, model: str = "", calibration: Path | str | None = None
) -> Judge:
    """Return a judge whose deciding evidence is read by an endpoint's model, or a folder's."""
    own = Calibration.read(Path(calibration)) if calibration else Calibration()
    reader: PairReader
    if Path(url).is_dir():
        reader = Encoder.open(url)
        model = reader.fingerprint
    else:
        reader = RemoteReader(url, model)
    if own.model and own.model != model:
        raise InputError(f"{calibration} is of the model {own.model!r}, not of {model!r}")
    return judge.with_large(reader, lambda before: ExternalCombination(own, before))


_STEPS, _RATE, _PRIOR = 2_000, 0.05, 0.02


def fit(said: Sequence[tuple[float, float]], labels: Sequence[int]) -> tuple[Calibration, float]:
    """Fit scale and biases by gradient descent, held near to none at all where data are few.

    Returns the calibration, and the loss before it.
    """
    values, gold = np.array(said, float), np.eye(3)[list(labels)]
    scale, bias = 1.0, np.zeros(2)

    def shares() -> NDArray[np.float64]:
        scores = np.concatenate([scale * values + bias, np.zeros((len(values), 1))], 1)
        powers = np.exp(scores - scores.max(1, keepdims=True))
        result: NDArray[np.float64] = powers / powers.sum(1, keepdims=True)
        return result

    def loss() -> float:
        return float(-np.log(np.maximum((shares() * gold).sum(1), 1e-12)).mean())

    before = loss()
    for _ in range(_STEPS):
        wrong = (shares() - gold)[:, :2]
        step = (wrong * values).sum(1).mean() + _PRIOR * (scale - 1)
        scale = max(0.05, scale - _RATE * float(step))
        bias = bias - _RATE * (wrong.mean(0) + _PRIOR * bias)
    rounded = (round(float(bias[0]), 4), round(float(bias[1]), 4))
    made = Calibration(round(scale, 4), rounded, fitted_on=len(values), loss=round(loss(), 4))
    return made, round(before, 4) if math.isfinite(before) else 0.0
