"""How FEVEROUS's reading is fitted."""

import numpy as np

from feverfew.lab.train.feverousclaims import SentenceClaim
from feverfew.lab.train.readings import cases, fit_weights

SHARES = np.array([[0.7, 0.1, 0.2]] * 10 + [[0.1, 0.35, 0.55]] * 10 + [[0.2, 0.05, 0.75]] * 4)
LABELS = np.array([0] * 10 + [1] * 10 + [2] * 4)


def test_what_would_mislead_is_refuted() -> None:
    weights, right = fit_weights(SHARES, LABELS, (0.5, 0.4, 0.1))
    assert right == 1.0
    assert (SHARES * weights).argmax(1).tolist() == LABELS.tolist()
    assert weights[1] > weights[2]


def test_where_nothing_is_gained_nothing_is_changed() -> None:
    sure = np.eye(3)[LABELS] * 0.9 + 0.03
    assert fit_weights(sure, LABELS, (0.5, 0.4, 0.1)) == ((1.0, 1.0, 1.0), 1.0)


def test_supported_claims_with_a_sentence_missing_are_open() -> None:
    pieces = (("p", "x"), ("p", "y"))
    claims = [
        SentenceClaim("A.", pieces, 0, "p"),
        SentenceClaim("B.", pieces, 1, "p"),
        SentenceClaim("C.", pieces[:1], 0, "p"),
    ]
    made = cases(claims, 1)
    assert [(claim, len(own), label) for claim, own, label in made] == [
        ("A.", 2, 0), ("B.", 2, 1), ("C.", 1, 0), ("A.", 1, 2)
    ]  # fmt: skip
