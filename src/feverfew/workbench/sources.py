"""Where claims come from: sentences and highlights of the corpus, questions of a file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from feverfew.corpus import Corpus
from feverfew.errors import BadRecord, BadReference, InputError
from feverfew.rules.sampling import draw_highlights, draw_sentences, prescribe
from feverfew.store.campaigns import add_gold
from feverfew.store.claim_tables import Campaign
from feverfew.store.claims import add_source
from feverfew.store.settings import Settings
from feverfew.types import Claim, Ref, Verdict


class Question(msgspec.Struct):
    """A question with its answer, and the sentences that answer it."""

    question: str
    answer: str
    supporting_facts: list[tuple[str, int]]
    id: str = ""


def read_questions(path: Path) -> list[Question]:
    """Read questions: JSON lines with question, answer, supporting_facts and id."""
    found = []
    decoder = msgspec.json.Decoder(Question)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(decoder.decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadRecord(str(error), path=str(path), line=number) from None
    return found


def draw_sources(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    corpus: Corpus,
    questions: Iterable[Question] = (),
) -> int:
    """Add the sources of a campaign, and return how many there are."""
    rows: list[tuple[str, str, str, dict[str, Any]]]
    if settings.kind == "fever":
        rows = [
            (
                str(s.ref),
                "sentence",
                s.ref.page,
                {
                    "ref": str(s.ref),
                    "text": s.text,
                    "before": s.before,
                    "after": s.after,
                    "linked": list(s.linked),
                },
            )
            for s in draw_sentences(corpus, settings.sources, settings.seed)
        ]
    elif settings.kind == "feverous":
        drawn = draw_highlights(corpus, settings.sources, settings.seed)
        rows = [
            (
                h.page,
                "highlight",
                h.page,
                {
                    "refs": [str(ref) for ref in h.refs],
                    "table": h.is_table,
                    "veracity": "true" if p.veracity else "false",
                    "several_pages": p.several_pages,
                    "mutation": p.mutation,
                },
            )
            for h, p in zip(drawn, prescribe(settings.seed, len(drawn)), strict=True)
        ]
    else:
        rows = [_question(corpus, one, n) for n, one in enumerate(questions)]
        rows = rows[: settings.sources]
    for key, kind, page, data in rows:
        add_source(session, campaign, settings, key=key, kind=kind, page=page, data=data)
    return len(rows)


def _question(corpus: Corpus, one: Question, number: int) -> tuple[str, str, str, dict[str, Any]]:
    facts = []
    for title, line in one.supporting_facts:
        ref = Ref.sentence(corpus.page(title).title, line)
        corpus.element(ref)  # says which is missing
        facts.append(str(ref))
    name = one.id or f"q{number}"
    data = {"question": one.question, "answer": one.answer, "facts": facts, "id": name}
    return name, "question", "", data


def add_golds(
    session: Session,
    campaign: Campaign,
    settings: Settings,
    claims: Iterable[Claim],
    use: str,
    phase: int = 0,
) -> int:
    """Add labelled claims as quiz, calibration or hidden tests, and return how many."""
    count = 0
    for claim in claims:
        if claim.label is None:
            raise InputError(f"claim {claim.id} has no label; gold needs one")
        # What HoVer leaves open between refuted and not enough info cannot be graded.
        if claim.label is Verdict.NOT_SUPPORTED:
            continue
        pages = [ref.page for one in claim.evidence for ref in one]
        try:
            add_gold(
                session,
                campaign,
                settings,
                claim.text,
                claim.label,
                use=use,
                phase=phase,
                sets=claim.evidence,
                challenge=claim.challenge,
                entity=pages[0] if pages else "",
            )
        except BadReference as error:
            raise InputError(f"claim {claim.id}: {error}") from None
        count += 1
    return count
