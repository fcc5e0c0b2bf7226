"""What a writing screen consists of: things to read, and fields to fill in."""

from msgspec import Struct

from feverfew.rules import Hit
from feverfew.workbench.navigation import Entry


class Note(Struct, frozen=True):
    """Something to read on a writing screen."""

    heading: str
    text: str = ""
    before: str = ""
    after: str = ""
    """The sentences around it, shown on demand."""
    marks: tuple[tuple[int, int], ...] = ()
    entries: tuple[Entry, ...] | None = None
    """A dictionary; empty where the sentence has no links."""
    items: tuple[str, ...] = ()
    numbered: bool = False


class Field(Struct, frozen=True):
    """Something to fill in."""

    name: str
    label: str
    hint: str = ""
    kind: str = "text"
    """text, lines (one claim a line), choice, yesno or number."""
    options: tuple[tuple[str, str], ...] = ()
    value: str = ""
    hits: tuple[Hit, ...] = ()
    rule: str = ""
    """The mutation whose contract it is held to, for checks while typing."""
    good: tuple[tuple[str, str], ...] = ()
    bad: tuple[tuple[str, str], ...] = ()
    required: bool = False
    warn: bool = False
    """Shown in a warning colour: a trivial negation."""


def hits_in_words(line: str, hits: list[Hit]) -> list[Hit]:
    """Say in each message which claim it is about, where a field holds several."""
    return [Hit(hit.rule, f"“{line}”: {hit.message}", hit.start, hit.end) for hit in hits]
