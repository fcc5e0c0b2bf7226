"""Skills of reference: who did what to whom, and whether the evidence is about the same one."""

import random
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from feverfew.factory.forms import FORMS, fill
from feverfew.factory.skills.base import Example, PageText, context, silent

_NAME = (
    r"(?:the )?[A-Z][\w'’.-]+(?: (?:[A-Z][\w'’.-]+|of|de|van|von|the|al|da|di)(?= [A-Z]|\b))*"
    r"(?<! of)(?<! the)(?<! de)"
)
_END = (
    r"(?=[,.]| (?:and|in|on|by|for|at|with|after|to|during|from|who|which|as|when|until|where)\b)"
)


class _Relation(Struct, frozen=True):
    """A relation between x and y, and what can be claimed of it."""

    text: str
    true: list[str]
    false: list[str]
    open: list[str]

    @property
    def pattern(self) -> str:
        return self.text.replace("<NAME>", _NAME).replace("<END>", _END)


@cache
def _relations() -> list[tuple[re.Pattern[str], _Relation]]:
    data = files("feverfew.factory.skills").joinpath("roles.toml").read_bytes()
    relations = msgspec.toml.decode(data, type=dict[str, list[_Relation]])["relation"]
    return [(re.compile(relation.pattern), relation) for relation in relations]


_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


def roles(page: PageText, _other: PageText, rng: random.Random) -> Iterator[Example]:
    """Turn a relation round: rightly (its converse), wrongly (the roles exchanged)."""
    name = page.name
    if re.search(r"[.,;:'\"]|^List|^The |\d", name):
        return
    for at, claim in page.claims():
        if re.search(r"\b(?:not|never|almost|nearly)\b", claim):
            continue
        statement = "X" + claim.removeprefix("The ").removeprefix(name)
        subject = f"the {name}" if claim.startswith("The ") else name
        for pattern, relation in _relations():
            found = pattern.match(statement)
            if not found or found["y"].split()[-1] in subject or len(found["y"]) < 4:
                continue
            several = statement[found.end("y") :].startswith((" and ", ", and", "'s", "’s"))
            if several and "son|daughter" not in relation.text:
                continue
            said = found.groupdict()
            values = {"x": subject, "y": said["y"], "w": said.get("w") or ""}
            values["o"] = _OPPOSITE.get(values["w"], "")
            evidence = context(page, at, rng)
            for label, forms in (
                ("S", relation.true),
                ("R", relation.false),
                ("N", relation.open),
            ):
                form = rng.choice(forms)
                yield Example(_capital(form.format(**values)), evidence, label)
            if rng.random() < 0.3 and (beside := silent(page, at, rng, [said["y"].split()[-1]])):
                yield Example(
                    _capital(rng.choice(relation.true + relation.false).format(**values)),
                    beside,
                    "N",
                )
            break


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def other_entity(page: PageText, other: PageText, rng: random.Random) -> Iterator[Example]:
    """Put a claim next to what is said of another subject of the same kind: silent."""
    mine = {s.form: (at, s) for at, s in page.statements() if s.form in FORMS}
    theirs = {s.form: (at, s) for at, s in other.statements() if s.form in FORMS}
    shared = sorted(set(mine) & set(theirs))
    if not shared or set(page.name.split()) & set(other.name.split()):
        return
    form = rng.choice([f for f in shared if f not in ("born", "died")] or shared)
    (at, said), (there, foreign) = mine[form], theirs[form]
    if said.value == foreign.value or (said.head or "") != (foreign.head or ""):
        return
    written = FORMS[form]
    own = rng.choice((written.plain, *written.otherwise))
    sentence = other.sentences[there]
    if page.name.split()[-1] in sentence:
        return
    # The same wording three times: about the right one, the wrong value, the wrong subject.
    yield Example(_capital(fill(own, said, said.value)), context(page, at, rng), "S")
    if said.value not in foreign.value and foreign.value not in page.sentences[at]:
        yield Example(_capital(fill(own, said, foreign.value)), context(page, at, rng), "R")
    value = rng.choice((said.value, foreign.value, foreign.value))
    yield Example(_capital(fill(own, said, value)), context(other, there, rng), "N")
