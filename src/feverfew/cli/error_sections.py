"""Lay out tallied errors as sections, for a terminal and for a page alike."""

from collections.abc import Mapping

from feverfew.render.page import DataTable, Figure, Section, Words
from feverfew.render.plots import Bar, bars
from feverfew.score.errors import GRAPH, Share, Tally

__all__ = ["tally_sections"]


def tally_sections(tally: Tally, numbers: Mapping[str, object]) -> list[Section]:
    """Lay out the outcomes, the paper's facets, and the answers behind both."""
    left = f" {numbers['left']} of the sample are still to code." if numbers["left"] else ""
    actions = tuple(
        (name, share.count, GRAPH.outcomes[name].action)
        for name, share in tally.outcomes.items()
        if GRAPH.outcomes[name].action
    )
    sections = [
        Section(
            "What the errors are",
            (
                Words(
                    f"{tally.coded:,} coded of {numbers['errors']:,} errors on "
                    f"{numbers['claims']:,} claims ({numbers['metric']}).{left}"
                ),
                _shares("outcome", tally.outcomes),
                Figure(_bars("Outcomes", tally.outcomes)),
            ),
        ),
        Section(
            "As the FEVER paper counts them",
            (
                Words("These overlap, so they do not add up to one."),
                _shares("kind of error", tally.facets),
                Figure(_bars("Kinds of error", tally.facets)),
            ),
        ),
        Section(
            "Answers",
            (
                DataTable(
                    ("question", "yes", "no"),
                    tuple(
                        (GRAPH.questions[name].text, given["yes"], given["no"])
                        for name, given in tally.answers.items()
                    ),
                ),
            ),
        ),
    ]
    if actions:
        table = DataTable(("outcome", "errors", "what to do"), actions)
        sections.append(Section("What to do", (table,)))
    return sections


def _shares(name: str, shares: Mapping[str, Share]) -> DataTable:
    return DataTable(
        (name, "errors", "share", "from", "to"),
        tuple((text, s.count, s.share, s.low, s.high) for text, s in shares.items()),
        "From and to: 95 % intervals (Wilson).",
    )


def _bars(title: str, shares: Mapping[str, Share]) -> str:
    return bars(
        title,
        [Bar(n, s.share, s.low, s.high, f"n = {s.count:,}") for n, s in shares.items()],
        axis="share of the coded errors",
    )
