import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.annotations import read_annotations
from feverfew.cli.main import cli
from feverfew.errors import BadRecord, InputError
from feverfew.score.agreement import Annotation
from feverfew.types import Ref

CSV = "item,annotator,label\n1,ann,S\n1,bob,S\n2,ann,R\n2,bob,S\n3,ann,R\n3,bob,R\n"
LINES = [
    {"id": 1, "annotator": "ann", "label": "S", "evidence": ["A_sentence_0", ["A", 1]]},
    {"id": 1, "annotator": "bob", "label": "S", "evidence": [["A", 0]]},
    {"id": 1, "annotator": "pro", "label": "S", "evidence": [["A", 0], ["A", 2]]},
    {"id": 2, "annotator": "ann", "label": "R", "evidence": [["B_-LRB-x-RRB-", 0]]},
    {"id": 2, "annotator": "bob", "label": "S", "evidence": [["B (x)", 0]]},
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["agreement", *map(str, arguments)], catch_exceptions=False)


def written(path: Path, content: str | list[dict[str, object]]) -> Path:
    if not isinstance(content, str):
        content = "".join(json.dumps(line) + "\n" for line in content)
    path.write_text(content, encoding="utf-8")
    return path


def test_a_table_for_people(tmp_path: Path) -> None:
    result = run(written(tmp_path / "a.csv", CSV))
    assert result.exit_code == 0
    assert "6 labels of 3 items by 2 annotators" in result.stdout
    assert "Cohen κ" in result.stdout
    assert "Evidence" not in result.stdout


def test_json_holds_every_figure(tmp_path: Path) -> None:
    found = json.loads(run(written(tmp_path / "a.csv", CSV), "--json").stdout)
    values = {c["name"]: c["value"] for c in found["coefficients"]}
    # Observed 2/3; labels split 3 : 3. Fleiss: chance 1/2. α: chance 2 × 3 × 2 / (6 × 5) = .4.
    assert values["Fleiss κ"] == pytest.approx(1 / 3)
    assert values["Krippendorff α"] == pytest.approx((2 / 3 - 0.4) / 0.6)
    assert values["Gwet AC1"] == pytest.approx(1 / 3)
    assert found["pairs"][0]["table"] == [[1, 1], [0, 1]]
    assert found["disagreements"] == [{"labels": ["R", "S"], "pairs": 1}]
    assert found["evidence_overlap"] is None


