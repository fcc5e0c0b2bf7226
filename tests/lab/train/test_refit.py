"""A head that is fitted again, while the encoder's states stay as they are."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from feverfew.errors import InputError
from feverfew.lab.train.pairs import NOT_SUPPORTED
from feverfew.lab.train.refit import fit_head, main
from feverfew.models.encoder import Encoder, shipped_folder
from feverfew.models.heads import Heads, Reader

CLAIMS = ["Oslo is red.", "Oslo is blue.", "Oslo is far."]


def said(states: np.ndarray, labels: list[int]) -> list[int]:
    logits = Reader(Heads(fit_head(states, labels)))(states)
    return logits[:, :3].argmax(1).tolist()


def test_labels_are_told_apart_by_what_the_states_show() -> None:
    rng = np.random.default_rng(1)
    labels = [at % 3 for at in range(90)]
    states = rng.normal(5, 0.3, (90, 4)).astype(np.float32)
    states[np.arange(90), labels] += 3
    assert said(states, labels) == labels


def test_what_is_not_supported_is_refuted_or_open_and_never_supported() -> None:
    rng = np.random.default_rng(1)
    labels = [0, NOT_SUPPORTED] * 40
    states = rng.normal(0, 0.3, (80, 2)).astype(np.float32)
    states[::2, 0] += 3
    found = said(states, labels)
    assert found[::2] == [0] * 40
    assert 0 not in found[1::2]


def pairs(path: Path, **fields: str) -> str:
    lines = [
        {"claim": claim, "evidence": "City is Oslo, Colour is red.", "label": label, **fields}
        for claim, label in zip(CLAIMS, "SRN", strict=True)
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines * 3))
    return str(path)


def test_the_command_changes_one_head_and_no_other(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(shipped_folder(), model)
    before = Heads.read(model)
    file = pairs(tmp_path / "cells.jsonl", head="cells")
    done = CliRunner().invoke(main, [str(model), file, "--draw", "6"])
    assert done.exit_code == 0, done.output
    after = Heads.read(model)
    assert after.cells != before.cells
    assert (after.verdict, after.relevance, after.chain) == (
        before.verdict,
        before.relevance,
        before.chain,
    )
    asked = [(claim, "City is Oslo, Colour is red.") for claim in CLAIMS]
    verdicts = Encoder.open(model).verdict(asked, [1, 1, 1])
    assert [max(range(3), key=row.__getitem__) for row in verdicts] == [0, 1, 2]


def test_pairs_of_several_heads_are_refused(tmp_path: Path) -> None:
    files = [pairs(tmp_path / "a.jsonl", head="cells"), pairs(tmp_path / "b.jsonl")]
    done = CliRunner().invoke(main, [str(shipped_folder()), *files])
    assert isinstance(done.exception, InputError)
    assert "one kind" in str(done.exception)


@pytest.mark.parametrize("count", [1, 40])
def test_states_come_in_the_order_of_the_pairs(count: int) -> None:
    encoder = Encoder.shipped()
    asked = [("Oslo is red.", "word " * (1 + at * 7 % 11)) for at in range(count)]
    together = encoder.states(asked)
    assert together.shape == (count, 768)
    for at in (0, count - 1):
        assert np.allclose(encoder.states([asked[at]])[0], together[at], atol=0.15)
