"""Choose when tables are heard: `python -m feverfew.lab.train.table_gate -o FILE`.

It is chosen on one half of the sample's claims, told apart by their ids, and measured on the other.
Needs nothing but the package; to be run again whenever the encoder or `table_verdict.json` changes.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feverfew.check import Checker
from feverfew.check.table_gate import FILE, TableGate, Threshold
from feverfew.check.tables import TableResult, joined
from feverfew.judge import Probabilities, likeliest
from feverfew.judge.judge import pieces_of
from feverfew.readers import read_claims
from feverfew.sample import sample_claims
from feverfew.types import Claim, Verdict

__all__ = ["Seen", "chosen", "look", "right"]

_SPEAKS = (0.4, 0.5, 0.6, 0.7, 0.8)
_SURE = (0.5, 0.6, 0.7, 0.8)
_BOXES_SPEAK = 0.8
"""Of what a box does not list, the sample has few claims: where it might be silent, it is."""
_BATCH = 16


class Seen(Struct, frozen=True):
    """A claim of the sample, what texts say of it, and the table that was found."""

    claim: Claim
    texts: Probabilities
    table: TableResult | None


def look(checker: Checker, claims: Sequence[Claim]) -> Iterator[Seen]:
    """Look at claims once; rules are then tried without reading again."""
    checker.tables.hearing = TableGate()
    for start in range(0, len(claims), _BATCH):
        group = claims[start : start + _BATCH]
        asked = [claim.text for claim in group]
        looked = checker.look(asked)
        texts = [pieces_of(one.evidence) for one in looked]
        tables = checker.tables.as_one(asked, checker.tables.look(asked), texts)
        for claim, one, table in zip(group, looked, tables, strict=True):
            yield Seen(claim, one.judgement.probabilities, table)


def right(seen: Sequence[Seen], hearing: TableGate) -> int:
    """Count the claims whose label a rule gets right."""
    return sum(_verdict(one, hearing) is one.claim.label for one in seen)


def _verdict(seen: Seen, hearing: TableGate) -> Verdict:
    table = seen.table
    if table is not None:
        kept = table.with_texts if hearing.as_one else None
        table = replace(table, hearing=hearing, with_texts=kept)
    return likeliest(joined(seen.texts, table))


def chosen(seen: Sequence[Seen]) -> TableGate:
    """Choose the rule that gets most claims right; of equals, the one that hears least."""
    rules = [Threshold(speaks, sure) for speaks, sure in product(_SPEAKS, _SURE)]
    rules.sort(key=lambda rule: -(rule.speaks + rule.sure))
    best = TableGate()
    for as_one in (False, True):
        own = TableGate(as_one=as_one)
        own = max((replace(own, table=rule) for rule in rules), key=lambda h: right(seen, h))
        loud = [rule for rule in rules if rule.speaks >= _BOXES_SPEAK]
        boxes = [own, *(replace(own, infobox=rule) for rule in loud)]
        own = max(boxes, key=lambda h: right(seen, h))
        if right(seen, own) > right(seen, best):
            best = own
    return best


@click.command()
@click.option("-o", "--output", required=True, type=Path, help=f"The model's {FILE}.")
@click.option("--model", type=Path, help="A model of your own; without it, the shipped one.")
@click.option("--limit", type=int, help="Only so many claims, for a quick try.")
def main(output: Path, model: Path | None, limit: int | None) -> None:
    """Choose when tables are heard, and say what it gains."""
    claims = [claim for path in sample_claims() for claim in read_claims(path)][:limit]
    with Checker.open(None, model) as checker:
        seen = list(look(checker, claims))
    halves = [[one for one in seen if _half(one.claim) == half] for half in (0, 1)]
    best = chosen(halves[0])
    silent = TableGate(table=Threshold(2.0, 2.0))
    rules = {"texts alone": silent, "tables as without a file": TableGate(), "chosen": best}
    for name, rule in rules.items():
        told = ", ".join(f"{right(half, rule)} of {len(half)}" for half in halves)
        click.echo(f"{name}: right {told} (chosen on the first half)")
    output.write_bytes(msgspec.json.encode(best) + b"\n")
    click.echo(output.read_text().strip())


def _half(claim: Claim) -> int:
    return int(str(claim.id)) % 2


if __name__ == "__main__":
    main()
