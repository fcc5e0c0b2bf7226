"""What verdicts on claims over several pages must reach."""

from typing import Any

from musts import Must

__all__ = ["chain_musts"]


def chain_musts(results: dict[str, Any]) -> list[Must]:
    """Judge a run of chains.py."""
    label = 100 * results["with_gold"]["chains"]["all"]["label"]["value"]
    score = 100 * results["whole"]["chains"]["all"]["hover_score"]["value"]
    took = results["seconds"]["clock"]["p50"] / 1e3
    return [
        Must("label with gold sentences", f"{label:.1f} %", "≥ 75 %", label >= 75),
        Must("HoVer score, ten sentences", f"{score:.1f} %", "≥ 32 %", score >= 32),
        Must("median time of a claim of four pages", f"{took:.2f} s", "≤ 1 s", took <= 1),
    ]
