"""Fit the decision layer: `feverfew train combination`.

Claims of several domains are read as a checker or a judge reads them: FEVER's and HoVer's by what
our own search finds, FEVER's also by gold evidence, contrast groups as single passages, as tables
and as a little corpus, TabFact's statements and InfoTabS' claims by their tables. Every domain
counts the same. How it does on a domain that it has not seen is measured by leaving out each.
"""

import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feverfew.check.pipeline import Pipeline
from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.errors import InputError
from feverfew.judge import VERDICTS, Judge, Piece
from feverfew.judge.combine import FEATURES, Weights, features
from feverfew.judge.readings import Readings
from feverfew.lab.train.contrast import WRITTEN, read_groups
from feverfew.lab.train.datasets import (
    HEAD_HALF,
    development,
    half,
    hover_claims,
    is_test,
    read_tabfact,
)
from feverfew.lab.train.tableclaims import infobox_claims, statement_claims
from feverfew.models.weights_io import renew_digests
from feverfew.tables import TableReader, TableView
from feverfew.types import Cell, Table, Verdict

__all__ = ["Example", "collect", "evaluate", "fit", "leave_one_out", "write"]

Array = NDArray[np.float64]
_BATCH = 16
_LABELS = "SRN"
_NOT_SUPPORTED = 3
"""HoVer's second label: refuted or not enough info."""
_DECAY = 0.001
"""How strongly weights are drawn to zero."""


class Example(Struct, frozen=True):
    """A claim of a domain, described with the large encoder and without."""

    domain: str
    label: int
    full: list[list[float]]
    small: list[list[float]]


