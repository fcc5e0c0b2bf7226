"""Claims and texts that people check on the page: what they become, and what is found."""

import asyncio
from collections.abc import Mapping, Sequence

from fastapi import Request
from msgspec import Struct

from feverfew.check.documents import Passage, passages
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.render.check_html import CheckedPassage
from feverfew.server.site.cards import Shown, pages_of, shown
from feverfew.server.state import State
from feverfew.types import Page, Report

__all__ = ["LONGEST_CLAIM", "LONGEST_TEXT", "Wanted", "arrange", "check", "parse"]

LONGEST_CLAIM = 2_000
"""Letters that fit into an address, and so into a permalink."""
LONGEST_TEXT = 20_000
_MOST_SENTENCES = 64


class Wanted(Struct, frozen=True):
    """A text, and its passages if it is read sentence by sentence."""

    text: str
    passages: tuple[Passage, ...] = ()

    @property
    def claims(self) -> list[str]:
        """What has to be checked."""
        if not self.passages:
            return [self.text]
        return [one.claim for one in self.passages if not one.passed]


class Arranged(Struct, frozen=True):
    """A passage with what was found, as it is shown; None where it was passed over."""

    checked: CheckedPassage
    shown: Shown | None


def parse(text: str, reading: str = "") -> Wanted:
    """Decide how to read a text: `reading` is claim, sentences, or "" for what fits it."""
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise InputError("there is nothing to check: write a sentence, or paste a text")
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"the text has {len(text):,} characters; up to {LONGEST_TEXT:,} are checked at once"
        )
    if reading == "claim":
        return _one(text)
    found = tuple(passages(text))
    if len(found) <= 1 and reading != "sentences":
        return _one(text)
    wanted = Wanted(text, found)
    if len(wanted.claims) > _MOST_SENTENCES:
        raise InputError(
            f"the text has {len(wanted.claims)} sentences to check; up to {_MOST_SENTENCES} are "
            "checked at once, so paste it in parts"
        )
    return wanted


def _one(text: str) -> Wanted:
    if len(text) > LONGEST_CLAIM:
        raise InputError(
            f"a claim may have {LONGEST_CLAIM:,} characters; this one has {len(text):,}"
        )
    return Wanted(text)


async def check(request: Request, wanted: Wanted) -> list[Report]:
    """Check what is wanted; a report for each claim, in order."""
    state = State.of(request)
    claims = wanted.claims
    state.note(request, claims=len(claims))
    if not claims:
        return []
    async with asyncio.timeout(state.seconds):
        reports = await state.service.check(claims)
    state.metrics.verdicts(report.verdict for report in reports)
    return reports


async def arrange(
    request: Request, wanted: Wanted, reports: Sequence[Report]
) -> tuple[Arranged, ...] | Shown:
    """Arrange reports for reading: one, or those of a text's passages."""
    service = State.of(request).service
    titles = tuple(dict.fromkeys(pages_of(reports)))
    pages = await service.read(lambda corpus: _pages(corpus, titles))
    if not wanted.passages:
        return shown(reports[0], pages)
    rest = iter(reports)
    made = []
    for passage in wanted.passages:
        report = None if passage.passed else next(rest)
        own = None if report is None else shown(report, pages)
        made.append(Arranged(CheckedPassage(passage, report), own))
    return tuple(made)


def _pages(corpus: Corpus, titles: Sequence[str]) -> Mapping[str, Page]:
    return {title: corpus.page(title) for title in titles if title in corpus}
