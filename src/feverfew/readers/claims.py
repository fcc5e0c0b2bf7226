"""Claim files: FEVER, FEVEROUS, HoVer and others in JSON, tables, and text with a claim a line."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct
from msgspec.json import Decoder

from feverfew.errors import BadReference, InputError, UnknownFormat
from feverfew.readers.base import Record, Source
from feverfew.readers.claim_tables import (
    claim_table,
    looks_separated,
    plain_label,
    read_claim_table,
)
from feverfew.readers.decode import decode, is_blank, objects, refuse
from feverfew.readers.files import lines
from feverfew.types import Claim, Kind, Ref, Verdict

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


Line = Annotated[int, Meta(ge=0, le=10**6)]


class _FeverFact(Struct, array_like=True):
    annotation: Any
    id: Any
    page: str | None
    line: Line | None


class _Fever(Struct):
    id: int | str
    claim: str
    label: str | None = None
    evidence: list[list[_FeverFact]] | None = None


class _FeverousSet(Struct):
    content: list[str]


class _Feverous(Struct):
    id: int | str
    claim: str
    label: str | None = None
    evidence: list[_FeverousSet] | None = None
    challenge: str | None = None
    num_hops: int | None = None
    """Our own addition to the format."""


class _HoverFact(Struct, array_like=True):
    title: str
    line: Line


class _Hover(Struct):
    uid: int | str
    claim: str
    label: str | None = None
    supporting_facts: list[_HoverFact] | None = None
    num_hops: int | None = None
    hpqa_id: str | None = None


_FEVER, _FEVEROUS, _HOVER = Decoder(_Fever), Decoder(_Feverous), Decoder(_Hover)
_KEYS = Decoder(dict[str, Raw])


def read_claims(path: Path | str, format: str | None = None) -> Iterator[Claim]:  # noqa: A002
    """Yield the claims of a file, or of the standard input (`-`); raise at the first bad one.

    Without `format`, the content decides: a format of `CLAIM_FORMATS`, or text, in which a claim's
    id is the number of its line. Tables (CSV, TSV, Excel, OpenDocument) have a column `claim`; of
    Markdown, items and lines are read.
    """
    if format is not None and format not in CLAIM_FORMATS:
        known = ", ".join(CLAIM_FORMATS)
        raise UnknownFormat(f"unknown format {format!r} of claims; known are {known}")
    if format is None and (kind := claim_table(Path(path))):
        yield from read_claim_table(Path(path), kind)
        return
    source = Source(Path(path), str(path))
    in_words = format == "text"
    for number, record in enumerate(lines(source) if in_words else objects(source)):
        if format is None and number == 0:
            in_words = not record.problem and not record.data.startswith(b"{")
            if in_words and looks_separated(record.data.decode(errors="replace")):
                raise InputError(
                    f"{path}: this is a table; give its file a name that ends in .csv or .tsv"
                )
        if number == 0 and is_blank(record):
            continue  # the official FEVEROUS files begin with an empty record
        name = "text" if in_words else format or _recognise(record, source)
        claim = CLAIM_FORMATS[name](record, source)
        if not claim.text.strip():
            raise refuse("the claim is empty", record, source)
        yield claim


def format_of(path: Path | str) -> str:
    """Say in which data set's format a file of claims is; plain text counts as FEVER's."""
    source = Source(Path(path), str(path))
    records = iter(()) if claim_table(source.path) else islice(objects(source), 2)
    first = next((record for record in records if not is_blank(record)), None)
    if first is None or first.problem or not first.data.startswith(b"{"):
        return "fever"
    named = _recognise(first, source)
    return named if named in LABELS else "fever"


def _recognise(record: Record, source: Source) -> str:
    keys = decode(_KEYS, record, source)
    if keys.keys() & {"uid", "supporting_facts", "hpqa_id"}:
        return "hover"
    for name, own in _OTHERS.items():
        if keys.keys() & own:
            return name
    # FEVER's sets of evidence are lists.
    sets_are_objects = bytes(keys.get("evidence", b"")).lstrip(b"[ \t\r\n").startswith(b"{")
    if sets_are_objects or keys.keys() & {"challenge", "annotator_operations"}:
        return "feverous"
    if bytes(keys.get("evidence", b"")).startswith(b'"'):
        return "vitaminc"
    return "fever" if "id" in keys else "averitec"


_OTHERS = {
    "climate-fever": frozenset({"claim_label", "evidences"}),
    "scifact": frozenset({"cited_doc_ids"}),
    "vitaminc": frozenset({"unique_id", "revision_type"}),
    "averitec": frozenset({"questions", "fact_checking_article", "speaker"}),
}
"""Other data sets, and the keys that only they have."""


class _Other(Struct):
    """What these have in common; their evidence is text of their own, or of another corpus."""

    claim: str
    id: int | str | None = None
    claim_id: int | str | None = None
    unique_id: int | str | None = None
    label: str | None = None
    claim_label: str | None = None
    evidence: Any = None


_OTHER = Decoder(_Other)


def _other(record: Record, source: Source) -> Claim:
    raw = decode(_OTHER, record, source)
    ids = (given for given in (raw.id, raw.claim_id, raw.unique_id) if given is not None)
    label = plain_label(raw.label or raw.claim_label or "")
    if label is None and isinstance(raw.evidence, dict):
        label = _scifact_label(raw.evidence)
    return Claim(id=next(ids, record.line), text=raw.claim, label=label)


def _scifact_label(evidence: dict[str, Any]) -> Verdict | None:
    """Read SciFact's label, which stands with each piece of evidence; without any, it is open."""
    said = {
        plain_label(str(one.get("label", "")))
        for found in evidence.values()
        for one in (found if isinstance(found, list) else [found])
        if isinstance(one, dict)
    }
    if not said:
        return Verdict.NOT_ENOUGH_INFO
    return said.pop() if len(said) == 1 else None


