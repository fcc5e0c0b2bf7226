import gzip
import io
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.readers import dump_claims, read_claims
from feverfew.readers.base import Record, Source
from feverfew.readers.claims import CLAIM_FORMATS
from feverfew.types import Claim, Kind, Ref, Verdict

FEVER = (
    b'{"id": 7, "verifiable": "VERIFIABLE", "label": "SUPPORTS", "claim": "Aruba is dry.",'
    b' "evidence": [[[1, 2, "Aruba", 3], [1, 2, "Desert_-LRB-x-RRB-", 0]], [[3, 4, "Aruba", 5]]]}'
)
FEVER_OPEN = (
    b'{"id": 8, "verifiable": "NOT VERIFIABLE", "label": "NOT ENOUGH INFO",'
    b' "claim": "Aruba is loved.", "evidence": [[[9, null, null, null]]]}'
)
FEVEROUS_HEADER = (
    b'{"evidence": [{"content": [], "context": {}}], "id": "", "claim": "", "label": "",'
    b' "annotator_operations": [{"operation": "", "value": "", "time": ""}], "challenge": ""}'
)
FEVEROUS = (
    b'{"id": 9, "claim": "It has 3.", "label": "REFUTES", "challenge": "Numerical Reasoning",'
    b' "num_hops": 2, "evidence": [{"content": ["A_b_cell_0_1_2", "C_sentence_4"],'
    b' "context": {"A_b_cell_0_1_2": ["A_b_title"]}}]}'
)
HOVER = (
    b'{"uid": "u-1", "claim": "Both sang.", "label": "NOT_SUPPORTED", "num_hops": 3,'
    b' "hpqa_id": "5ab", "supporting_facts": [["Simon &amp; G", 0], ["B", 2]]}'
)


def read(folder: Path, content: bytes, name: str | None = None) -> list[Claim]:
    path = folder / "dev.jsonl"
    path.write_bytes(content)
    return list(read_claims(path, name))


def test_fever(tmp_path: Path) -> None:
    first, second = read(tmp_path, FEVER + b"\n" + FEVER_OPEN)
    desert = Ref.sentence("Desert_-LRB-x-RRB-", 0)
    assert first == Claim(
        id=7,
        text="Aruba is dry.",
        label=Verdict.SUPPORTED,
        evidence=((Ref.sentence("Aruba", 3), desert), (Ref.sentence("Aruba", 5),)),
    )
    assert second == Claim(id=8, text="Aruba is loved.", label=Verdict.NOT_ENOUGH_INFO)


def test_a_blind_test(tmp_path: Path) -> None:
    assert read(tmp_path, b'{"id": 1, "claim": "A."}') == [Claim(id=1, text="A.")]


def test_feverous_with_its_empty_header(tmp_path: Path) -> None:
    (claim,) = read(tmp_path, FEVEROUS_HEADER + b"\n" + FEVEROUS)
    assert claim == Claim(
        id=9,
        text="It has 3.",
        label=Verdict.REFUTED,
        evidence=((Ref("A_b", Kind.CELL, (0, 1, 2)), Ref.sentence("C", 4)),),
        hops=2,
        challenge="Numerical Reasoning",
    )


@pytest.mark.parametrize(
    "content", [HOVER, b"[" + HOVER + b"]", b"[\n\n" + HOVER.replace(b",", b",\n") + b"\n]\n"]
)
def test_hover_as_lines_and_as_a_list(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, content) == [
        Claim(
            id="u-1",
            text="Both sang.",
            label=Verdict.NOT_SUPPORTED,
            evidence=((Ref.sentence("Simon &amp; G", 0), Ref.sentence("B", 2)),),
            hops=3,
            group="5ab",
        )
    ]


@pytest.mark.parametrize(
    "words", ["Aruba is dry.\n\n  It is small. \n", "[Aruba] is dry.\n\nIt is small.", "é\r\n\r\né"]
)
def test_plain_text_has_a_claim_a_line_whose_number_is_its_id(tmp_path: Path, words: str) -> None:
    first, second = read(tmp_path, words.encode())
    assert [first.id, second.id] == [1, 3]
    assert second.text == words.splitlines()[2].strip()


def test_a_file_that_begins_with_claims_of_no_certain_format(tmp_path: Path) -> None:
    undecided = b'{"id": 1, "claim": "A.", "label": "NOT ENOUGH INFO", "evidence": []}'
    assert [c.id for c in read(tmp_path, undecided + b"\n" + FEVEROUS)] == [1, 9]


def test_compressed_and_from_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (expected,) = read(tmp_path, FEVEROUS)
    assert read(tmp_path, gzip.compress(FEVEROUS)) == [expected]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FEVEROUS)))
    assert list(read_claims("-")) == [expected]