def collect(
    judge: Judge,
    data: Path,
    wiki: Corpus,
    both: Corpus,
    *,
    most: int = 400,
    seed: int = 1,
    progress: Callable[[str, int], None] = lambda domain, count: None,
) -> Iterator[Example]:
    """Read claims of every domain; at most so many of each."""
    rng = random.Random(seed)
    sources: dict[str, Iterator[tuple[int, Readings]]] = {
        "passages": _passages(judge, data, most, rng),
        "documents": _documents(judge, data, most, rng),
        "contrast tables": _contrast_tables(judge, data, most, rng),
        "table documents": _table_documents(judge, data, most, rng),
        "linked documents": _linked_documents(judge, data, most, rng),
        "fever": _fever(judge, data, wiki, most, rng),
        "fever gold": _fever_gold(judge, data, wiki, most, rng),
        "hover": _hover(judge, data, both, most // 2, rng),
        "tables": _tables(judge, data, most, seed),
    }
    for domain, examples in sources.items():
        count = 0
        for label, readings in examples:
            if readings.pieces:
                count += 1
                alone = judge.small_readings(readings)
                yield Example(domain, label, *(features(r).tolist() for r in (readings, alone)))
        progress(domain, count)


def _judged(
    judge: Judge, asked: Sequence[tuple[int, str, list[Piece]]]
) -> Iterator[tuple[int, Readings]]:
    for start in range(0, len(asked), _BATCH):
        some = asked[start : start + _BATCH]
        judged = judge.judge([claim for _, claim, _ in some], [pieces for _, _, pieces in some])
        for (label, _, _), one in zip(some, judged, strict=True):
            yield label, one.readings


def _found(pipeline: Pipeline, asked: Sequence[tuple[int, str]]) -> Iterator[tuple[int, Readings]]:
    for start in range(0, len(asked), _BATCH):
        some = asked[start : start + _BATCH]
        results = pipeline.run([claim for _, claim in some])
        for (label, _), one in zip(some, results, strict=True):
            yield label, one.judgement.readings


def _held_out(data: Path, evidence: str) -> list[dict[str, Any]]:
    """Read the contrast groups that nothing else learns from: `sentences`, `table` or `pages`."""
    paths = [*sorted((data / "contrast").glob("*.gz")), *sorted(WRITTEN.glob("*.gz"))]
    if not paths:
        raise InputError(f"{data / 'contrast'} is needed, and does not exist")
    groups = [group for path in paths for group in read_groups(path, held_out=True)]
    return [group for group in groups if evidence in group]


def _passages(
    judge: Judge, data: Path, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    """Claims with the sentences that they need, alone and among others."""
    asked = []
    for group in _held_out(data, "sentences"):
        sentences = group["sentences"]
        for claim in group["claims"]:
            needed = set(claim["evidence"])
            others = [at for at in range(len(sentences)) if at not in needed]
            more = rng.sample(others, min(len(others), rng.choice((0, 0, 1, 2))))
            title = group["title"] if rng.random() < 0.5 else ""
            pieces = [Piece(title, sentences[at]) for at in sorted({*needed, *more})][:5]
            asked.append((_LABELS.index(claim["label"]), claim["claim"], pieces))
    yield from _judged(judge, rng.sample(asked, min(most, len(asked))))


def _documents(
    judge: Judge, data: Path, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    """The same claims, checked against all passages of the held-out groups as one corpus."""
    groups = _held_out(data, "sentences")
    texts = [
        f"# {group['title']}\n\n## {group['section']}\n\n{' '.join(group['sentences'])}\n"
        for group in groups
    ]
    yield from _checked(judge, groups, texts, most, rng)


def _linked_documents(
    judge: Judge, data: Path, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    """Claims over several pages, checked against all pages of the held-out groups as one corpus."""
    groups = _held_out(data, "pages")
    pages = [page for group in groups for page in group["pages"]]
    texts = [f"# {page['title']}\n\n{' '.join(page['sentences'])}\n" for page in pages]
    yield from _checked(judge, groups, texts, most, rng)


def _table_documents(
    judge: Judge, data: Path, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    """Claims about tables, checked against all held-out tables with their texts as one corpus."""
    groups, texts = _held_out(data, "table"), []
    for group in groups:
        head, *rows = (f"| {' | '.join(cells)} |" for cells in group["table"])
        ruler = "|" + " --- |" * len(group["table"][0])
        table = "\n".join((head, ruler, *rows))
        said = " ".join(group["text"])
        texts.append(f"# {group['title']}\n\n{said}\n\n## {group['caption']}\n\n{table}\n")
    yield from _checked(judge, groups, texts, most, rng)


def _checked(
    judge: Judge,
    groups: Sequence[dict[str, Any]],
    texts: Sequence[str],
    most: int,
    rng: random.Random,
) -> Iterator[tuple[int, Readings]]:
    """Check the claims of groups against a corpus of one Markdown file each."""
    asked = [(_LABELS.index(c["label"]), c["claim"]) for g in groups for c in g["claims"]]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "documents"
        source.mkdir()
        for number, text in enumerate(texts):
            (source / f"{number}.md").write_text(text, encoding="utf-8")
        build([source], Path(folder) / "corpus", workers=1)
        with Corpus.open(Path(folder) / "corpus") as corpus:
            chosen = rng.sample(asked, min(most, len(asked)))
            yield from _found(Pipeline(corpus, judge), chosen)


def _contrast_tables(
    judge: Judge, data: Path, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    reader, asked = TableReader.open(), []
    for group in _held_out(data, "table"):
        table = _table(group["table"], group["caption"])
        view = TableView.of(table, group["title"])
        for claim in group["claims"]:
            evidence = reader.read(claim["claim"], table, view)
            texts = [Piece(group["title"], text) for text in group["text"][:4]]
            pieces = [*texts, Piece("", evidence.text, evidence.votes)]
            asked.append((_LABELS.index(claim["label"]), claim["claim"], pieces))
    yield from _judged(judge, rng.sample(asked, min(most, len(asked))))


def _fever(
    judge: Judge, data: Path, wiki: Corpus, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    claims = development(data, wiki).tuning
    chosen = rng.sample(claims, min(most, len(claims)))
    asked = [(VERDICTS.index(c.label or Verdict.NOT_ENOUGH_INFO), c.text) for c in chosen]
    # Further rounds are HoVer's part: here they would be run for every claim that is open.
    yield from _found(Pipeline(wiki, judge, max_hops=1), asked)


def _fever_gold(
    judge: Judge, data: Path, wiki: Corpus, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    claims = [c for c in development(data, wiki).tuning if c.evidence]
    asked = []
    for claim in rng.sample(claims, min(most, len(claims))):
        refs = min(claim.evidence, key=len)
        pieces = [Piece(ref.page, wiki.element(ref)) for ref in refs]
        asked.append((VERDICTS.index(claim.label or Verdict.NOT_ENOUGH_INFO), claim.text, pieces))
    yield from _judged(judge, asked)


def _hover(
    judge: Judge, data: Path, both: Corpus, most: int, rng: random.Random
) -> Iterator[tuple[int, Readings]]:
    claims = [
        claim
        for claim in hover_claims(data / "hover/claims.jsonl.gz")
        if not is_test(claim.question) and half(claim.question) != HEAD_HALF
    ]
    by_label = {
        label: [c for c in claims if c.label == label] for label in ("SUPPORTED", "NOT_SUPPORTED")
    }
    chosen = [c for own in by_label.values() for c in rng.sample(own, min(most // 2, len(own)))]
    asked = [(0 if c.label == "SUPPORTED" else _NOT_SUPPORTED, c.text) for c in chosen]
    yield from _found(Pipeline(both, judge), asked)


def _tables(judge: Judge, data: Path, most: int, seed: int) -> Iterator[tuple[int, Readings]]:
    reader = TableReader.open()
    tables = data / "tables"
    claims = [
        *infobox_claims(tables, "train", most // 2, seed),
        *statement_claims(read_tabfact(tables), most // 2, seed),
    ]
    asked = []
    for claim in claims:
        evidence = reader.read(claim.claim, Table(0, ()), claim.view)
        asked.append((claim.label, claim.claim, [Piece("", evidence.text, evidence.votes)]))
    yield from _judged(judge, asked)


def _table(rows: Sequence[Sequence[str]], caption: str) -> Table:
    made = tuple(
        tuple(Cell(r, c, text.strip(), r == 0) for c, text in enumerate(row))
        for r, row in enumerate(rows)
    )
    return Table(0, made, caption)


def fit(examples: Sequence[Example], *, large: bool) -> Weights:
    """Find the weights of least cross entropy, by domain; none is below zero."""
    from scipy.optimize import minimize

    if not examples:
        raise InputError("no examples to fit the combination to")
    rows = np.array([one.full if large else one.small for one in examples])
    labels = np.array([one.label for one in examples])
    domains = [one.domain for one in examples]
    shares = np.array([1 / domains.count(domain) for domain in domains])
    shares /= shares.sum()
    count = len(FEATURES)

    def loss(flat: Array) -> tuple[float, Array]:
        own, against, bias = flat[: 2 * count], flat[2 * count : 4 * count], flat[4 * count :]
        own, against = own.reshape(2, count), against.reshape(2, count)
        scores = (rows * own).sum(2) - (rows[:, ::-1] * against).sum(2) + bias
        logits = np.hstack([scores, np.zeros((len(rows), 1))])
        top = logits.max(1, keepdims=True)
        shifted = logits - top
        logs = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        probabilities = np.exp(logs)
        target = np.zeros_like(logs)
        known = labels < _NOT_SUPPORTED
        target[known, labels[known]] = 1
        rest = probabilities[~known, 1:]
        target[~known, 1:] = rest / rest.sum(1, keepdims=True)
        likelihood = np.where(
            known, (logs * target).sum(1), np.log(probabilities[:, 1:].sum(1) + 1e-12)
        )
        value = -(shares * likelihood).sum() + _DECAY * (flat[: 4 * count] ** 2).sum() / 2
        slope = (probabilities - target)[:, :2] * shares[:, None]
        own_slope = (slope[:, :, None] * rows).sum(0)
        against_slope = -(slope[:, :, None] * rows[:, ::-1]).sum(0)
        decay = _DECAY * flat[: 4 * count]
        gradient = np.concatenate([own_slope.ravel(), against_slope.ravel()]) + decay
        return float(value), np.concatenate([gradient, slope.sum(0)])

    bounds = [(0.0, None)] * (4 * count) + [(None, None)] * 2
    start = 0.1 * np.concatenate([np.ones(4 * count), [0, 0]])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    own, against = found[: 2 * count].reshape(2, -1), found[2 * count : 4 * count].reshape(2, -1)
    return Weights(
        (own[0].round(4).tolist(), own[1].round(4).tolist()),
        (against[0].round(4).tolist(), against[1].round(4).tolist()),
        (round(float(found[-2]), 4), round(float(found[-1]), 4)),
    )


def write_even(path: Path) -> None:
    """Write weights to begin with: everything counts alike."""
    count = len(FEATURES)
    even = Weights(([0.4] * count,) * 2, ([0.0] * count,) * 2, (0.0, 0.0))
    _write(path, even, even, {})


def evaluate(weights: Weights, examples: Sequence[Example], *, large: bool) -> tuple[float, float]:
    """Return the share that is right, and the calibration error (ECE), of labelled examples."""
    from feverfew.judge.combine import Combination

    combination = Combination(weights, weights)
    right, sure = [], []
    for one in examples:
        shares = combination.weigh(np.array(one.full if large else one.small), large=large)
        if one.label == _NOT_SUPPORTED:
            best = max(shares[0], 1 - shares[0])
            right.append(shares[0] < 0.5)
        else:
            best = max(shares)
            right.append(shares.index(best) == one.label)
        sure.append(best)
    held = np.array(right, float)
    bins = np.minimum((np.array(sure) * 10).astype(int), 9)
    errors = [
        abs(held[bins == at].mean() - np.array(sure)[bins == at].mean()) * (bins == at).mean()
        for at in set(bins.tolist())
    ]
    return float(held.mean()), float(sum(errors))


def leave_one_out(
    examples: Sequence[Example], *, large: bool
) -> dict[str, tuple[float, float, float, float]]:
    """Fit without each domain; return (right, ECE) on it then, and fitted with it."""
    every = fit(examples, large=large)
    found = {}
    for domain in dict.fromkeys(one.domain for one in examples):
        own = [one for one in examples if one.domain == domain]
        others = [one for one in examples if one.domain != domain]
        without = fit(others, large=large)
        found[domain] = (
            *evaluate(without, own, large=large),
            *evaluate(every, own, large=large),
        )
    return found


def write(examples: Sequence[Example], path: Path) -> None:
    """Fit both sets of weights, and write them as `judge/combine.py` reads them."""
    counts: dict[str, int] = {}
    for one in examples:
        counts[one.domain] = counts.get(one.domain, 0) + 1
    _write(path, fit(examples, large=True), fit(examples, large=False), counts)


def _write(path: Path, full: Weights, small: Weights, counts: dict[str, int]) -> None:
    written = {"features": FEATURES, "full": full, "small": small, "fitted_on": counts}
    path.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=1))
    renew_digests(path.parent)
