"""What a system says of claims, in the three data sets' formats: read and written."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.json import Decoder

from feverfew.errors import InputError, UnknownFormat
from feverfew.readers.base import Record, Source
from feverfew.readers.claims import label_of, spell_label
from feverfew.readers.decode import decode, is_blank, objects, refuse
from feverfew.types import Kind, Prediction, Ref, Verdict

_LETTERS = {"S": Verdict.SUPPORTED, "R": Verdict.REFUTED, "N": Verdict.NOT_ENOUGH_INFO}
Probability = Annotated[float, Meta(ge=0, le=1)]


_Fact = tuple[str, Annotated[int, Meta(ge=0, le=10**6)]]
_Element = tuple[str, str, str | int]
"""Page, kind and position, as in `["Aruba", "cell", "0_2_1"]`."""


class _Common(Struct, kw_only=True):
    predicted_label: str
    predicted_pages: list[str] = []
    probabilities: dict[str, Probability] | None = None


class _Fever(_Common):
    id: int | str | None = None
    predicted_evidence: list[_Fact] | None = None


class _Feverous(_Common):
    id: int | str | None = None
    claim: str | None = None
    predicted_evidence: list[str | _Element] | None = None


class _Hover(_Common):
    uid: int | str | None = None
    predicted_evidence: list[_Fact] | None = None


_Raw = _Fever | _Feverous | _Hover


_DECODERS: dict[str, Decoder[Any]] = {
    "fever": Decoder(_Fever),
    "feverous": Decoder(_Feverous),
    "hover": Decoder(_Hover),
}


def read_predictions(
    path: Path | str,
    format: str,  # noqa: A002
    ids: Sequence[int | str] | None = None,
) -> Iterator[Prediction]:
    """Yield the predictions of a file, or of the standard input (`-`); raise at a bad one.

    FEVEROUS allows a prediction that names its claim but not the claim's id: the id is then the
    claim's text. The official scorers join predictions without either by their lines: the ids are
    then those of the claims, `ids`, in their order.
    """
    _check(format)
    source = Source(Path(path), str(path))
    place = 0
    for number, record in enumerate(objects(source)):
        if number == 0 and is_blank(record):
            continue  # the official FEVEROUS files begin with an empty record
        yield parse_prediction(
            record, source, format, None if ids is None else ids[place : place + 1]
        )
        place += 1


def parse_prediction(
    record: Record,
    source: Source,
    format: str,  # noqa: A002
    ids: Sequence[int | str] | None = None,
) -> Prediction:
    """Read one prediction in the named format, or say in a BadRecord what is wrong with it.

    Without an id of its own, it takes the first of `ids`.
    """
    _check(format)
    raw: _Raw = decode(_DECODERS[format], record, source)
    try:
        return Prediction(
            id=_id(raw, ids),
            label=label_of(raw.predicted_label, format),
            evidence=tuple(map(_ref, raw.predicted_evidence or ())),
            pages=tuple(raw.predicted_pages),
            probabilities=_probabilities(raw.probabilities),
        )
    except InputError as error:
        raise refuse(str(error), record, source) from None


def dump_prediction(prediction: Prediction, format: str) -> dict[str, Any]:  # noqa: A002
    """Make the object that a line of the named format holds."""
    _check(format)
    spell = _element if format == "feverous" else _fact
    made: dict[str, Any] = {
        "uid" if format == "hover" else "id": prediction.id,
        "predicted_label": spell_label(prediction.label, format),
        "predicted_evidence": list(map(spell, prediction.evidence)),
    }
    if prediction.pages:
        made["predicted_pages"] = list(prediction.pages)
    if (known := prediction.probabilities) is not None:
        made["probabilities"] = {s: known[v] for s, v in _LETTERS.items() if v in known}
    return made


def _check(name: str) -> None:
    if name not in _DECODERS:
        known = ", ".join(_DECODERS)
        raise UnknownFormat(f"unknown format {name!r} of predictions; known are {known}")


def _id(raw: _Raw, ids: Sequence[int | str] | None) -> int | str:
    found = raw.uid if isinstance(raw, _Hover) else raw.id
    if found is None and isinstance(raw, _Feverous):
        found = raw.claim
    if found is not None:
        return found
    if ids is None:
        names = {_Fever: "no 'id'", _Hover: "no 'uid'"}
        raise InputError(names.get(type(raw), "no 'id' and no 'claim'"))
    if not ids:
        raise InputError("no 'id', and there are more predictions than claims")
    return ids[0]


def _ref(said: _Fact | _Element | str) -> Ref:
    if isinstance(said, str):
        return Ref.parse(said)
    if len(said) == 2:
        return Ref.sentence(*said)
    page, kind, position = said
    return Ref.of(page, kind, str(position))


def _probabilities(said: dict[str, float] | None) -> dict[Verdict, float] | None:
    if said is None:
        return None
    if unknown := said.keys() - _LETTERS:
        raise InputError(f"unknown verdict {min(unknown)!r} in 'probabilities'; expected S, R, N")
    return {_LETTERS[letter]: probability for letter, probability in said.items()}


def _fact(ref: Ref) -> list[Any]:
    if ref.kind is not Kind.SENTENCE:
        raise InputError(f"{ref} is not a sentence; only FEVEROUS can cite it")
    return [ref.page, *ref.position]


def _element(ref: Ref) -> list[Any]:
    return [ref.page, ref.kind.value, ref.position_text]
