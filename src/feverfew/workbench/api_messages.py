"""What goes in and out of the JSON interface, and its OpenAPI schemas."""

from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from feverfew.server.messages import Problem
from feverfew.workbench.fields import Field, Note
from feverfew.workbench.navigation import Entry, Result
from feverfew.workbench.progress import Progress

Text = Annotated[str, Meta(max_length=10_000)]
Name = Annotated[str, Meta(max_length=1_000)]
Sets = Annotated[list[Annotated[list[Name], Meta(max_length=500)]], Meta(max_length=20)]
_MOST_FIELDS = 200


class CampaignShown(Struct, frozen=True):
    """A campaign, and what the key's person may do in it."""

    name: str
    kind: str
    title: str
    workflows: list[str]
    manages: bool


class Campaigns(Struct, frozen=True):
    """The campaigns that a key opens."""

    pseudonym: str
    scopes: list[str]
    campaigns: list[CampaignShown]


class NextRequest(Struct, frozen=True):
    """Which work is wanted."""

    workflow: Name
    super: bool = False


class Answer(Struct, frozen=True):
    """A draft, or what is submitted. What is left out stays as the last draft has it."""

    verdict: Name | None = None
    challenge: Name | None = None
    sets: Sets | None = None
    """Evidence: sets of element ids."""
    fields: Annotated[dict[Name, Text], Meta(max_length=_MOST_FIELDS)] = {}
    """What is written, by the names of the task's fields; also `note`."""
    active_ms: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """Working time since the last draft."""
    flag: bool = False
    """Open a discussion with it."""
    skip: Annotated[list[Name], Meta(max_length=20)] = []
    """Reasons to skip or report the claim instead."""
    give_up: bool = False
    """Give a source up instead: nothing can be written from it."""


class TaskShown(Struct, frozen=True):
    """A task: what is to be read, chosen and written, and the draft."""

    task: int
    campaign: str
    workflow: str
    title: str
    until: datetime | None
    """When the lease ends; every draft renews it."""
    claim: str
    guide: str
    verdicts: list[str]
    challenges: list[str]
    reasons: dict[str, str]
    """Why it may be skipped."""
    most_sets: int
    practice: bool
    notes: list[Note]
    fields: list[Field]
    paragraphs: list[Entry]
    """The only ones that may be used, where there are such."""
    draft: dict[str, Any]


class NextTask(Struct, frozen=True):
    """The next task, or why there is none."""

    task: TaskShown | None
    why: str = ""


class Saved(Struct, frozen=True):
    """A draft is kept; what still stands in the way of submitting it."""

    until: datetime | None
    problems: list[str]


class Submitted(Struct, frozen=True):
    """It is kept."""

    task: int
    following: str
    """The page on which the work goes on, if any: mutations, or a question about evidence."""


class SearchRequest(Struct, frozen=True):
    """Words, "phrases", -without and title:word."""

    q: Name


class Searched(Struct, frozen=True):
    """The pages found."""

    results: list[Result]


class OpenRequest(Struct, frozen=True):
    """A page's title."""

    title: Name


class ElementShown(Struct, frozen=True):
    """An element that can be evidence."""

    id: str
    text: str


class Opened(Struct, frozen=True):
    """A page's elements and the titles that it links to."""

    title: str
    elements: list[ElementShown]
    links: list[str]


class Refused(Struct, frozen=True):
    """What stands in the way."""

    error: str
    problems: list[str] = []


def components() -> dict[str, Any]:
    """Return the schemas of everything that goes in or out, by name."""
    _, found = msgspec.json.schema_components(
        (
            Campaigns,
            NextRequest,
            NextTask,
            TaskShown,
            Answer,
            Saved,
            Submitted,
            SearchRequest,
            Searched,
            OpenRequest,
            Opened,
            Progress,
            Problem,
            Refused,
        ),
        ref_template="#/components/schemas/{name}",
    )
    return found
