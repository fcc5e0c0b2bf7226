"""Contrast groups as training pairs, drawn in a new form each time.

A group is a passage, a table or a few pages with claims that differ in little: each names the
sentences or cells that it needs. One claim is good for many pairs: with what it needs alone, among
the rest, shuffled, under another title; or without something it needs, which leaves it open.
"""

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.errors import InputError
from feverfew.lab.train.pairs import LABELS, UNKNOWN, Pair
from feverfew.models.inputs import linearise, plain
from feverfew.readers.files import open_bytes

__all__ = ["WRITTEN", "ContrastSource", "contrast_pair", "read_groups"]

Group = dict[str, Any]
WRITTEN = Path(str(files("feverfew.lab.train") / "written"))
"""Groups that come with feverfew, beside those of the data folder."""
_HELD_OUT = 7
"""Of every ten groups, the one that is kept for measuring and for the combination."""
_OPEN = LABELS.index("N")
_CROWDED = 0.2
"""How often a passage stands among sentences of another one, as in what a search finds."""


def read_groups(path: Path, *, held_out: bool = False) -> list[Group]:
    """Read the groups to learn from, or those that are held out."""
    if not path.is_file():
        raise InputError(f"{path} is needed, and does not exist")
    with open_bytes(path) as lines:
        groups = [msgspec.json.decode(line) for line in lines]
    return [group for at, group in enumerate(groups) if (at % 10 == _HELD_OUT) == held_out]


class ContrastSource(Struct, frozen=True):
    """An endless source of pairs: the claims of all groups, each time in another form."""

    name: str
    groups: list[Group]
    weight: float

    def stream(self, seed: int) -> Iterator[Pair]:
        """Yield pairs without end, the same for the same seed."""
        rng = random.Random(seed)
        claims = [(group, claim) for group in self.groups for claim in group["claims"]]
        while claims:
            group, claim = rng.choice(claims)
            pair = contrast_pair(group, claim, rng)
            if "sentences" in group and rng.random() < _CROWDED:
                pair = _among_others(pair, rng.choice(self.groups), rng)
            yield pair


def contrast_pair(group: Group, claim: Group, rng: random.Random) -> Pair:
    """Show a claim of a group in one of the forms that its evidence can have."""
    if "table" in group:
        return table_pair(group, claim, rng)
    return pages_pair(group, claim, rng) if "pages" in group else passage_pair(group, claim, rng)


def _pair(claim: str, evidence: str, label: int) -> Pair:
    return Pair(plain(claim), evidence, label, UNKNOWN)


def passage_pair(group: Group, claim: Group, rng: random.Random) -> Pair:
    """Show a claim with sentences of its passage."""
    sentences, needed = group["sentences"], sorted(set(claim["evidence"]))
    others = [at for at in range(len(sentences)) if at not in needed]
    label = LABELS.index(claim["label"])
    some = rng.sample(others, min(len(others), rng.randint(1, 3)))
    chance = rng.random()
    if chance < 0.35:
        kept = needed
    elif chance < 0.7:
        kept = sorted(needed + some)
    elif chance < 0.86 or label == _OPEN or not others:
        kept = list(range(len(sentences)))
    else:  # something that it needs is missing
        label = _OPEN
        kept = _without_one(needed, rng) if len(needed) > 1 else sorted(some)
    if len(kept) > 1 and rng.random() < 0.12:
        kept = rng.sample(kept, len(kept))
    title, texts = _title(group, rng), [sentences[at] for at in kept]
    evidence = linearise([(title, t) for t in texts]) if title else plain(" ".join(texts))
    return _pair(claim["claim"], evidence, label)


def _among_others(pair: Pair, other: Group, rng: random.Random) -> Pair:
    """Put one or two sentences of another passage before or behind the evidence."""
    count = min(len(other["sentences"]), rng.randint(1, 2))
    said = linearise([(other["title"], text) for text in rng.sample(other["sentences"], count)])
    parts = [pair.evidence, said] if rng.random() < 0.7 else [said, pair.evidence]
    return msgspec.structs.replace(pair, evidence=" | ".join(parts))


def _without_one(needed: list[int], rng: random.Random) -> list[int]:
    lost = rng.choice(needed)
    return [at for at in needed if at != lost]


def _title(group: Group, rng: random.Random) -> str:
    """Name a passage as pages, sections and files are named, or not at all."""
    chance = rng.random()
    if chance < 0.5:
        return str(group["title"])
    if chance < 0.6 and group.get("section"):
        return f"{group['title']}, {group['section']}"
    if chance < 0.68:
        name = re.sub(r"[^a-z0-9]+", "-", group["title"].lower()).strip("-")
        return name + rng.choice((".md", ".txt", ".html", ".pdf", ""))
    return ""


def table_pair(group: Group, claim: Group, rng: random.Random) -> Pair:
    """Show a claim with the rows it needs, with a few more, or with the whole table, in words."""
    head, *body = group["table"]
    rows = sorted({row for row, _ in claim["cells"] if row > 0})
    columns: set[int] | None = {column for _, column in claim["cells"]} | {0}
    chance = rng.random()
    if rows and chance < 0.55:
        if chance >= 0.35:
            rest = [at for at in range(1, len(body) + 1) if at not in rows]
            rows = sorted(rows + rng.sample(rest, min(len(rest), 2)))
            columns = None if rng.random() < 0.5 else columns
    else:
        rows = list(range(1, len(body) + 1))
        columns = None if len(body) * len(head) < 40 else columns
    over = ", ".join(t for t in (group["title"], group["caption"]) if t and rng.random() < 0.8)
    said = " ".join(_row(head, group["table"][at], columns) for at in rows if at <= len(body))
    cells = plain(f"{over}: {said}" if over else said)
    needed = [group["text"][at] for at in claim.get("text", [])]
    texts = needed if needed and rng.random() < 0.6 else group["text"]
    if texts:
        around = linearise([(group["title"], text) for text in texts])
        cells = f"{around} | {cells}" if rng.random() < 0.7 else f"{cells} | {around}"
    return _pair(claim["claim"], cells, LABELS.index(claim["label"]))


def _row(head: list[str], row: list[str], columns: set[int] | None) -> str:
    named = [
        f"{name} is {cell}"
        for at, (name, cell) in enumerate(zip(head, row, strict=False))
        if cell.strip() and (columns is None or at in columns)
    ]
    return ", ".join(named) + "."


def pages_pair(group: Group, claim: Group, rng: random.Random) -> Pair:
    """Show a claim with sentences of several pages."""
    label, needed = LABELS.index(claim["label"]), [tuple(place) for place in claim["evidence"]]
    every = [(p, s) for p, page in enumerate(group["pages"]) for s in range(len(page["sentences"]))]
    others = [place for place in every if place not in needed]
    kept, chance = list(needed), rng.random()
    if chance < 0.15 and len(needed) > 1 and label != _OPEN:
        kept.remove(rng.choice(kept))
        kept += rng.sample(others, min(len(others), rng.randint(0, 2)))
        label = _OPEN
    elif chance < 0.6:
        kept += rng.sample(others, min(len(others), rng.randint(1, 4)))
    if rng.random() < 0.5:
        rng.shuffle(kept)
    pages = group["pages"]
    pieces = [(pages[p]["title"], pages[p]["sentences"][s]) for p, s in kept]
    return _pair(claim["claim"], linearise(pieces), label)
