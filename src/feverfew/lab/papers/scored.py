"""The selection's score as a feature of every word (UNC-NLP, 2018): how near is its sentence?

The score is the share of the claim's words that a sentence has, as `keywords` selects, so that it
means the same while learning, from gold sentences, and in use, from those selected.
"""

import re

import numpy as np
from numpy.typing import NDArray

from feverfew.lab.papers.near import shared_words
from feverfew.text import words

__all__ = ["token_scores"]

_END = re.compile(r"(?<=[.!?]) +")


def token_scores(claim: str, text: str, most: int) -> NDArray[np.float32]:
    """Score a text's first words, after one that stands for none, by their sentences.

    >>> token_scores("Cats sleep.", "Dogs bark. Cats sleep too.", 9).tolist()
    [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    """
    found = [0.0]
    for sentence in _END.split(text):
        split = words(sentence)
        found += [shared_words(claim, sentence)] * len(split)
    return np.array(found[: most + 1], np.float32)
