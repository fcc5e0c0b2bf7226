"""What a run of table_search.py is told as."""

from collections.abc import Iterator
from typing import Any

__all__ = ["SHOWN", "search_parts", "search_rows"]

SHOWN = {
    "fused": "tables and pages",
    "tables alone": "the index of tables alone",
    "its page among 5": "(its page among the first five)",
}


def search_parts(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a heading and the systems for each set of claims."""
    for name, part in found["sets"].items():
        head = f"{name}, {part['claims']:,} claims, right table in the top 3, %"
        yield head, {SHOWN[key]: own for key, own in part["systems"].items() if key in SHOWN}


def search_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    """List what else is worth telling."""
    spent = max(part["milliseconds"] for part in found["sets"].values())
    return [
        ("pages", f"{found['pages']:,}"),
        ("tables", f"{found['tables']:,}"),
        ("a claim, every system and page search together, ms", f"{spent:.0f}"),
    ]
