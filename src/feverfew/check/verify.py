"""Many claims at once, on all cores: what `feverfew verify` runs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec

from feverfew.check.checker import Checker
from feverfew.check.explain import ClaimResult
from feverfew.check.feverous_evidence import cited_elements
from feverfew.check.tables import TableResult, joined
from feverfew.judge import VERDICTS, LabelPolicy, likeliest
from feverfew.judge.judge import PIECES, pieces_of
from feverfew.tables.ranking import TABLES
from feverfew.types import Claim, Evidence, Prediction, Verdict
from feverfew.workers import Workers, cores

__all__ = ["label_of", "predict", "reading_of", "verify", "worker"]

_CHUNK = 32
_HOVER = 10
"""Sentences that HoVer's score counts."""
_WORTHWHILE = 64
"""Fewer claims than this are judged sooner than worker processes start."""


def verify(
    claims: Iterable[Claim],
    corpus: Path,
    format: str = "fever",  # noqa: A002
    model: Path | None = None,
    workers: int | None = None,
    *,
    hops: bool = False,
    reading: str | None = None,
    tables: int = TABLES,
) -> Iterator[Prediction]:
    """Yield a prediction for each claim, in order, with its five best sentences.

    `format` decides how probabilities become a label, unless `reading` says otherwise: HoVer
    knows only SUPPORTED and the rest, FEVEROUS refutes what would mislead.
    With `hops`, pages are searched in rounds, and HoVer's ten sentences are from all of them.
    `tables` are looked at for each claim where the format can cite cells: FEVEROUS's.
    """
    read = reading or reading_of(format)
    rest = iter(claims)
    first = list(islice(rest, _WORTHWHILE))
    count = workers or cores()
    if len(first) < _WORTHWHILE or count == 1:
        with Checker.open(
            corpus, model, threads=count, hops=hops, reading=read, tables=tables
        ) as checker:
            everything = chain(first, rest)
            while group := list(islice(everything, _CHUNK)):
                yield from predict(checker, group, format)
        return
    encode = msgspec.msgpack.Encoder().encode
    decode = msgspec.msgpack.Decoder(list[Prediction]).decode
    settings = (str(corpus), str(model) if model else None, format, hops, read, tables)
    everything = chain(first, rest)
    with Workers(f"{worker.__module__}:{worker.__name__}", settings, count) as pool:
        parts = iter(lambda: list(islice(everything, _CHUNK)), [])
        for answer in pool.map(encode(part) for part in parts):
            yield from decode(answer)


def worker(settings: tuple[str, str | None, str, bool, str, int]) -> Callable[[bytes], bytes]:
    """Make a worker process's function: claims in, predictions out."""
    corpus, model, format, hops, read, tables = settings  # noqa: A001
    checker = Checker.open(corpus, model, threads=1, hops=hops, reading=read, tables=tables)
    decode = msgspec.msgpack.Decoder(list[Claim]).decode
    encode = msgspec.msgpack.Encoder().encode
    return lambda payload: encode(predict(checker, decode(payload), format))


def reading_of(format: str) -> str:  # noqa: A002
    """Return the reading that goes with a format: HoVer's labels need none of its own."""
    return "feverous" if format == "feverous" else "fever"


def predict(checker: Checker, claims: Sequence[Claim], format: str) -> list[Prediction]:  # noqa: A002
    """Judge claims that are known to be statements."""
    texts = [claim.text for claim in claims]
    looked = checker.look(texts, sentences_only=format != "feverous")
    if format == "feverous":
        # Only what texts leave open is read again, as one with a table.
        still_open = [likeliest(one.judgement.probabilities) is VERDICTS[2] for one in looked]
        pieces = [
            pieces_of(one.evidence) if asks else []
            for one, asks in zip(looked, still_open, strict=True)
        ]
        tables = checker.tables.look(texts, pieces, every=True)
        return _with_cells(claims, looked, tables, checker.judge.rule)
    return [
        Prediction(
            id=claim.id,
            label=label_of(one, format),
            evidence=tuple(piece.ref for piece in _cited(one, format)),
            pages=one.pages if format == "hover" else (),
            probabilities=dict(zip(VERDICTS, one.judgement.probabilities, strict=True)),
        )
        for claim, one in zip(claims, looked, strict=True)
    ]


def _cited(looked: ClaimResult, format: str) -> tuple[Evidence, ...]:  # noqa: A002
    """List as much evidence as a score counts."""
    return looked.evidence[: _HOVER if format == "hover" else PIECES]


def _with_cells(
    claims: Sequence[Claim],
    looked: Sequence[ClaimResult],
    tables: Sequence[TableResult | None],
    rule: LabelPolicy,
) -> list[Prediction]:
    """Judge by sentences and cells together; cells are named by their official ids."""
    found = []
    for claim, one, table in zip(claims, looked, tables, strict=True):
        shares = joined(one.judgement.probabilities, table)
        found.append(
            Prediction(
                id=claim.id,
                label=rule.verdict(shares),
                evidence=cited_elements(claim.text, _cited(one, "feverous"), table),
                probabilities=dict(zip(VERDICTS, shares, strict=True)),
            )
        )
    return found


def label_of(looked: ClaimResult, format: str) -> Verdict:  # noqa: A002
    """Read the probabilities as a data set does."""
    if format == "hover":
        supported = looked.judgement.probabilities[0] >= 0.5
        return Verdict.SUPPORTED if supported else Verdict.NOT_SUPPORTED
    return looked.judgement.verdict
