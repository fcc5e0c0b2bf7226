"""Many claims at once, on all cores: what `feverfew verify` runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from feverfew.check.checker import Checker
from feverfew.check.feverous_evidence import cited_elements
from feverfew.check.pipeline import MAX_HOPS, MAX_TABLES, ClaimResult
from feverfew.errors import CorpusChanged
from feverfew.judge import VERDICTS
from feverfew.judge.judge import PIECES
from feverfew.pools import Where, open_pool
from feverfew.types import Claim, Kind, Prediction, Ref, Verdict
from feverfew.workers import cores

__all__ = ["policy_of", "predict", "verify", "worker"]

_CHUNK = 32
_HOVER = 10
"""Sentences that HoVer's score counts."""
_WORTHWHILE = 64
"""Fewer claims than this are judged sooner than worker processes start."""


def verify(
    claims: Iterable[Claim],
    corpus: Path,
    format: str = "fever",  # noqa: A002
    model: Path | str | None = None,
    workers: Where | None = None,
    *,
    max_hops: int = MAX_HOPS,
    max_tables: int = MAX_TABLES,
    label_policy: str | None = None,
    expected: tuple[str, str] | None = None,
    **judge: str,
) -> Iterator[Prediction]:
    """Yield a prediction for each claim, in order, with as much evidence as the score counts.

    `format` decides how probabilities become a label, unless `label_policy` says otherwise: HoVer
    knows only SUPPORTED and the rest, FEVEROUS refutes what would mislead. If the fingerprints of
    corpus and model are not as `expected`, the run ends: a file must not mix two states. `workers`
    are processes of this machine, or a Ray cluster (`feverfew.pools.Where`). `judge`,
    `judge_model` and `judge_calibration` are those of `Checker.open`.
    """
    settings = {
        **judge,
        "max_hops": max_hops,
        "max_tables": max_tables,
        "label_policy": label_policy or policy_of(format),
    }
    rest = iter(claims)
    first = list(islice(rest, _WORTHWHILE))
    where = workers or cores()
    everything = chain(first, rest)
    if isinstance(where, int) and (len(first) < _WORTHWHILE or where == 1):
        with _open(corpus, model, where, settings, expected) as checker:
            while group := list(islice(everything, _CHUNK)):
                yield from predict(checker, group, format)
        return
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(list[Prediction]).decode
    sent = (str(corpus.absolute()), _absolute(model), format, settings, expected)
    with open_pool(worker, sent, where) as pool:
        parts = iter(lambda: list(islice(everything, _CHUNK)), [])
        for answer in pool.map(encode(part) for part in parts):
            yield from decode(answer)


def _absolute(model: Path | str | None) -> str | None:
    """Name a model so that a worker, which is at home elsewhere, finds it."""
    if not model:
        return None
    return str(Path(model).absolute() if Path(model).exists() else model)


def _open(
    corpus: Path | str,
    model: Path | str | None,
    threads: int,
    settings: dict[str, Any],
    expected: tuple[str, str] | None,
) -> Checker:
    checker = Checker.open(corpus, model, threads=threads, **settings)
    if expected and [checker.corpus.fingerprint, checker.fingerprint] != list(expected):
        checker.close()
        raise CorpusChanged(f"{corpus}, or the model, was changed since the run began; start again")
    return checker


_Sent = tuple[str, str | None, str, dict[str, Any], tuple[str, str] | None]


def worker(sent: _Sent) -> Callable[[bytes], bytes]:
    """Make a worker process's function: claims in, predictions out."""
    corpus, model, format, settings, expected = sent  # noqa: A001
    checker = _open(corpus, model, 1, settings, expected)
    decode = msgspec.msgpack.Decoder(list[Claim]).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(predict(checker, decode(payload), format))


def policy_of(format: str) -> str:  # noqa: A002
    """Return the label policy that goes with a format."""
    return "feverous" if format == "feverous" else "fever"


def predict(checker: Checker, claims: Sequence[Claim], format: str) -> list[Prediction]:  # noqa: A002
    """Judge claims that are known to be statements."""
    results = checker.run([claim.text for claim in claims])
    return [
        Prediction(
            id=claim.id,
            label=_label(one, format),
            evidence=cited_elements(one) if format == "feverous" else _sentences(one, format),
            pages=tuple(page.title for page in one.pages) if format == "hover" else (),
            probabilities=dict(zip(VERDICTS, one.judgement.probabilities, strict=True)),
        )
        for claim, one in zip(claims, results, strict=True)
    ]


def _sentences(result: ClaimResult, format: str) -> tuple[Ref, ...]:  # noqa: A002
    """List the sentences, as many as the score counts; FEVER and HoVer can cite nothing else."""
    refs = [piece.ref for piece in result.evidence if piece.ref.kind is Kind.SENTENCE]
    return tuple(refs[: _HOVER if format == "hover" else PIECES])


def _label(result: ClaimResult, format: str) -> Verdict:  # noqa: A002
    """Read the probabilities as a data set does."""
    if format == "hover":
        supported = result.judgement.probabilities[0] >= 0.5
        return Verdict.SUPPORTED if supported else Verdict.NOT_SUPPORTED
    return result.judgement.verdict
