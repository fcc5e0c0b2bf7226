"""How probabilities are read: FEVER's way, and FEVEROUS's."""

from pathlib import Path

import pytest

from feverfew.errors import FeverfewError, InputError
from feverfew.judge import Judge, Piece
from feverfew.judge.label_policy import FEVER, FILE, LABEL_POLICIES, LabelPolicy, open_policy
from feverfew.types import Verdict


def test_fever_takes_the_likeliest() -> None:
    assert FEVER.verdict((0.5, 0.3, 0.2)) is Verdict.SUPPORTED
    assert FEVER.verdict((0.1, 0.3, 0.6)) is Verdict.NOT_ENOUGH_INFO
    assert open_policy("fever") == FEVER


def test_a_rule_weighs_before_it_chooses() -> None:
    assert LabelPolicy("x", (1.0, 3.0, 1.0)).verdict((0.1, 0.3, 0.6)) is Verdict.REFUTED


def test_every_reading_has_shipped_weights() -> None:
    for reading in LABEL_POLICIES:
        rule = open_policy(reading)
        assert rule.name == reading
        assert min(rule.weights) > 0


def test_an_unknown_reading_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(FeverfewError, match="'hover'; expected one of fever, feverous"):
        open_policy("hover")


def test_a_judge_decides_by_its_policy() -> None:
    asked = (["Lang died in Rome in 1990."], [[Piece("", "Lang was born in Vienna in 1890.")]])
    fever, feverous = (
        Judge.open(threads=1, label_policy=name).judge(*asked)[0] for name in LABEL_POLICIES
    )
    assert feverous.verdict is open_policy("feverous").verdict(feverous.probabilities)
    assert (fever.policy.name, feverous.policy.name) == LABEL_POLICIES


def test_a_model_may_have_weights_of_its_own(tmp_path: Path) -> None:
    assert open_policy("feverous", tmp_path) == open_policy("feverous")  # it has none
    (tmp_path / FILE).write_text('{"feverous": [1, 3, 1]}')
    assert open_policy("feverous", tmp_path).weights == (1, 3, 1)
    assert open_policy("fever", tmp_path) == FEVER
    (tmp_path / FILE).write_text('{"feverous": "much"}')
    with pytest.raises(InputError, match=rf"{FILE}: .*fit it to the model again"):
        open_policy("feverous", tmp_path)
