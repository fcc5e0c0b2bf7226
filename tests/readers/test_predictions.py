from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.readers import dump_prediction, read_predictions
from feverfew.types import Kind, Prediction, Ref, Verdict


def read(folder: Path, name: str, *objects: object) -> list[Prediction]:
    path = folder / "predictions.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, objects)))
    return list(read_predictions(path, name))


def test_fever(tmp_path: Path) -> None:
    line = {
        "id": 7,
        "predicted_label": "refutes",
        "predicted_evidence": [["Aruba", 3], ["Aruba", 3], ["Desert_-LRB-x-RRB-", 0]],
        "probabilities": {"S": 0.25, "R": 0.5, "N": 0.25},
    }
    aruba = Ref.sentence("Aruba", 3)
    assert read(tmp_path, "fever", line) == [
        Prediction(
            id=7,
            label=Verdict.REFUTED,
            evidence=(aruba, aruba, Ref.sentence("Desert_-LRB-x-RRB-", 0)),
            probabilities={
                Verdict.SUPPORTED: 0.25,
                Verdict.REFUTED: 0.5,
                Verdict.NOT_ENOUGH_INFO: 0.25,
            },
        )
    ]


def test_hover(tmp_path: Path) -> None:
    line = {
        "uid": "u",
        "predicted_label": "NOT_SUPPORTED",
        "predicted_evidence": [["A &amp; B", 1]],
        "predicted_pages": ["C", "D"],
    }
    (prediction,) = read(tmp_path, "hover", line)
    assert prediction == Prediction(
        id="u",
        label=Verdict.NOT_SUPPORTED,
        evidence=(Ref.sentence("A &amp; B", 1),),
        pages=("C", "D"),
    )
    assert dump_prediction(prediction, "hover") == line


def test_feverous_in_triples_and_in_element_ids(tmp_path: Path) -> None:
    said = [["A_b", "header_cell", "0_2_1"], "A_b_sentence_3", ["A_b", "sentence", 4]]
    line = {"id": 3, "predicted_label": "SUPPORTS", "predicted_evidence": said}
    (prediction,) = read(tmp_path, "feverous", line)
    assert prediction.evidence == (
        Ref("A_b", Kind.HEADER_CELL, (0, 2, 1)),
        Ref.sentence("A_b", 3),
        Ref.sentence("A_b", 4),
    )
    assert dump_prediction(prediction, "feverous")["predicted_evidence"] == [
        ["A_b", "header_cell", "0_2_1"],
        ["A_b", "sentence", "3"],
        ["A_b", "sentence", "4"],
    ]


def test_feverous_may_name_the_claim_instead_of_its_id(tmp_path: Path) -> None:
    (prediction,) = read(tmp_path, "feverous", {"claim": "A.", "predicted_label": "REFUTES"})
    assert prediction.id == "A."


def test_a_list_is_read_too(tmp_path: Path) -> None:
    said = [{"id": n, "predicted_label": "SUPPORTS"} for n in range(3)]
    assert [p.id for p in read(tmp_path, "fever", said)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "line", "why"),
    [
        ("fever", {"predicted_label": "SUPPORTS"}, "no 'id'"),
        ("hover", {"id": 3, "predicted_label": "SUPPORTED"}, "no 'uid'"),
        ("feverous", {"predicted_label": "SUPPORTS"}, "no 'id' and no 'claim'"),
        ("fever", {"id": 3}, "no 'predicted_label'"),
        ("fever", {"predicted_label": "YES"}, "unknown label 'YES'; expected SUPPORTS, REFUTES"),
        ("fever", {"predicted_evidence": [["A"]]}, "at `$.predicted_evidence[0]`"),
        ("fever", {"predicted_evidence": [["A", "1"]]}, "at `$.predicted_evidence[0][1]`"),
        ("fever", {"predicted_evidence": [["A", 1, 2]]}, "at `$.predicted_evidence[0]`"),
        ("feverous", {"predicted_evidence": [["A", "row", "1"]]}, "is not an element"),
        ("feverous", {"predicted_evidence": ["A_cell_1"]}, "is not an element"),
        ("fever", {"probabilities": {"S": 1.5}}, "at `$.probabilities[...]`"),
        ("fever", {"probabilities": {"X": 0.5}}, "unknown verdict 'X'"),
    ],
)
def test_a_bad_prediction_says_where_and_why(
    tmp_path: Path, name: str, line: dict[str, object], why: str
) -> None:
    good = {"id": 1, "uid": 1, "claim": "A.", "predicted_label": "NOT ENOUGH INFO"}
    good["predicted_label"] = "SUPPORTED" if name == "hover" else "SUPPORTS"
    missing = why.startswith("no '")
    with pytest.raises(BadRecord) as caught:
        read(tmp_path, name, good, line if missing else {**good, **line})
    assert str(caught.value).startswith(f"{tmp_path / 'predictions.jsonl'}:2: ")
    assert why in str(caught.value)


def test_a_wrong_name_lists_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="known are fever, feverous, hover"):
        read(tmp_path, "text")
    with pytest.raises(UnknownFormat, match="known are fever, feverous, hover"):
        dump_prediction(Prediction(id=1, label=Verdict.REFUTED), "fevr")


def test_what_a_format_cannot_say_is_an_error() -> None:
    caption = Ref("A", Kind.CAPTION, (0,))
    prediction = Prediction(id=1, label=Verdict.REFUTED, evidence=(caption,))
    with pytest.raises(InputError, match="A_table_caption_0 is not a sentence"):
        dump_prediction(prediction, "fever")


def test_hover_has_one_word_for_all_that_is_not_supported() -> None:
    prediction = Prediction(id=1, label=Verdict.NOT_ENOUGH_INFO)
    assert dump_prediction(prediction, "hover")["predicted_label"] == "NOT_SUPPORTED"


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
SENTENCES = st.builds(Ref.sentence, WORDS, st.integers(0, 999))
CELLS = st.builds(Ref, WORDS, st.just(Kind.CELL), st.tuples(*[st.integers(0, 99)] * 3))
THREE = [Verdict.SUPPORTED, Verdict.REFUTED, Verdict.NOT_ENOUGH_INFO]


@pytest.mark.parametrize("name", ["fever", "feverous", "hover"])
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_predictions_come_back_as_they_were_written(
    tmp_path: Path, name: str, data: st.DataObject
) -> None:
    labels = [Verdict.SUPPORTED, Verdict.NOT_SUPPORTED] if name == "hover" else THREE
    prediction = data.draw(
        st.builds(
            Prediction,
            id=st.integers(0, 10**9) | WORDS,
            label=st.sampled_from(labels),
            evidence=st.lists(SENTENCES | CELLS if name == "feverous" else SENTENCES).map(tuple),
            pages=st.lists(WORDS, max_size=3).map(tuple),
            probabilities=st.none()
            | st.dictionaries(st.sampled_from(THREE), st.floats(0, 1), min_size=1),
        )
    )
    assert read(tmp_path, name, dump_prediction(prediction, name)) == [prediction]
