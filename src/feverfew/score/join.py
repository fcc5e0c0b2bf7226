"""Join claims and predictions by id, never by position."""

import html
import unicodedata
from collections.abc import Callable, Iterable

from msgspec import Struct

from feverfew.errors import ScoreError
from feverfew.types import Claim, Prediction, Ref, Verdict

Spelling = Callable[[str], str]
"""How a title is written before two are compared."""


def composed(title: str) -> str:
    """Compose accents (NFC); all else must be equal, as in FEVER and FEVEROUS."""
    return title if title.isascii() else unicodedata.normalize("NFC", title)


def unescaped(title: str) -> str:
    """Resolve HTML entities and compose accents: HoVer's files disagree on both."""
    return composed(html.unescape(title) if "&" in title else title)


class Pair(Struct, frozen=True):
    """A claim and its prediction, with titles normalised on both sides."""

    claim: Claim
    prediction: Prediction | None
    """None where a prediction is missing and the measure counts that as wrong."""
    gold: tuple[tuple[Ref, ...], ...]
    found: tuple[Ref, ...]
    pages: tuple[str, ...]
    """Every predicted page, each once, best first: those of `found`, then those ranked beyond."""

    @property
    def predicted(self) -> Verdict | None:
        return self.prediction.label if self.prediction else None


def join(
    claims: Iterable[Claim],
    predictions: Iterable[Prediction],
    *,
    labels: frozenset[Verdict],
    spelling: Spelling = composed,
    missing_is_wrong: bool = False,
    by_text: bool = False,
) -> tuple[Pair, ...]:
    """Pair every claim with its prediction, in the order of the claims.

    `labels` are the gold labels that the task knows; another one means another task's file.
    `by_text` lets a prediction carry its claim's text for an id, as FEVEROUS does.
    """
    by_id = _by_id(predictions)
    pairs: list[Pair] = []
    seen: set[int | str] = set()
    for claim in claims:
        if claim.id in seen:
            raise _repeated("claims", claim.id)
        seen.add(claim.id)
        _check_label(claim, labels)
        prediction = by_id.get(claim.id)
        if by_text and claim.text in by_id:
            if prediction is not None or claim.text in seen:
                raise _repeated("predictions", claim.text)
            prediction = by_id[claim.text]
            seen.add(claim.text)
        if prediction is None and not missing_is_wrong:
            raise _missing(claim, by_id)
        pairs.append(_pair(claim, prediction, spelling))
    if not pairs:
        raise ScoreError("there are no claims to score; the gold file is empty", side="claims")
    for unknown in by_id:
        if unknown not in seen:
            raise ScoreError(
                f"there is a prediction for {unknown!r}, but no such claim"
                f"{_other_type(unknown, seen)}; are both files of the same split?",
                side="predictions",
                id=unknown,
            )
    return tuple(pairs)


def _by_id(predictions: Iterable[Prediction]) -> dict[int | str, Prediction]:
    by_id: dict[int | str, Prediction] = {}
    for prediction in predictions:
        if by_id.setdefault(prediction.id, prediction) is not prediction:
            raise _repeated("predictions", prediction.id)
    return by_id


def _repeated(side: str, twice: int | str) -> ScoreError:
    why = f"the id {twice!r} stands twice among the {side}; keep one of them"
    return ScoreError(why, side=side, id=twice)


def _check_label(claim: Claim, labels: frozenset[Verdict]) -> None:
    if claim.label is None:
        why = f"claim {claim.id!r} has no gold label; a blind file cannot be scored"
        raise ScoreError(why, side="claims", id=claim.id)
    if claim.label not in labels:
        raise ScoreError(
            f"claim {claim.id!r} has the gold label {claim.label.value}, which this score does "
            f"not know; expected {' or '.join(sorted(labels))}: is it another task's file?",
            side="claims",
            id=claim.id,
        )


def _missing(claim: Claim, by_id: dict[int | str, Prediction]) -> ScoreError:
    if not by_id:
        return ScoreError("there are no predictions; the file is empty", side="predictions")
    return ScoreError(
        f"there is no prediction for claim {claim.id!r}{_other_type(claim.id, by_id)}; "
        "predict every claim, NOT ENOUGH INFO with no evidence if nothing was found",
        side="claims",
        id=claim.id,
    )


def _other_type(wanted: int | str, ids: Iterable[int | str]) -> str:
    """Hint that the same id exists as text instead of a number, or the reverse."""
    twin = next((i for i in ids if str(i) == str(wanted) and i != wanted), None)
    return "" if twin is None else f" (though there is {twin!r}: write ids alike in both files)"


def _pair(claim: Claim, prediction: Prediction | None, spelling: Spelling) -> Pair:
    gold = tuple(_spelled(refs, spelling) for refs in claim.evidence)
    if prediction is None:
        return Pair(claim, None, gold, (), ())
    found = _spelled(prediction.evidence, spelling)
    pages = dict.fromkeys(ref.page for ref in found)
    pages.update(dict.fromkeys(spelling(page) for page in prediction.pages))
    return Pair(claim, prediction, gold, found, tuple(pages))


def _spelled(refs: tuple[Ref, ...], spelling: Spelling) -> tuple[Ref, ...]:
    for ref in refs:
        if spelling(ref.page) != ref.page:
            return tuple(Ref(spelling(r.page), r.kind, r.position) for r in refs)
    return refs  # as nearly always: then no new value is made