def test_evidence_and_super_annotators(tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl", LINES)
    found = json.loads(run(file, "--super", "pro", "--json").stdout)
    assert found["annotators"] == 2
    assert found["evidence_overlap"]["pairs"] == 2
    assert found["evidence_overlap"]["identical"] == 0.5
    everyone, ann, bob = found["against_super_annotators"]
    assert (everyone["precision"]["value"], everyone["recall"]["value"]) == (
        pytest.approx(2 / 3),
        0.5,
    )
    assert (ann["annotator"], ann["precision"]["value"]) == ("ann", 0.5)
    assert (bob["annotator"], bob["precision"]["value"]) == ("bob", 1)
    shown = run(file, "--super", "pro").stdout
    assert "Evidence against super-annotators" in shown


def test_a_lone_annotator_is_set_beside_the_expert(tmp_path: Path) -> None:
    lines = [line for line in LINES if line["annotator"] != "bob"]
    found = json.loads(run(written(tmp_path / "a.jsonl", lines), "--super", "pro", "--json").stdout)
    assert found["annotators"] == 2


def test_html_is_one_page(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    result = run(written(tmp_path / "a.jsonl", LINES), "--html", page)
    assert result.exit_code == 0
    assert page.read_text(encoding="utf-8").count("<svg") >= 4
    assert str(page.name) in result.stderr.replace("\n", "")


def test_the_seed_decides(tmp_path: Path) -> None:
    rows = "".join(f"{n},ann,{'SR'[n % 2]}\n{n},bob,{'SR'[n % 3 % 2]}\n" for n in range(30))
    file = written(tmp_path / "a.csv", "item,annotator,label\n" + rows)
    one, again, other = (run(file, "--json", "--seed", s).stdout for s in (1, 1, 2))
    assert one == again != other


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_reads_any_table(tmp_path: Path, sign: str) -> None:
    rows = [["note", "Label", "ID", "annotator"], ["x", "S ", "1", "ann"], ["", "R", "1", "bob"]]
    file = written(
        tmp_path / "a.txt", "\ufeff" + "\r\n".join(sign.join(r) for r in rows) + "\r\n\r\n"
    )
    assert list(read_annotations(file)) == [
        Annotation("1", "ann", "S"),
        Annotation("1", "bob", "R"),
    ]


def test_reads_evidence_in_both_spellings(tmp_path: Path) -> None:
    read = list(read_annotations(written(tmp_path / "a.jsonl", LINES)))
    assert read[0].evidence == frozenset({Ref.sentence("A", 0), Ref.sentence("A", 1)})
    assert read[3].evidence == read[4].evidence == frozenset({Ref.sentence("B (x)", 0)})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "a:1: no column 'item' in the header"),
        ("item,label\n1,S\n", "a:1: no column 'annotator' in the header"),
        ("item,annotator,label\n1,ann\n", "a:2: 2 columns where the header has 3"),
        ("item,annotator,label\n1,ann, \n", "a:2: the label is empty"),
        ("item,annotator,label\n1,a,S\n\n1,a,R\n", "a:4: annotator 'a' labels item '1' again "),
        ('{"id": 1, "annotator": "a"}\n', "a:1: no 'label'"),
        ('{"id": 1, "annotator": "a", "label": 3}\n', "a:1: expected `str`"),
        ('{"id": 1, "annotator"\n', "a:1: broken JSON"),
        (
            '{"id": 1, "annotator": "a", "label": "S", "evidence": ["Page"]}\n',
            "a:1: 'Page' is not an element id",
        ),
        (
            '{"id": 1, "annotator": "a", "label": "S", "evidence": [["P", -1]]}\n',
            "a:1: ['P', 'sentence', '-1'] is not an element",
        ),
        (
            '{"id": 1, "annotator": "a", "label": "S", "evidence": [["P", 0, 1]]}\n',
            "a:1: expected `array` of at most length 2",
        ),
    ],
)
def test_bad_input_says_where(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(BadRecord) as caught:
        list(read_annotations(written(tmp_path / "a", content)))
    assert str(caught.value).removeprefix(f"{tmp_path}/").startswith(said)


def test_bytes_that_are_no_text_say_where(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"item,annotator,label\n1,\xff,S\n")
    with pytest.raises(BadRecord, match="invalid UTF-8"):
        list(read_annotations(tmp_path / "a"))
    (tmp_path / "b").write_bytes(b"item,annot\xff\n")
    with pytest.raises(BadRecord, match="invalid UTF-8"):
        list(read_annotations(tmp_path / "b"))


def test_a_file_cut_short_says_where(tmp_path: Path) -> None:
    packed = gzip.compress(CSV.encode() + b"".join(b"%d,ann,S\n" % n for n in range(9, 3000)))
    (tmp_path / "a.csv.gz").write_bytes(packed[:-100])
    with pytest.raises(BadRecord, match=r"a\.csv\.gz:\d+: the file is damaged from here on"):
        run(tmp_path / "a.csv.gz")


def test_what_cannot_be_compared_names_the_file(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", "item,annotator,label\n1,ann,S\n2,bob,S\n")
    with pytest.raises(InputError, match=r"a\.csv: no item was labelled by two annotators"):
        run(file)
    with pytest.raises(InputError, match=r"super-annotator 'x'; there are: ann, bob"):
        run(written(tmp_path / "b.csv", CSV), "--super", "x")


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        run(written(tmp_path / "a.csv", CSV), "--html", tmp_path / "no" / "page.html")
