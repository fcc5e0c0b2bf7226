"""Words that evidence uses where claims use others: 'husband' for 'married', 'death' for 'died'."""

from functools import lru_cache
from importlib.resources import files

import msgspec

__all__ = ["Related", "related_words"]

Related = dict[str, dict[bytes, float]]
"""A claim's word → words of evidence, and how surely each tells of it, from 0 to 1."""


@lru_cache(maxsize=1)
def related_words() -> Related:
    """Load the table in `weights/related.json`."""
    data = files("feverfew.weights").joinpath("related.json").read_bytes()
    table = msgspec.json.decode(data, type=dict[str, dict[str, float]])
    return {
        word: {other.encode(): strength for other, strength in others.items()}
        for word, others in table.items()
    }
