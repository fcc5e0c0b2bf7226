"""The tables of verdicts on claims over several pages."""

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["chain_parts"]

_SYSTEMS = {
    ("with_gold", "chains"): "gold sentences, read together",
    ("with_gold", "pieces"): "gold sentences, by FEVER's judge",
    ("whole", "chains"): "`--hops`",
    ("whole", "ranked"): "without rounds",
}
_MEASURES = {
    "label": "label right, %",
    "evidence": "a gold sentence of every gold page cited, %",
    "hover_score": "HoVer score, %",
}


def chain_parts(
    chains: dict[str, Any], interval: Callable[[dict[str, float]], str]
) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield head and rows of a table for each measure."""
    counts = {
        "all" if part == "all" else f"{part} pages": found["claims"]
        for part, found in chains["whole"]["chains"].items()
    }
    for measure, what in _MEASURES.items():
        rows = [
            [name, *(interval(part[measure]) for part in chains[kind][system].values())]
            for (kind, system), name in _SYSTEMS.items()
            if measure in chains[kind][system]["all"]
        ]
        yield [what, *(f"{part} ({count})" for part, count in counts.items())], rows
