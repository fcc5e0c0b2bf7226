"""Pairs made from infoboxes and from statements about tables."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from feverfew.lab.train.made_pairs import table_pairs


def gzipped(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def test_infoboxes_and_statements_become_pairs(tmp_path: Path) -> None:
    box = {"title": ["Alpha"], "Released": ["1 May  1990"], "Genre": ["pop", "jazz"]}
    gzipped(tmp_path / "infotabs_tables.jsonl.gz", [{"id": "T1", "table": box}])
    said = {"table_id": "T1", "hypothesis": "Alpha was released in 1991.", "label": "C"}
    gzipped(tmp_path / "infotabs_train.jsonl.gz", [said])
    table = {"id": "t", "caption": "rivers", "rows": [["name", "km"], ["Oder", "840"]]}
    gzipped(tmp_path / "tabfact_tables.jsonl.gz", [table])
    true = {"table": "t", "statement": "the Oder is 840 km long", "label": 1}
    gzipped(tmp_path / "tabfact_train.jsonl.gz", [true])
    gzipped(tmp_path / "tabfact_val.jsonl.gz", [])
    made = {name: next(pairs) for name, pairs in table_pairs(tmp_path, 4).items()}
    infobox, statement = made["infobox"], made["statement"]
    assert infobox["label"] == "R"
    assert infobox["evidence"] == "Alpha: Released is 1 May 1990, Genre is pop, jazz."
    assert statement["label"] == "S"
    assert statement["evidence"] == "rivers: name is Oder, km is 840."
