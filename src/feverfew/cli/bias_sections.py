"""Lay out what a data set gives away as sections, for a terminal and for a page alike."""

from collections.abc import Iterator, Sequence

from feverfew.render.page import DataTable, Figure, Part, Section, Words
from feverfew.render.plots import Bar, bars, heat_map
from feverfew.score.bias import Association, Table, outcomes_of
from feverfew.score.giveaway import Giveaway

__all__ = ["giveaway_sections", "table_sections"]

_BEYOND_CHANCE = 0.05
"""The share of false finds that a list of associations may hold."""


def giveaway_sections(measured: Sequence[Giveaway | str], top: int) -> Iterator[Section]:
    """Lay out what a model guesses from claims alone, and why where there is none."""
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
    top_program = tuple(
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
                f"{g.claims:,} claims, {g.folds} folds. The claims give away {g.gain:+.3f} of "
                "accuracy above the most frequent label."
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
                "Each claim is guessed by a model that was trained without it.",
            ),
            DataTable(
                ("for", "words", "claims", "weight"),
                top_program,
                "What speaks loudest for each label; ^ and $ are a claim's begin and end.",
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
        f"{table.claims:,} claims, {len(table.found):,} pairs looked at; {len(sure):,} go together "
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
