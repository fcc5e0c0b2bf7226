"""What docs/performance.md shows of a run of table_verdicts.py."""

from typing import Any

__all__ = ["verdict_parts", "verdict_rows"]


def verdict_parts(found: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """List the tables: a heading, and each system with its figure."""
    boxes, said, told = found["infoboxes"], found["statements"], found["sentences"]
    lacking = f"{told['with one missing']:,} with a sentence missing"
    foreign = found["scientific"]
    left_open = foreign["claims"] - foreign["settled"]
    counts = f"{foreign['settled']:,} statements that are true or false, {left_open:,} open ones"
    parts = [
        (f"InfoTabS, {boxes['claims']:,} claims, three-way", boxes["systems"] | boxes["slices"]),
        (f"TabFact, {said['claims']:,} statements", said["systems"]),
        (f"SEM-TAB-FACTS, never learned from: {counts}", foreign["systems"]),
        (f"FEVEROUS, {told['claims']:,} sentence claims, and {lacking}", told["systems"]),
    ]
    parts += [
        (f"both kinds of evidence: {name}, {own['claims']:,} claims", own["systems"])
        for name, own in found["both"]["sets"].items()
    ]
    return [(f"{head}, right, %", systems) for head, systems in parts]


def verdict_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    """List the single figures."""
    boxes = found["infoboxes"]
    return [
        ("a claim over an infobox, processor time, ms", f"{boxes['milliseconds']:.0f}"),
        ("calibration error (ECE) of InfoTabS' verdicts", f"{boxes['ece']:.3f}"),
    ]
