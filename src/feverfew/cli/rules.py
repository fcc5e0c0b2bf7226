"""`feverfew rules`: check claims against the papers' requirements, and list them."""

from collections import Counter
from pathlib import Path

import click

from feverfew.cli.options import json_option
from feverfew.cli.output import plural, print_json, stderr_console, stdout
from feverfew.errors import InputError

_KIND = click.option(
    "--kind",
    type=click.Choice(["fever", "feverous", "hover"]),
    help="Whose requirements; by default those of the file's format, or FEVER's.",
)


@click.group("rules")
def rules() -> None:
    """Check claims against the requirements that the papers gave their writers.

    \b
    feverfew rules check claims.jsonl
    feverfew rules list --kind feverous
    """


@rules.command("check")
@click.argument("claims", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_KIND
@click.option(
    "--rule", "only", multiple=True, metavar="NAME", help="Check only this rule; may be repeated."
)
@click.option("--fail", is_flag=True, help="Exit with 1 if a claim breaks a rule.")
@json_option
def check(claims: Path, kind: str | None, only: tuple[str, ...], fail: bool, as_json: bool) -> None:
    """Check every claim of a file, and show which rules it breaks, and where.

    \b
    feverfew rules check claims.jsonl
    feverfew rules check draft.txt --kind feverous --rule vague --json

    CLAIMS is a file in FEVER's, FEVEROUS's or HoVer's format, or has one claim per line. A broken
    rule is a reason to look at the claim again, not a proof that it is bad.
    """
    from feverfew.readers.bounded import bounded, bounded_value
    from feverfew.readers.claims import format_of, read_claims
    from feverfew.rules import RULES, check_claim

    if unknown := sorted(set(only) - RULES.keys()):
        raise InputError(f"unknown rule {unknown[0]!r}; expected one of {', '.join(RULES)}")
    named = bounded_value(format_of, claims)
    kind = kind or (named if named in ("fever", "feverous", "hover") else "fever")
    total, broken = 0, 0
    counts: Counter[str] = Counter()
    for claim in bounded(read_claims, claims):
        total += 1
        hits = [h for h in check_claim(claim.text, kind) if not only or h.rule in only]
        broken += bool(hits)
        counts.update(hit.rule for hit in hits)
        if as_json:
            print_json({"id": claim.id, "claim": claim.text, "hits": hits})
            continue
        for hit in hits:
            stdout().print(f"{claim.id}: {hit.rule}: {hit.message}", markup=False)
            stdout().print(f"    {_marked(claim.text, hit.start, hit.end)}", markup=False)
    said = "".join(f", {name} {count:,}" for name, count in counts.most_common())
    stderr_console().print(f"{plural(total, 'claim')}, {broken:,} with hits{said}", markup=False)
    if fail and broken:
        raise SystemExit(1)


def _marked(text: str, start: int, end: int) -> str:
    return f"{text[:start]}»{text[start:end]}«{text[end:]}" if end > start else text


@rules.command("list")
@_KIND
@json_option
def list_(kind: str | None, as_json: bool) -> None:
    """List the requirements, with the data sets that have them.

    \b
    feverfew rules list --kind hover
    """
    from feverfew.rules import RULES

    for rule in RULES.values():
        if kind is not None and kind not in rule.kinds:
            continue
        if as_json:
            print_json({"rule": rule.name, "asks": rule.asks, "kinds": rule.kinds})
        else:
            stdout().print(f"{rule.name:20}{rule.asks}  ({', '.join(rule.kinds)})", markup=False)