def _fever(record: Record, source: Source) -> Claim:
    raw = decode(_FEVER, record, source)
    sets = (
        tuple(
            Ref.sentence(fact.page, fact.line)
            for fact in facts
            if fact.page and fact.line is not None
        )
        for facts in raw.evidence or ()
    )
    return Claim(
        id=raw.id,
        text=raw.claim,
        label=_label(raw.label, "fever", record, source),
        evidence=tuple(refs for refs in sets if refs),
    )


def _feverous(record: Record, source: Source) -> Claim:
    raw = decode(_FEVEROUS, record, source)
    try:
        sets = [tuple(map(Ref.parse, one.content)) for one in raw.evidence or ()]
    except BadReference as error:
        raise refuse(str(error), record, source) from None
    return Claim(
        id=raw.id,
        text=raw.claim,
        label=_label(raw.label, "feverous", record, source),
        evidence=tuple(sets),  # an empty set too: the official scorer counts it as found
        hops=raw.num_hops,
        challenge=raw.challenge or "",
    )


def _hover(record: Record, source: Source) -> Claim:
    raw = decode(_HOVER, record, source)
    refs = tuple(Ref.sentence(fact.title, fact.line) for fact in raw.supporting_facts or ())
    return Claim(
        id=raw.uid,
        text=raw.claim,
        label=_label(raw.label, "hover", record, source),
        evidence=(refs,) if refs else (),
        hops=raw.num_hops,
        group=raw.hpqa_id or "",
    )


def _text(record: Record, source: Source) -> Claim:
    if record.problem:
        raise refuse(record.problem, record, source)
    try:
        return Claim(id=record.line, text=record.data.decode())
    except UnicodeDecodeError as error:
        raise refuse(f"invalid UTF-8: {error.reason}", record, source) from None


CLAIM_FORMATS: dict[str, Callable[[Record, Source], Claim]] = {
    "fever": _fever,
    "feverous": _feverous,
    "hover": _hover,
    **dict.fromkeys(_OTHERS, _other),
    "text": _text,
}
"""Each format of claims, and what reads one of them."""


def _label(word: str | None, name: str, record: Record, source: Source) -> Verdict | None:
    if not word:
        return None  # a blind test
    try:
        return label_of(word, name)
    except InputError as error:
        raise refuse(str(error), record, source) from None


def dump(claims: Iterable[Claim], format: str) -> Iterator[dict[str, Any]]:  # noqa: A002
    """Yield each claim as an object of the named format: fever, feverous or hover."""
    if format not in _DUMPS:
        known = ", ".join(_DUMPS)
        raise UnknownFormat(f"unknown format {format!r} to write claims in; known are {known}")
    return map(_DUMPS[format], claims)


def _dump_fever(claim: Claim) -> dict[str, Any]:
    made: dict[str, Any] = {"id": claim.id, "claim": claim.text}
    if claim.label is not None:
        verifiable = claim.label is not Verdict.NOT_ENOUGH_INFO
        made["verifiable"] = "VERIFIABLE" if verifiable else "NOT VERIFIABLE"
        made["label"] = spell_label(claim.label, "fever")
    if claim.label is not None or claim.evidence:
        sets = [[[None, None, *_sentence(claim, ref)] for ref in one] for one in claim.evidence]
        made["evidence"] = sets or [[[None, None, None, None]]]
    return made


def _dump_feverous(claim: Claim) -> dict[str, Any]:
    made: dict[str, Any] = {"id": claim.id, "claim": claim.text}
    if claim.label is not None:
        made["label"] = spell_label(claim.label, "feverous")
    made["evidence"] = [{"content": list(map(str, one)), "context": {}} for one in claim.evidence]
    made["challenge"] = claim.challenge
    return made if claim.hops is None else {**made, "num_hops": claim.hops}


def _dump_hover(claim: Claim) -> dict[str, Any]:
    if len(claim.evidence) > 1:
        raise InputError(f"claim {claim.id}: HoVer knows one set of evidence, not alternatives")
    made: dict[str, Any] = {"uid": claim.id, "claim": claim.text}
    if claim.label is not None:
        made["label"] = spell_label(claim.label, "hover")
    made["supporting_facts"] = [_sentence(claim, ref) for one in claim.evidence for ref in one]
    if claim.hops is not None:
        made["num_hops"] = claim.hops
    return {**made, "hpqa_id": claim.group}


_DUMPS = {"fever": _dump_fever, "feverous": _dump_feverous, "hover": _dump_hover}


def _sentence(claim: Claim, ref: Ref) -> list[Any]:
    if ref.kind is not Kind.SENTENCE:
        raise InputError(f"claim {claim.id}: {ref} is not a sentence; only FEVEROUS can cite it")
    return [ref.page, *ref.position]
