"""What a table's verdict weighs: the encoder's readings, the programs, and words and numbers.

`TABLE` is what is known where a table stands alone; `BOTH` is more: what the texts beside it say
by themselves, and what the encoder says of texts and cells read as one.
"""

import math
from collections.abc import Sequence

from msgspec import Struct

from feverfew.english import checks
from feverfew.judge.features import relevance, shares
from feverfew.judge.reading import Array
from feverfew.tables.features import STATEMENT
from feverfew.tables.programs import ProgramVotes
from feverfew.tables.triggers import STOP
from feverfew.tables.values import cell_words
from feverfew.tables.view import TableView

__all__ = [
    "BOTH",
    "TABLE",
    "TableReading",
    "TextsRead",
    "both_features",
    "name_words",
    "table_features",
]

_READ = ("s", "r", "n", "s_n", "r_n", "relevant")
TABLE = (
    *(f"cells_{name}" for name in _READ),
    "program_true",
    "program_logit",
    "speaks",
    "speaks_logit",
    "agrees_s",
    "agrees_r",
    "one_row",
    "words_read",
    "words_new",
    "names_new",
    "numbers_new",
    *(f"number_{name}" for name in checks.FEATURES),
    *(f"statement_{name}" for name in STATEMENT),
)
"""`agrees` is where encoder and programs say the same; `new` is what neither cells, headers, title
nor caption have."""
BOTH = (
    *TABLE,
    *(f"together_{name}" for name in _READ),
    *(f"texts_{name}" for name in "srn"),
    "either_s",
    "either_r",
    "open_apart",
    *(f"together_number_{name}" for name in checks.FEATURES),
)
"""`open_apart` is how open texts and cells leave the claim, each by itself."""
_FAR = 8.0


class TableReading(Struct, frozen=True):
    """A claim and its table: the cells read, what the encoder says of them, and the programs."""

    claim: str
    view: TableView
    text: str
    logits: Array
    said: ProgramVotes


class TextsRead(Struct, frozen=True):
    """What texts beside a table say, by themselves and with its cells."""

    alone: tuple[float, float, float]
    """The judge's probabilities of S, R and N by the texts alone."""
    text: str
    """Texts and cells as one evidence."""
    logits: Array


def table_features(reading: TableReading) -> list[float]:
    """Describe a claim and its table."""
    said, view = reading.said, reading.view
    supports, refutes, _ = shares(reading.logits).tolist()
    true = said.probability
    return [
        *_read(reading.logits),
        true,
        _logit(true),
        said.speaks,
        _logit(said.speaks),
        supports * true,
        refutes * (1 - true),
        float(view.height == 1),
        *_words(reading),
        *checks.features(reading.claim, reading.text),
        *said.tried.statement.tolist(),
    ]


def both_features(reading: TableReading, texts: TextsRead) -> list[float]:
    """Describe a claim with a table and texts beside it."""
    supports, refutes, still_open = shares(reading.logits).tolist()
    s, r, n = texts.alone
    return [
        *table_features(reading),
        *_read(texts.logits),
        s,
        r,
        n,
        1 - (1 - s) * (1 - supports),
        1 - (1 - r) * (1 - refutes),
        n * still_open,
        *checks.features(reading.claim, texts.text),
    ]


def _read(logits: Array) -> list[float]:
    s, r, n = logits[:3].tolist()
    return [
        *shares(logits).tolist(),
        max(-_FAR, min(_FAR, s - n)),
        max(-_FAR, min(_FAR, r - n)),
        float(relevance(logits)),
    ]


def _logit(share: float) -> float:
    kept = min(max(share, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept)) / 3


def _words(reading: TableReading) -> list[float]:
    """Say how much of the claim the cells hold, and what of it stands nowhere."""
    links, view = reading.said.tried.links, reading.view
    own = [word for word in links.words if word not in STOP]
    read = set(cell_words(reading.text))
    heads = {word for column in view.columns for word in cell_words(column.header)}
    known = links.known | links.caption
    new = [
        word
        for place, word in enumerate(links.words)
        if word not in STOP and not known >> place & 1 and word not in heads and word not in read
    ]
    names = name_words(reading.claim)
    return [
        _share([word for word in own if word in read], own),
        _share(new, own),
        _share([word for word in new if word in names], own),
        _share([word for word in new if word[:1].isdigit()], own),
    ]


def name_words(claim: str) -> set[str]:
    """Return the words that are written with a capital, but for the first."""
    inner = " ".join(word for word in claim.split()[1:] if word[:1].isupper())
    return set(cell_words(inner))


def _share(part: Sequence[str], whole: Sequence[str]) -> float:
    return len(part) / (len(whole) or 1)
