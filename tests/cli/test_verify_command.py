"""`feverfew verify`: official formats out, resumable, and fit for other people's CI."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.check.resume import writing
from feverfew.check.verify import verify
from feverfew.cli.main import cli
from feverfew.errors import CorpusChanged, InputError
from feverfew.types import Claim
from making import made

CLAIMS = [
    {"id": 1, "claim": "Fritz Lang directed Metropolis."},
    {"id": 2, "claim": "Fritz Lang was born in 1975."},
    {"id": 3, "claim": "Vienna lies on the Danube."},
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["verify", *map(str, arguments)])


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(json.dumps(claim) + "\n" for claim in CLAIMS))
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_claim_gets_a_label_and_five_sentences(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert run(claims, "-o", out).exit_code == 0
    found = lines(out)
    assert [line["id"] for line in found] == [1, 2, 3]
    for line in found:
        assert line["predicted_label"] in {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}
        assert len(line["predicted_evidence"]) == 5  # type: ignore[arg-type]
        assert line["probabilities"].keys() == {"S", "R", "N"}  # type: ignore[attr-defined]
    assert found[0]["predicted_label"] == "SUPPORTS"


def test_hover_knows_two_labels(tmp_path: Path) -> None:
    path, out = tmp_path / "h.jsonl", tmp_path / "out.jsonl"
    path.write_text(
        json.dumps(
            {
                "uid": "a",
                "claim": "Fritz Lang was born in 1975.",
                "supporting_facts": [],
                "label": "NOT_SUPPORTED",
                "num_hops": 2,
                "hpqa_id": "x",
            }
        )
        + "\n"
    )
    assert run(path, "-o", out).exit_code == 0
    assert lines(out)[0]["uid"] == "a"
    assert lines(out)[0]["predicted_label"] == "NOT_SUPPORTED"


def test_a_killed_run_goes_on_without_asking_twice(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert run(claims, "-o", out).exit_code == 0
    whole = out.read_text()
    first, second, _ = whole.splitlines()
    assert not (tmp_path / "out.jsonl.run").exists()
    out.write_text(first + "\n" + second[:20])
    assert isinstance(run(claims, "-o", out).exception, InputError)  # complete, it seems
    # As a kill leaves it: one claim done, one half written, and what the run was begun with.
    _begin(claims, out)
    kept = '{"id":1,"predicted_label":"REFUTES","predicted_evidence":[]}'
    out.write_text(kept + "\n" + second[:20])
    assert run(claims, "-o", out).exit_code == 0
    assert out.read_text().splitlines()[0] == kept
    assert [line["id"] for line in lines(out)] == [1, 2, 3]


def _begin(claims: Path, out: Path) -> None:
    """Leave what an unfinished run leaves, by interrupting a real one."""
    from feverfew.check import verify as module

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "predict", stop)
        run(claims, "-o", out, "--restart")
    assert out.with_name(out.name + ".run").exists()


def test_other_claims_are_not_mixed_in(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    _begin(claims, out)
    other = tmp_path / "other.txt"
    other.write_text("Vienna lies on the Danube.\n")
    result = run(other, "-o", out)
    assert isinstance(result.exception, InputError)
    assert "other claims" in str(result.exception)


EDITED = [
    ("reordered", [1, 0, 2], None, "claims"),
    ("a text is another", [0, 1, 2], "Vienna lies on the Rhine.", "claims"),
    ("an id is another", [0, 1, 2], 7, "claims"),
]


@pytest.mark.parametrize(("_", "order", "edit", "named"), EDITED)
def test_edited_claims_are_other_work(
    claims: Path, tmp_path: Path, _: str, order: list[int], edit: object, named: str
) -> None:
    out = tmp_path / "out.jsonl"
    _begin(claims, out)
    out.write_text('{"id":1,"predicted_label":"REFUTES","predicted_evidence":[]}\n')
    before = out.read_bytes()
    rows = [dict(CLAIMS[place]) for place in order]
    if edit is not None:
        rows[2]["claim" if isinstance(edit, str) else "id"] = edit
    claims.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = run(claims, "-o", out)
    assert isinstance(result.exception, InputError)
    assert f"started with other {named};" in str(result.exception)
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "left", ['{"id":2,"predicted_label":"REFUTES"}\n', "[]\n", "\n\n", "\xff\n", '{"id":1}\n' * 4]
)
def test_lines_that_are_not_the_claims_are_refused(claims: Path, tmp_path: Path, left: str) -> None:
    out = tmp_path / "out.jsonl"
    _begin(claims, out)
    out.write_bytes(left.encode("latin-1"))
    result = run(claims, "-o", out)
    assert isinstance(result.exception, InputError)
    assert re.search(r"out.jsonl:\d: is not ", str(result.exception))
    assert out.read_bytes() == left.encode("latin-1")


def test_a_damaged_record_of_a_run_is_refused(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    _begin(claims, out)
    out.touch()
    (tmp_path / "out.jsonl.run").write_bytes(b'{"claims": 3}')
    assert "is damaged" in str(run(claims, "-o", out).exception)


def test_two_runs_do_not_write_to_one_file(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with writing(out):
        result = run(claims, "-o", out)
    assert isinstance(result.exception, InputError)
    assert "another run is writing" in str(result.exception)
    assert not out.exists()
    assert run(claims, "-o", out).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.jsonl", "out.jsonl"]


def test_a_corpus_that_changes_meanwhile_ends_the_run(tmp_path: Path) -> None:
    corpus = made(tmp_path, {"Vienna": ["Vienna lies on the Danube ."]})
    asked = [Claim(id=1, text="Vienna lies on the Danube.")]
    with pytest.raises(CorpusChanged, match="changed since the run began"):
        list(verify(asked, corpus, model="small", workers=1, expected=("another", "state")))


def test_fail_under(claims: Path, tmp_path: Path) -> None:
    assert run(claims, "-o", tmp_path / "a", "--fail-under", "0.99").exit_code == 1
    assert run(claims, "-o", tmp_path / "b", "--fail-under", "0.1").exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no claims"),
        ('{"id": 1, "claim": "a b c"}\n{"id": 1, "claim": "d e f"}\n', "more than once"),
        ('{"id": 1}\n', "claim"),
    ],
)
def test_bad_claims_are_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    result = run(path, "-o", tmp_path / "out.jsonl")
    assert isinstance(result.exception, InputError)
    assert said in str(result.exception)


def test_workers_and_one_process_agree(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"Vienna lies on the Danube, part {n}.\n" for n in range(70)))
    assert run(path, "-o", tmp_path / "one", "--workers", "1").exit_code == 0
    assert run(path, "-o", tmp_path / "two", "--workers", "2").exit_code == 0
    one, two = lines(tmp_path / "one"), lines(tmp_path / "two")
    assert [line["predicted_evidence"] for line in one] == [
        line["predicted_evidence"] for line in two
    ]


def test_hops_cite_ten_sentences_of_several_pages_for_hover(tmp_path: Path) -> None:
    path, out = tmp_path / "h.jsonl", tmp_path / "out.jsonl"
    row = {
        "uid": "a",
        "claim": "The river of the city where the director of Metropolis was born is long.",
        "supporting_facts": [],
        "label": "SUPPORTED",
        "num_hops": 4,
        "hpqa_id": "x",
    }
    path.write_text(json.dumps(row) + "\n")
    assert run(path, "-o", out).exit_code == 0
    cited: list[tuple[str, int]] = lines(out)[0]["predicted_evidence"]  # type: ignore[assignment]
    assert len(cited) == len(set(map(tuple, cited))) == 10
    assert len({page for page, _ in cited}) >= 3


def test_a_run_does_not_continue_with_other_hops(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    _begin(claims, out)
    out.touch()
    fewer = run(claims, "-o", out, "--max-hops", "2")
    assert isinstance(fewer.exception, InputError)
    assert "--max-hops" in str(fewer.exception)
    # All else is as it was started: with the default, it continues.
    assert run(claims, "-o", out).exit_code == 0
    assert len(lines(out)) == 3
