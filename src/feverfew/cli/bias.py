"""`feverfew bias`: which properties of claims correlate with the verdict but should not."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feverfew.cli.options import html_option, json_option
from feverfew.cli.output import emit, naming, stderr_console
from feverfew.errors import InputError, MissingExtra, ScoreError
from feverfew.render.page import DataTable, Figure, Part, Section, Words
from feverfew.render.plots import Bar, bars, heat_map
from feverfew.score.bias import Association, Table, outcomes_of
from feverfew.score.giveaway import Giveaway

if TYPE_CHECKING:
    from feverfew.score.giveaway import Giveaway
    from feverfew.types import Claim

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("bias")
@click.argument("claims", type=_FILE)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["fever", "feverous", "hover"]),
    help="Format of the claims; recognised from their content by default.",
)
@click.option(
    "--claim-types",
    type=_FILE,
    help="The type of each claim: CSV or TSV with the columns id and type, or JSON lines.",
)
@click.option(
    "--min-count",
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
    help="Folds of the cross-validation of the claim-only models.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the folds and intervals.")
@html_option
@json_option
def bias(
    claims: Path,
    format_: str | None,
    claim_types: Path | None,
    min_count: int,
    top: int,
    folds: int,
    seed: int,
    html: Path | None,
    as_json: bool,
) -> None:
    """Measure what the CLAIMS of a data set reveal about their labels, without the evidence.

    \b
    feverfew bias train.jsonl
    feverfew bias dev.jsonl.gz --claim-types types.csv --html bias.html

    Associations (nPMI): how strongly words, positions and types of evidence, hops, challenges and
    claim types are associated with verdicts. Claim-only models: how well a linear model guesses the
    verdict, and whether sentences, cells or both decide the claim.
    """
    from feverfew.cli.annotations import read_claim_types
    from feverfew.readers.bounded import bounded
    from feverfew.readers.claims import read_claims
    from feverfew.score.bias import bias
    from feverfew.score.giveaway import claim_only, evidence_type_only

    read = tuple(bounded(read_claims, claims, format_))
    if not read:
        raise InputError(f"{claims}: no claims")
    types = read_claim_types(claim_types) if claim_types else {}
    known = {c.id: types[str(c.id)] for c in read if str(c.id) in types}
    if claim_types and not known:
        first = ", ".join(list(types)[:3])
        raise InputError(
            f"{claim_types}: names no claim of {claims}; its ids begin {first or 'nowhere'}"
        )
    with naming(claims):
        tables = bias(read, known, least=min_count)
    stderr_console().print(f"guessing from {len(read):,} claims alone …", markup=False)
    measured = [
        _measured(measure, read, folds, seed) for measure in (claim_only, evidence_type_only)
    ]
    found = [g for g in measured if not isinstance(g, str)]
    emit(
        "Bias",
        claims.name,
        [*giveaway_sections(measured, top), *table_sections(tables, top)],
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
    """Train and measure a claim-only model, or say why these claims do not allow it."""
    try:
        return measure(claims, folds=folds, seed=seed)
    except (ScoreError, MissingExtra) as error:
        return str(error)


_BEYOND_CHANCE = 0.05
"""The false discovery rate of a list of associations."""


def giveaway_sections(measured: Sequence[Giveaway | str], top: int) -> Iterator[Section]:
    """Lay out the results of claim-only models, or why there are none."""
    for found in measured:
        if not isinstance(found, str):
            yield _giveaway(found, top)
    if why := [Words(f"{w[:1].upper()}{w[1:]}.") for w in measured if isinstance(w, str)]:
        yield Section("Not measured", tuple(why))


def _giveaway(g: Giveaway, top: int) -> Section:
    guessing = 1 / len(g.labels)
    rows = (
        ("claim alone", g.accuracy, g.low, g.high),
        ("always the most frequent", g.majority, None, None),
        ("claim alone, mean over labels", g.balanced, None, None),
        ("guessing, mean over labels", guessing, None, None),
    )
    telling = tuple(
        (t.label, t.ngram, t.claims, t.weight)
        for label in g.labels
        for t in [t for t in g.telling if t.label == label][:top]
    )
    drawn = [
        Bar("claim alone", g.accuracy, g.low, g.high),
        Bar("most frequent label", g.majority),
    ]
    return Section(
        f"The {g.target}, guessed from the claim alone",
        (
            Words(
                f"{g.claims:,} claims, {g.folds} folds. Accuracy is {g.gain:+.3f} relative to the "
                "most frequent label."
            ),
            DataTable(("accuracy of", "value", "from", "to"), rows),
            Figure(bars(f"Accuracy on the {g.target}", drawn)),
            Figure(
                heat_map(
                    f"The {g.target} guessed",
                    g.labels,
                    g.labels,
                    g.confusion,
                    column_title="guessed",
                ),
                "Each claim is classified by a model that was trained without it.",
            ),
            DataTable(
                ("for", "words", "claims", "weight"),
                telling,
                "The strongest words for each label; ^ and $ are the start and end of a claim.",
            ),
        ),
    )


def table_sections(tables: Sequence[Table], top: int) -> Iterator[Section]:
    """Lay out the strongest associations of each table, by outcome."""
    for table in tables:
        yield Section(f"{table.features.capitalize()} and {table.outcomes}", _parts(table, top))


def _parts(table: Table, top: int) -> tuple[Part, ...]:
    sure = [a for a in table.found if a.npmi > 0 and a.q <= _BEYOND_CHANCE]
    said = (
        f"{table.claims:,} claims, {len(table.found):,} pairs tested; {len(sure):,} are associated "
        f"beyond chance (q ≤ {_BEYOND_CHANCE})."
    )
    if not sure:
        return (Words(said),)
    shown: list[Association] = []
    for found in outcomes_of(Table("", "", 0, tuple(sure))).values():
        shown.extend(found[:top])
    rows = tuple(
        (a.outcome, a.feature, a.together, a.with_feature, a.npmi, _small(a.q)) for a in shown
    )
    columns = (table.outcomes, table.features, "together", "claims", "nPMI", "q")
    drawn = [Bar(f"{a.feature} → {a.outcome}", a.npmi) for a in sure[:top]]
    return (
        Words(said),
        DataTable(columns, rows),
        Figure(bars(f"{table.features.capitalize()} and {table.outcomes}", drawn, axis="nPMI")),
    )


def _small(q: float) -> str:
    return f"{q:.1g}" if q >= 1e-99 else "< 1e-99"
