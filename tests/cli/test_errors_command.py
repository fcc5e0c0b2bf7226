import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.errors import add_coding, read_codings
from feverfew.cli.main import cli
from feverfew.corpus.corpus import Corpus
from feverfew.errors import BadRecord, FeverfewError
from feverfew.score.errors import Coding

GOLD = [
    {"id": n, "label": label, "claim": f"Claim number {n}.", "evidence": [[[0, 0, "P", n]]]}
    for n, label in enumerate(["SUPPORTS", "REFUTES", "SUPPORTS", "REFUTES"])
]
SAID = [
    {"id": 0, "predicted_label": "SUPPORTS", "predicted_evidence": [["P", 0]]},  # right
    {"id": 1, "predicted_label": "REFUTES", "predicted_evidence": [["Q", 7]]},
    {"id": 2, "predicted_label": "REFUTES", "predicted_evidence": [["Q", 7]]},
    {"id": 3, "predicted_label": "SUPPORTS", "predicted_evidence": [["P", 3]]},
]
RIGHT = [
    {"id": g["id"], "predicted_label": g["label"], "predicted_evidence": [["P", g["id"]]]}
    for g in GOLD
]


class Desk:
    """The three files of a coding session."""

    def __init__(self, folder: Path) -> None:
        self.gold, self.said = folder / "gold.jsonl", folder / "said.jsonl"
        self.codings = folder / "codings.jsonl"
        self.gold.write_text("".join(json.dumps(line) + "\n" for line in GOLD))
        self.said.write_text("".join(json.dumps(line) + "\n" for line in SAID))

    def keep_only(self, error: int) -> None:
        """Make every prediction right but one."""
        said = [*RIGHT[:error], SAID[error], *RIGHT[error + 1 :]]
        self.said.write_text("".join(json.dumps(line) + "\n" for line in said))

    def run(self, typed: str, *options: str) -> Result:
        given = ["errors", "fever", self.gold, self.said, "--codings", self.codings, *options]
        return CliRunner().invoke(cli, [*map(str, given)], input=typed, catch_exceptions=False)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize(
    ("error", "typed", "outcome"),
    [
        (1, "y\ny\nn\n\n", "label-right-evidence-not-found"),
        (2, "y\ny\nn\n\n", "evidence-not-found"),
        (2, "y\ny\ny\ny\n\n", "new-evidence-label-wrong"),
        (3, "y\ny\n\n", "verdict-wrong"),  # the evidence is there: no third question
    ],
)
def test_asks_only_what_the_data_cannot_answer(
    desk: Desk, error: int, typed: str, outcome: str
) -> None:
    desk.keep_only(error)
    found = json.loads(desk.run(typed, "--json").stdout)
    assert (found["claims"], found["errors"], found["sampled"], found["left"]) == (4, 1, 1, 0)
    assert found["metric"] == "FEVER@5"
    (coding,) = read_codings(desk.codings).values()
    assert (coding.id, coding.outcome, coding.note) == (error, outcome, "")


def test_stops_and_goes_on(desk: Desk) -> None:
    first = desk.run("n\ny\n\nq\n", "--json")
    assert "stopped; run the same command" in first.stderr.replace("\n", " ")
    assert (json.loads(first.stdout)["coded"], json.loads(first.stdout)["left"]) == (1, 2)
    (done,) = read_codings(desk.codings)
    second = desk.run("n\nn\n\nn\nn\na note\n", "--json")
    assert f"claim {done} " not in second.stderr
    found = json.loads(second.stdout)
    assert (found["coded"], found["left"]) == (3, 0)
    assert found["outcomes"]["claim-against-guidelines"]["count"] == 2
    assert found["facets"]["the claim does not meet the guidelines"]["share"] == 1
    assert [c.note for c in read_codings(desk.codings).values()] == ["", "", "a note"]
    third = desk.run("", "--json")
    assert "all 3 sampled errors are coded" in third.stderr
    assert json.loads(third.stdout) == found


def test_back_skip_and_help(desk: Desk) -> None:
    result = desk.run("?\ny\nback\nmaybe\nn\ny\nb\nno\n\ns\nq\n", "--json")
    assert "One statement of fact" in result.stderr
    assert "'maybe' is not an answer" in result.stderr
    (coding,) = read_codings(desk.codings).values()
    assert coding.outcome == "claim-against-guidelines"
    assert coding.answers == {"guidelines": False, "without_evidence": False}


