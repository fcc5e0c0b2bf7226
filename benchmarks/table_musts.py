"""What tables as evidence must reach."""

from typing import Any

from musts import Must

__all__ = ["table_musts", "verdict_musts"]


def at_least(what: str, value: float, bound: float) -> Must:
    return Must(what, f"{value:.1f} %", f"≥ {bound:g} %", value >= bound)


def table_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of table_reasoning.py."""
    statements = results["statements"]["systems"]["programs"]["value"]
    cells = results["cells"]["systems"]["network"]["value"]
    found = {
        name: 100 * part["systems"]["network"]["value"]
        for name, part in results["found"]["sets"].items()
    }
    took = results["speed"]["claim_ms"]
    return [
        at_least("TabFact: true or false, table given", 100 * statements, 65),
        at_least("FeTaQA: share of the cells within 25", 100 * cells, 80),
        at_least("right table in the top 3, FeTaQA", found["FeTaQA"], 75),
        at_least("right table in the top 3, TabFact", found["TabFact"], 35),
        Must("programs of a claim, 1,000 × 40", f"{took:.1f} ms", "≤ 50 ms", took <= 50),
    ]


def verdict_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of table_verdicts.py."""

    def right(part: str, system: str) -> float:
        return 100 * float(results[part]["systems"][system]["value"])

    ours = "encoder, programs and words"
    feverous = "supported or refuted, as FEVEROUS reads"
    return [
        at_least("InfoTabS: three-way, infobox given", right("infoboxes", ours), 65),
        at_least("TabFact: true or false, with the encoder", right("statements", ours), 65),
        at_least("FEVEROUS: S or R, gold sentences given", right("sentences", feverous), 80),
    ]
