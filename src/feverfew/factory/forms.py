"""The sentences in which statements are made, said otherwise, and denied."""

from msgspec import Struct

from feverfew.factory.changes import when
from feverfew.factory.statements import Statement

__all__ = ["DENIED", "FORMS", "Form", "fill"]


class Form(Struct, frozen=True):
    """Sentences of one meaning: {x} is the subject, {d} the value, {v} the value with "in" or "on".

    {h} is what was done ('directed'), {p} the same as what someone did ('wrote' for 'written').
    """

    plain: str
    otherwise: tuple[str, ...]
    denied: str


FORMS = {
    "born": Form(
        "{x} was born {v}.",
        ("{x}'s date of birth is {d}.", "The birth of {x} was {v}.", "{v}, {x} was born."),
        "{x} was not born {v}.",
    ),
    "died": Form(
        "{x} died {v}.",
        ("{x}'s death was {v}.", "{x} passed away {v}.", "{x} lived until {d}."),
        "{x} did not die {v}.",
    ),
    "born_in": Form(
        "{x} was born in {d}.",
        ("{x}'s birthplace is {d}.", "{d} is the birthplace of {x}."),
        "{x} was not born in {d}.",
    ),
    "released": Form(
        "{x} was released {v}.",
        ("{x} came out {v}.", "The release of {x} was {v}."),
        "{x} was not released {v}.",
    ),
    "founded": Form("{x} was {h} {v}.", ("It was {v} that {x} was {h}.",), "{x} was not {h} {v}."),
    "made": Form(
        "{x} was {h} by {d}.",
        ("{d} {p} {x}.", "{d} is the one who {p} {x}."),
        "{x} was not {h} by {d}.",
    ),
    "located": Form(
        "{x} is located in {d}.",
        ("{x} lies in {d}.", "{x} can be found in {d}."),
        "{x} is not located in {d}.",
    ),
    "population": Form(
        "{x} had a population of {d}.",
        ("The population of {x} was {d}.", "{d} people lived in {x}."),
        "{x} did not have a population of {d}.",
    ),
}

DENIED = {
    "is": "is not",
    "was": "was not",
    "won": "did not win",
    "played": "did not play",
    "served": "did not serve",
    "competed": "did not compete",
    "represented": "never represented",
    "received": "never received",
    "became": "never became",
    "appeared": "did not appear",
    "attended": "never attended",
    "studied": "never studied",
    "joined": "never joined",
    "wrote": "did not write",
    "worked": "did not work",
    "scored": "failed to score",
    "moved": "never moved",
}
"""Verbs that a sentence begins with, and how each is denied."""
_DID = {"written": "wrote"}


def fill(form: str, said: Statement, value: str) -> str:
    """Write a sentence about a statement's subject, with this value in place of its own."""
    did = _DID.get(said.head, said.head)
    return form.format(x=said.subject, d=value, v=when(value), h=said.head, p=did)
