"""Claims over the sample's tables: for each operation some of every label."""

from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

CLAIMS = Path(str(files("feverfew"))) / "sample" / "claims_tables.jsonl"
OPERATIONS = (
    *("select", "filter", "count", "sum", "mean", "min/max", "argmin/argmax", "order", "compare"),
    *("difference", "unique", "all", "only", "none", "date", "unit"),
)


def labels() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in CLAIMS.read_bytes().splitlines():
        claim = msgspec.json.decode(line)
        found[claim["operation"]].add(claim["label"])
    return found


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_has_claims_of_every_label(operation: str) -> None:
    assert labels()[operation] == {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}


def test_no_operation_is_unknown() -> None:
    assert set(labels()) == set(OPERATIONS)
