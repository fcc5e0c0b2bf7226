"""A data set that is not sound is told so, with the reason and the place."""

import json
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory.check import Checked, check
from making import feverfew, made


def fever(path: Path, *rows: tuple[int, str, str, list[list[object]]]) -> Path:
    lines = (
        json.dumps(
            {
                "id": i,
                "claim": text,
                "label": label,
                "evidence": [[[None, None, *ref] for ref in refs]],
            }
        )
        for i, text, label, refs in rows
    )
    path.write_text("\n".join(lines) + "\n")
    return path


def names(checked: Checked, severity: str) -> set[str]:
    return {problem.name for problem in checked.problems if problem.severity == severity}


def test_errors_within_a_file(tmp_path: Path) -> None:
    file = fever(
        tmp_path / "dev.jsonl",
        (1, "Ada Brook was a chemist.", "SUPPORTS", [["Ada_Brook", 0]]),
        (1, "Ada Brook was a poet.", "REFUTES", [["Ada_Brook", 0]]),
        (2, "Ada Brook was a chemist.", "REFUTES", [["Ada_Brook", 0]]),
        (3, "Ben Birch was a sailor.", "SUPPORTS", [["Nobody", 0]]),
        (4, "Ben Birch was a rower.", "SUPPORTS", [["Ada_Brook", 7]]),
        (5, "Ben Birch might be a rower", "SUPPORTS", [["Ada_Brook", n] for n in range(6)]),
    )
    with Corpus.open(made(tmp_path, {"Ada_Brook": ["Ada Brook was a chemist."]})) as corpus:
        checked = check([file], corpus)
    assert not checked.sound
    assert names(checked, "error") == {
        "duplicate-id", "conflicting-labels", "missing-page", "missing-element",
    }  # fmt: skip
    assert {"beyond-limits", "cautious", "no-final-period"} <= names(checked, "warning")


def test_leaks_between_splits(tmp_path: Path) -> None:
    text = "Ada Brook was a British chemist who worked in Leeds for most of a long life."
    train = fever(tmp_path / "train.jsonl", (1, text, "SUPPORTS", [["Ada_Brook", 0]]))
    dev = fever(
        tmp_path / "dev.jsonl",
        (2, text, "SUPPORTS", [["Ada_Brook", 0]]),
        (3, text.replace("Leeds", "York"), "REFUTES", [["Ada_Brook", 0]]),
    )
    checked = check([train, dev])
    assert names(checked, "error") == {"shared-claims"}
    assert checked.overlaps[0].claims == 1
    assert checked.overlaps[0].near_duplicates == 1
    assert checked.overlaps[0].evidence_pages == 1


def test_hover_hops_and_questions(tmp_path: Path) -> None:
    row = {"uid": "a", "claim": "One was a film.", "label": "SUPPORTED", "num_hops": 3,
           "supporting_facts": [["A", 0], ["B", 1]], "hpqa_id": "q"}  # fmt: skip
    (tmp_path / "train.json").write_text(json.dumps([row]))
    (tmp_path / "dev.json").write_text(
        json.dumps([{**row, "uid": "b", "claim": "Two was a film."}])
    )
    checked = check([tmp_path])
    assert "hops" in names(checked, "warning")
    assert names(checked, "error") == {"shared-groups"}


def test_files_of_two_formats_are_refused(tmp_path: Path) -> None:
    one = fever(tmp_path / "a.jsonl", (1, "Ada Brook was a chemist.", "SUPPORTS", [["A", 0]]))
    two = tmp_path / "b.jsonl"
    two.write_text(
        '{"uid": "b", "claim": "Two.", "label": "SUPPORTED", "supporting_facts": [["A", 0]]}\n'
    )
    with pytest.raises(InputError, match="one format"):
        check([one, two])


def test_the_command_says_what_it_found_and_may_fail(tmp_path: Path) -> None:
    file = fever(
        tmp_path / "dev.jsonl",
        (1, "Ada Brook was a chemist.", "SUPPORTS", [["Ada_Brook", 0]]),
        (2, "Ada Brook was a chemist.", "REFUTES", [["Ada_Brook", 0]]),
    )
    shown = feverfew("factory", "check", file)
    assert shown.returncode == 0
    assert "has two labels" in " ".join(shown.stdout.split())
    failed = feverfew("factory", "check", file, "--fail", "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["problems"][0]["name"] == "conflicting-labels"