def test_a_sample_grows_from_the_smaller_one(desk: Desk) -> None:
    desk.run("n\nn\n\n", "--sample", "1")
    (first,) = read_codings(desk.codings)
    desk.codings.unlink()
    desk.run("n\nn\n\n" * 2, "--sample", "2")
    assert next(iter(read_codings(desk.codings))) == first
    assert len(read_codings(desk.codings)) == 2


def test_the_seed_decides_the_order(desk: Desk) -> None:
    orders = set()
    for seed in range(6):
        desk.codings.unlink(missing_ok=True)
        desk.run("n\nn\n\n" * 3, "--seed", str(seed))
        orders.add(tuple(read_codings(desk.codings)))
    assert len(orders) > 1


def test_tally_asks_nothing(desk: Desk) -> None:
    with pytest.raises(FeverfewError, match="no error is coded yet; run without --tally"):
        desk.run("", "--tally")
    add_coding(
        desk.codings, Coding(2, "annotator-error", {"guidelines": True, "gold_label": False})
    )
    add_coding(desk.codings, Coding(0, "annotator-error", {}))  # no error of these predictions
    result = desk.run("", "--tally")
    assert "1 coded of 3 errors on 4 claims" in result.stdout
    assert "1 codings are for claims that are not errors" in result.stderr.replace("\n", " ")
    assert "Correct the label" in result.stdout


def test_nothing_coded_is_no_failure(desk: Desk) -> None:
    result = desk.run("q\n", "--json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert not desk.codings.exists()


def test_html_is_one_page(desk: Desk, tmp_path: Path) -> None:
    page = tmp_path / "errors.html"
    desk.run("n\nn\n\nq\n", "--html", str(page))
    assert page.read_text(encoding="utf-8").count("<svg") == 2


def test_shows_the_evidence_from_a_corpus(desk: Desk, tmp_path: Path) -> None:
    page = {"id": "P", "text": "", "lines": "0\tThe first line .\n1\tThe second line ."}
    (tmp_path / "wiki.jsonl").write_text(json.dumps(page) + "\n")
    Corpus.build([tmp_path / "wiki.jsonl"], tmp_path / "corpus").close()
    desk.keep_only(1)
    shown = desk.run("q\n", "--corpus", str(tmp_path / "corpus")).stderr
    assert "P_sentence_1: The second line" in shown
    assert "Q_sentence_7: (not in the corpus)" in shown


def test_a_line_cut_off_is_asked_again(desk: Desk) -> None:
    add_coding(desk.codings, Coding(1, "verdict-wrong", {}))
    with desk.codings.open("ab") as file:
        file.write(b'{"id":2,"outcome":"verd')
    assert list(read_codings(desk.codings)) == [1]
    add_coding(desk.codings, Coding(3, "verdict-wrong", {}))
    assert list(read_codings(desk.codings)) == [1, 3]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            '{"id": 1, "outcome": "x", "answers": {}}',
            "codings.jsonl:2: unknown outcome 'x'; expected",
        ),
        ('{"id": 1, "answers": {}}', "codings.jsonl:2: no 'outcome'"),
        ("{", "codings.jsonl:2: broken JSON"),
        ('{"id": 9, "outcome": "verdict-wrong", "answers": {}}', "2: claim 9 is coded twice"),
    ],
)
def test_bad_codings_say_where(desk: Desk, line: str, said: str) -> None:
    add_coding(desk.codings, Coding(9, "verdict-wrong", {}))
    with desk.codings.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(BadRecord, match=said):
        read_codings(desk.codings)


def test_claims_and_predictions_that_do_not_fit_say_where(desk: Desk) -> None:
    desk.said.write_text("".join(json.dumps(line) + "\n" for line in SAID[:3]))
    with pytest.raises(FeverfewError, match="no prediction for claim 3"):
        desk.run("")


def test_a_folder_that_is_not_there_is_said_before_any_question(desk: Desk) -> None:
    desk.codings = desk.codings.parent / "no" / "codings.jsonl"
    with pytest.raises(FeverfewError, match="there is no folder"):
        desk.run("n\nn\n\n")
