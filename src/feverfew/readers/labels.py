"""The words that each data set has for a verdict."""

from feverfew.errors import InputError
from feverfew.types import Verdict

__all__ = ["LABELS", "label_of", "spell_label"]

_THREE = {
    "SUPPORTS": Verdict.SUPPORTED,
    "REFUTES": Verdict.REFUTED,
    "NOT ENOUGH INFO": Verdict.NOT_ENOUGH_INFO,
}
LABELS = {
    "fever": _THREE,
    "feverous": _THREE,
    "hover": {"SUPPORTED": Verdict.SUPPORTED, "NOT_SUPPORTED": Verdict.NOT_SUPPORTED},
}
"""Each format's labels, as its files spell them."""


def label_of(word: str, format: str) -> Verdict:  # noqa: A002
    """Read a label, in whatever case, as the official scorers do."""
    known = LABELS[format]
    if (found := known.get(word.upper())) is not None:
        return found
    *others, last = known
    raise InputError(f"unknown label {word!r}; expected {', '.join(others)} or {last}")


def spell_label(verdict: Verdict, format: str) -> str:  # noqa: A002
    """Write a label; HoVer's files call all that is not supported NOT_SUPPORTED."""
    if format == "hover" and verdict is not Verdict.SUPPORTED:
        verdict = Verdict.NOT_SUPPORTED
    for word, known in LABELS[format].items():
        if known is verdict:
            return word
    raise InputError(f"{format} has no label for {verdict.value}")
