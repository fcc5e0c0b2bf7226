"""`feverfew bias`: what in a data set's claims goes with the verdict though it should not."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.common import json_option, talk
from feverfew.cli.output import emit, html_option, naming
from feverfew.errors import InputError, ScoreError

if TYPE_CHECKING:
    from feverfew.score.giveaway import Giveaway
    from feverfew.types import Claim

__all__ = ["command"]

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("bias")
@click.argument("claims", type=_FILE)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["fever", "feverous", "hover"]),
    help="Format of the claims; told from their content where not given.",
)
@click.option(
    "--claim-types",
    type=_FILE,
    help="The type of each claim: CSV or TSV with the columns id and type, or JSON lines.",
)
@click.option(
    "--least",
    default=10,
    show_default=True,
    type=click.IntRange(min=1),
    help="Leave out words and other properties of fewer claims than this.",
)
@click.option(
    "--top",
    default=10,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many words and other properties to show for each outcome.",
)
@click.option(
    "--folds",
    default=5,
    show_default=True,
    type=click.IntRange(min=2),
    help="Folds of the cross-validation behind the claim-only models.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the folds and intervals.")
@html_option
@json_option
def command(
    claims: Path,
    format_: str | None,
    claim_types: Path | None,
    least: int,
    top: int,
    folds: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Measure what the CLAIMS of a data set give away without their evidence.

    \b
    feverfew bias train.jsonl
    feverfew bias dev.jsonl.gz --claim-types types.csv --html bias.html

    First, how strongly words, places of evidence, types of evidence, hops, challenges and claim
    types go with verdicts (nPMI). Then, what a linear model guesses from the claim alone: its
    verdict, and whether sentences, cells or both settle it.
    """
    from feverfew.cli import bias_sections as show
    from feverfew.cli.claim_types import read_claim_types
    from feverfew.readers.claims import read_claims
    from feverfew.score.bias import bias
    from feverfew.score.giveaway import claim_only, evidence_type_only

    read = tuple(read_claims(claims, format_))
    if not read:
        raise InputError(f"{claims}: holds no claims")
    types = read_claim_types(claim_types) if claim_types else {}
    known = {c.id: types[str(c.id)] for c in read if str(c.id) in types}
    if claim_types and not known:
        first = ", ".join(list(types)[:3])
        raise InputError(
            f"{claim_types}: names no claim of {claims}; its ids begin {first or 'nowhere'}"
        )
    with naming(claims):
        tables = bias(read, known, least=least)
    talk().print(f"guessing from {len(read):,} claims alone …", markup=False)
    measured = [
        _measured(measure, read, folds, seed) for measure in (claim_only, evidence_type_only)
    ]
    found = [g for g in measured if not isinstance(g, str)]
    emit(
        "Bias",
        claims.name,
        [*show.giveaway_sections(measured, top), *show.table_sections(tables, top)],
        {
            "claims": len(read),
            "giveaways": found,
            "tables": tables,
        },
        as_json=as_json,
        html=html,
    )


def _measured(
    measure: "Callable[..., Giveaway]", claims: "tuple[Claim, ...]", folds: int, seed: int
) -> "Giveaway | str":
    """Measure a giveaway, or say why these claims do not allow it."""
    try:
        return measure(claims, folds=folds, seed=seed)
    except ScoreError as error:
        return str(error)
