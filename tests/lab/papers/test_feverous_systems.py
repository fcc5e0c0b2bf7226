"""FEVEROUS's baseline put together on the sample: what each variant finds, and bad settings."""

from typing import Any

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import FeverfewError, InputError, NotFound
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import SampleDataset
from feverfew.lab.papers.experiment import System
from feverfew.lab.papers.runner import Runner
from feverfew.types import Claim, Kind, Prediction, Verdict

CELLS = (Kind.CELL, Kind.HEADER_CELL)


@pytest.fixture(scope="module")
def lab(sample: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(SampleDataset(sample), Cache(tmp_path_factory.mktemp("lab"), lambda _: None))


@pytest.fixture(scope="module")
def claims(lab: Runner) -> list[Claim]:
    known = lab.dataset.claims("feverous").claims
    kinds = [{ref.kind for ref in claim.evidence[0]} for claim in known]
    with_cells = [c for c, own in zip(known, kinds, strict=True) if own & set(CELLS)]
    return [*with_cells[:6], *known[:4]]


def run(lab: Runner, claims: list[Claim], **settings: Any) -> list[Prediction]:
    return lab.run(System(task="feverous", **settings), claims).predictions


def test_pages_alone_are_named_in_order(lab: Runner, claims: list[Claim]) -> None:
    found = run(lab, claims, retrieve="entities")
    assert all(0 < len(one.pages) <= 5 and not one.evidence for one in found)
    assert any(c.evidence[0][0].page in one.pages for c, one in zip(claims, found, strict=True))


def test_tables_alone_are_named_by_their_captions(lab: Runner, claims: list[Claim]) -> None:
    found = run(lab, claims, retrieve="entities", select="bigram", tables=3)
    for one in found:
        kinds = [ref.kind for ref in one.evidence]
        assert kinds == sorted(kinds)  # sentences, then captions
        assert kinds.count(Kind.SENTENCE) <= 5
        assert kinds.count(Kind.CAPTION) <= 3
    assert any(ref.kind is Kind.CAPTION for one in found for ref in one.evidence)


def test_the_full_baseline_has_what_both_others_have(lab: Runner, claims: list[Claim]) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    said = run(lab, claims, retrieve="entities", select="bigram")
    shown = run(lab, claims, retrieve="entities", tables=3, cells="labelled")
    full = run(lab, claims, retrieve="entities", select="bigram", tables=3, cells="labelled")
    assert any(one.evidence for one in shown)
    for one, other, both in zip(said, shown, full, strict=True):
        assert all(ref.kind is Kind.SENTENCE for ref in one.evidence)
        assert all(ref.kind in CELLS for ref in other.evidence)
        assert len(other.evidence) <= 25
        assert both.evidence == (*one.evidence, *other.evidence)


def test_cells_of_a_given_table_are_of_that_table(lab: Runner, claims: list[Claim]) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    chosen = {
        name: run(lab, claims, evidence="gold-tables", cells=name)
        for name in ("labelled", "ranked", "ours")
    }
    for own in chosen.values():
        for claim, one in zip(claims, own, strict=True):
            known = {(r.page, r.position[0]) for r in claim.evidence[0] if r.kind in CELLS}
            assert {(r.page, r.position[0]) for r in one.evidence} <= known
    for labelled, ranked in zip(chosen["labelled"], chosen["ranked"], strict=True):
        assert ranked.evidence[: len(labelled.evidence)] == labelled.evidence


def test_a_verdict_is_learned_once_and_kept(lab: Runner, claims: list[Claim]) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    settings = {"evidence": "gold", "judge": "da", "learn": "feverous", "sampling": "none"}
    found = run(lab, claims, **settings)
    assert all(one.probabilities for one in found)
    assert [one.evidence for one in found] == [claim.evidence[0] for claim in claims]
    lab.cache.say = pytest.fail  # what was made is not made again
    try:
        assert run(lab, claims, **settings) == found
    finally:
        lab.cache.say = lambda _: None


def test_open_claims_are_made_only_where_asked(lab: Runner) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    from feverfew.lab.papers.feverous_verdict import examples

    known = [c for c in lab.dataset.claims("feverous").claims if c.label is not None]
    before = [c.label for c in known].count(Verdict.NOT_ENOUGH_INFO)
    plain, more = (examples(lab.dataset.corpus, known, s, "once", 1) for s in ("none", "removed"))
    assert [e.label for e in plain].count(2) == before
    assert [e.label for e in more].count(2) > before
    assert more[: len(plain)] == plain


@pytest.mark.parametrize(
    ("settings", "kind", "why"),
    [
        ({"judge": "da"}, InputError, "not 'fever' with 'nearestp'"),
        ({"judge": "da", "learn": "feverous"}, InputError, "sampling none or removed"),
        ({"judge": "mlp", "learn": "feverous", "sampling": "none"}, NotFound, "da, states"),
        ({"judge": "states", "learn": "feverous", "sampling": "none"}, InputError, "learned NLI"),
        ({"evidence": "gold-tables", "cells": "none"}, NotFound, "labelled, ranked, ours"),
    ],
)
def test_bad_settings_are_told(
    lab: Runner,
    claims: list[Claim],
    settings: dict[str, str],
    kind: type[FeverfewError],
    why: str,
) -> None:
    pytest.importorskip("torch", reason="the networks need the extra: feverfew[papers]")
    with pytest.raises(kind, match=why):
        run(lab, claims, **{"evidence": "gold", **settings})


def test_the_index_of_first_sentences_is_another(lab: Runner) -> None:
    claim = ["Fritz Lang directed Metropolis."]
    first, whole = lab.first_sentences(), lab.drqa(cosine=True)
    scores = [[page.score for page in one.retrieve(claim, 5)[0]] for one in (first, whole)]
    assert scores[0] != scores[1]
