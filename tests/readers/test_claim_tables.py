from pathlib import Path

import pytest

from feverfew.errors import BadRecord, InputError
from feverfew.readers import read_claims, read_predictions
from feverfew.types import Claim, Verdict


def read(folder: Path, name: str, text: str) -> list[Claim]:
    (folder / name).write_text(text, "utf-8")
    return list(read_claims(folder / name))


def test_a_table_gives_its_column_of_claims_and_keeps_the_others(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "claims.csv",
        'Author,Claim,Label\nAda,"Oslo is large, and cold.",refuted\n\nCem,Bonn is small.,\n',
    )
    assert [(claim.id, claim.text, claim.label) for claim in found] == [
        (1, "Oslo is large, and cold.", Verdict.REFUTED),
        (2, "Bonn is small.", None),
    ]
    assert found[0].columns["Author"] == "Ada"


@pytest.mark.parametrize(("name", "mark"), [("a.tsv", "\t"), ("a.csv", ";")])
def test_ids_of_a_table_are_kept(tmp_path: Path, name: str, mark: str) -> None:
    found = read(tmp_path, name, f"id{mark}claim\nx-7{mark}It rains.\n12{mark}It snows.\n")
    assert [claim.id for claim in found] == ["x-7", 12]


def test_a_table_without_claims_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column is called 'claim'; its columns are 'City'"):
        read(tmp_path, "a.csv", "City,Units\nOslo,3\n")


def test_an_empty_claim_says_where(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"a\.csv:3: the claim is empty"):
        read(tmp_path, "a.csv", "id,claim\n1,It rains.\n2,\n")


def test_a_table_under_another_name_is_not_read_as_lines(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"this is a table; .*\.csv"):
        read(tmp_path, "claims.txt", "id,claim,label\n1,It rains.,refuted\n")


def test_a_claim_in_words_may_hold_commas(tmp_path: Path) -> None:
    found = read(tmp_path, "a.txt", "In May, the claim was made.\nIt rains.\n")
    assert [claim.text for claim in found] == ["In May, the claim was made.", "It rains."]


def test_markdown_gives_items_and_lines(tmp_path: Path) -> None:
    text = "# Claims\n\n- Oslo is **large**.\n1. [ ] Bonn is small.\n\n```\nx = 1\n```\nIt rains.\n"
    assert [claim.text for claim in read(tmp_path, "a.md", text)] == [
        "Oslo is large.",
        "Bonn is small.",
        "It rains.",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            '{"unique_id": "v1", "claim": "C.", "evidence": "E.", "label": "SUPPORTS",'
            ' "revision_type": "real"}',
            ("v1", Verdict.SUPPORTED),
        ),
        (
            '{"id": 3, "claim": "C.", "evidence": {"41": [{"sentences": [1],'
            ' "label": "CONTRADICT"}]}, "cited_doc_ids": [41]}',
            (3, Verdict.REFUTED),
        ),
        (
            '{"id": 3, "claim": "C.", "evidence": {}, "cited_doc_ids": [41]}',
            (3, Verdict.NOT_ENOUGH_INFO),
        ),
        (
            '{"claim_id": "0", "claim": "C.", "claim_label": "NOT_ENOUGH_INFO", "evidences": []}',
            ("0", Verdict.NOT_ENOUGH_INFO),
        ),
        (
            '{"claim": "C.", "label": "Conflicting Evidence/Cherrypicking", "questions": []}',
            (1, None),
        ),
        ('{"claim": "C."}', (1, None)),
    ],
)
def test_other_data_sets(tmp_path: Path, line: str, expected: tuple[object, object]) -> None:
    (found,) = read(tmp_path, "a.jsonl", line + "\n")
    assert (found.id, found.label) == expected
    assert found.text == "C."


def test_predictions_without_ids_are_joined_by_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"predicted_label": "SUPPORTS"}\n{"predicted_label": "REFUTES"}\n')
    found = list(read_predictions(path, "fever", [7, 9]))
    assert [prediction.id for prediction in found] == [7, 9]
    with pytest.raises(BadRecord, match=r"p\.jsonl:2: .*more predictions than claims"):
        list(read_predictions(path, "fever", [7]))
    with pytest.raises(BadRecord, match="no 'id'"):
        list(read_predictions(path, "fever"))


def test_the_header_of_a_combined_feverous_file_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(
        '{"evidence": [{"content": [], "context": {}}], "id": "", "claim": "", "label": "",'
        ' "challenge": "", "predicted_label": "", "predicted_evidence": []}\n'
        '{"id": 4, "claim": "C.", "label": "REFUTES", "evidence": [], "challenge": "Other",'
        ' "predicted_label": "SUPPORTS", "predicted_evidence": []}\n'
    )
    assert [claim.id for claim in read_claims(path)] == [4]
    assert [said.label for said in read_predictions(path, "feverous")] == [Verdict.SUPPORTED]


def test_a_carriage_return_in_the_first_line_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_bytes(b"Linz is a\rcity.\n")
    (claim,) = read_claims(tmp_path / "c.txt")
    assert claim.text == "Linz is a\rcity."
