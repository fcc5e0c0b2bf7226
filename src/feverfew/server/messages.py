"""What goes in and comes out over HTTP, as far as the nouns do not say it already.

Bounds stand with the fields, so that the decoder holds them and the OpenAPI document names them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Raw, Struct

from feverfew.types import Report

__all__ = [
    "NOUNS",
    "CheckRequest",
    "Checked",
    "Found",
    "FoundPage",
    "Health",
    "Problem",
    "ScoreRequest",
    "SearchRequest",
    "Searched",
    "VerifyRequest",
    "Via",
    "WantedClaim",
]

NOUNS = "application/vnd.feverfew.nouns+json"
"""Whoever accepts this gets the nouns as the library itself spells them, for `feverfew.Client`."""

ClaimText = Annotated[
    str, Meta(min_length=1, max_length=2_000, examples=["Fritz Lang directed Metropolis."])
]
Task = Literal["fever", "feverous", "hover"]


class CheckRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Claims to check."""

    claims: Annotated[tuple[ClaimText, ...], Meta(min_length=1, max_length=64)]


class Checked(Struct, frozen=True):
    """A report for each claim, in the order of the claims."""

    reports: tuple[Report, ...]


class WantedClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """A claim to label, under an id of one's own."""

    id: Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=200)]
    claim: ClaimText


class VerifyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Claims to label, and the data set in whose form the answer is wanted."""

    claims: Annotated[tuple[WantedClaim, ...], Meta(min_length=1, max_length=1_000)]
    format: Task = "fever"


class SearchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Claims to find pages for."""

    claims: Annotated[tuple[ClaimText, ...], Meta(min_length=1, max_length=64)]
    k: Annotated[int, Meta(ge=1, le=100)] = 10
    max_hops: Annotated[int, Meta(ge=1, le=4)] = 1
    """Pages that a claim may need; above 1, follows where pages lead."""


class Via(Struct, frozen=True):
    """How a search over several pages came to a page: the id of the sentence that led there."""

    by: str
    how: str


class FoundPage(Struct, frozen=True, omit_defaults=True):
    """A page that may matter to a claim."""

    title: str
    score: float
    via: Via | None = None


class Found(Struct, frozen=True):
    """The pages for one claim, best first."""

    pages: tuple[FoundPage, ...]


class Searched(Struct, frozen=True):
    """What was found for each claim, in the order of the claims."""

    found: tuple[Found, ...]


class ScoreRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Gold claims and predictions in the official form of a task."""

    task: Task
    claims: Annotated[tuple[Raw, ...], Meta(min_length=1, max_length=20_000)]
    predictions: Annotated[tuple[Raw, ...], Meta(max_length=20_000)]
    samples: Annotated[int, Meta(ge=0, le=2_000)] = 1_000
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 0


class Reloaded(Struct, frozen=True):
    """What is served after a reload, and whether it is another state than before."""

    changed: bool
    generation: str
    corpus: str
    """The fingerprint of the corpus."""
    pages: int


class Health(Struct, frozen=True, kw_only=True):
    """What is served, and that it is."""

    status: str
    feverfew: str
    pages: int
    corpus: str
    """The fingerprint of the corpus."""
    generation: str
    """The state of the corpus: which build, and how many changes followed it."""
    model: str
    """The fingerprint of the encoder and of what weighs its answers."""
    waiting: int
    """Claims that wait to be checked."""


class Problem(Struct, frozen=True):
    """What went wrong, and what to do."""

    error: str
