"""A corpus whose every text would run a script, if a page let it."""

import json
from pathlib import Path

from feverfew.corpus.build import build

SCRIPT = "<script>window.hurt=1</script>"
IMAGE = "<img src=x onerror=window.hurt=1>"
BREAK = '"><svg onload=window.hurt=1>'
TITLE = f"Moon {SCRIPT}"
OTHER = "Sun '\"><img src=x onerror=window.hurt=1>"


def _cell(name: str, value: str) -> dict[str, object]:
    return {"id": name, "value": value, "is_header": name.startswith("header")}


def hostile(folder: Path) -> Path:
    """Build it, and return its directory."""
    moon = {
        "title": TITLE,
        "order": ["sentence_0", "section_0", "sentence_1", "table_0", "list_0"],
        "sentence_0": f"The moon {SCRIPT} is made of rock, near [[{OTHER}|the {IMAGE} sun]].",
        "section_0": {"value": f"Orbit {BREAK}", "level": 2},
        "sentence_1": "It was named by [[javascript:window.hurt=1|Ada Quill]] in 1820.",
        "table_0": {
            "type": "table",
            "caption": f"Craters {IMAGE}",
            "table": [
                [_cell("header_cell_0_0_0", f"Name {BREAK}"), _cell("header_cell_0_0_1", "Medal")],
                [_cell("cell_0_1_0", f"Tycho {SCRIPT}"), _cell("cell_0_1_1", f"Silver {IMAGE}")],
            ],
        },
        "list_0": {
            "type": "unordered_list",
            "list": [{"id": "item_0_0", "value": f"dust {IMAGE}", "level": 1}],
        },
    }
    sun = {
        "title": OTHER,
        "order": ["sentence_0"],
        "sentence_0": f"The sun {BREAK} is a star {IMAGE} above [[{TITLE}|the moon]].",
    }
    javascript = {
        "title": "javascript:window.hurt=1",
        "order": ["sentence_0"],
        "sentence_0": f"Ada Quill {SCRIPT} was a woman who named the moon {BREAK} in 1820.",
    }
    source = folder / "hostile.jsonl"
    source.write_text("".join(json.dumps(p) + "\n" for p in (moon, sun, javascript)), "utf-8")
    build([source], folder / "hostile.corpus", workers=0)
    return folder / "hostile.corpus"