def test_labels_in_any_case(tmp_path: Path) -> None:
    (claim,) = read(tmp_path, FEVER.replace(b"SUPPORTS", b"supports"))
    assert claim.label is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("content", "name", "why"),
    [
        (
            FEVER.replace(b"SUPPORTS", b"MAYBE"),
            None,
            "unknown label 'MAYBE'; expected SUPPORTS, REFUTES or NOT ENOUGH INFO",
        ),
        (
            HOVER.replace(b"NOT_SUPPORTED", b"REFUTES"),
            None,
            "unknown label 'REFUTES'; expected SUPPORTED or NOT_SUPPORTED",
        ),
        (FEVEROUS.replace(b"_cell_0_1_2", b"_cell_0"), None, "is not an element"),
        (FEVEROUS.replace(b"_cell_0_1_2", b""), None, "'A_b' is not an element id such as"),
        (FEVER.replace(b'"Aruba", 3', b'"Aruba", -3'), None, "at `$.evidence[0][0][3]`"),
        (b'{"claim": "A."}', "fever", "no 'id'"),
        (b'{"id": 3, "text": "A."}', None, "no 'claim'"),
        (b'{"id": 3, "claim": " "}', None, "the claim is empty"),
        (b'{"id": 3, "claim": "A.', None, "broken JSON"),
        (b'{"id": 3, "claim": ' + b"[" * 100_000, None, "nested too deeply"),
        (b"Aruba is dry.", "fever", "broken JSON"),
        (b"\xff is no text", "text", "invalid UTF-8"),
        (HOVER, "fever", "no 'id'"),
    ],
)
def test_a_bad_claim_says_where_and_why(
    tmp_path: Path, content: bytes, name: str | None, why: str
) -> None:
    path = tmp_path / "dev.jsonl"
    good = b"Good." if name == "text" else b'{"id": 1, "uid": 1, "claim": "Good."}'
    good = b'{"id": 1, "claim": "Good."}' if name is None else good
    path.write_bytes(good + b"\n\n" + content)
    claims = read_claims(path, name)
    assert next(claims).text == "Good."
    with pytest.raises(BadRecord) as caught:
        next(claims)
    assert str(caught.value).startswith(f"{path}:3: ")
    assert why in str(caught.value)


def test_a_bad_item_of_a_list_is_counted(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"dev.jsonl:2: no 'claim'"):
        read(tmp_path, b"[" + HOVER + b',\n\n{"uid": 4}]')
    with pytest.raises(BadRecord, match=r"dev.jsonl:1: broken JSON"):
        read(tmp_path, b"[" + HOVER + b",\n" + HOVER[:40])


def test_a_wrong_name_lists_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="known are fever, feverous, hover, clim"):
        read(tmp_path, FEVER, "fevr")
    with pytest.raises(UnknownFormat, match=r"known are fever, feverous, hover$"):
        dump_claims([], "text")


def test_what_a_format_cannot_say_is_an_error() -> None:
    cell = Claim(id=1, text="A.", evidence=((Ref("A", Kind.CELL, (0, 1, 2)),),))
    for name in ("fever", "hover"):
        with pytest.raises(InputError, match="claim 1: A_cell_0_1_2 is not a sentence"):
            list(dump_claims([cell], name))
    either = Claim(id=2, text="A.", evidence=((Ref.sentence("A", 1),), (Ref.sentence("B", 1),)))
    with pytest.raises(InputError, match="claim 2: HoVer knows one set"):
        list(dump_claims([either], "hover"))
    unsure = Claim(id=3, text="A.", label=Verdict.NOT_SUPPORTED)
    with pytest.raises(InputError, match="fever has no label for NOT_SUPPORTED"):
        list(dump_claims([unsure], "fever"))


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
SENTENCES = st.builds(Ref.sentence, WORDS, st.integers(0, 999))
ELEMENTS = SENTENCES | st.builds(
    Ref,
    WORDS,
    st.sampled_from([Kind.CELL, Kind.HEADER_CELL]),
    st.tuples(*[st.integers(0, 99)] * 3),
)
LABELS = st.sampled_from([Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO, None])
IDS = st.integers(0, 10**9) | WORDS


def sets(refs: st.SearchStrategy[Ref]) -> st.SearchStrategy[tuple[tuple[Ref, ...], ...]]:
    return st.lists(st.lists(refs, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple)


CLAIMS = {
    "fever": st.builds(Claim, id=IDS, text=WORDS, label=LABELS, evidence=sets(SENTENCES)),
    "feverous": st.builds(
        Claim,
        id=IDS,
        text=WORDS,
        label=LABELS,
        evidence=sets(ELEMENTS),
        hops=st.none() | st.integers(1, 4),
        challenge=st.text(max_size=5),
    ),
    "hover": st.builds(
        Claim,
        id=IDS,
        text=WORDS,
        label=st.sampled_from([Verdict.SUPPORTED, Verdict.NOT_SUPPORTED, None]),
        evidence=sets(SENTENCES).map(lambda alternatives: alternatives[:1]),
        hops=st.none() | st.integers(1, 4),
        group=st.text(max_size=5),
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
@given(data=st.data())
def test_claims_come_back_as_they_were_written(name: str, data: st.DataObject) -> None:
    claim = data.draw(CLAIMS[name])
    (written,) = dump_claims([claim], name)
    record = Record(msgspec.json.encode(written), 1)
    assert CLAIM_FORMATS[name](record, Source(Path("x"), "x")) == claim
