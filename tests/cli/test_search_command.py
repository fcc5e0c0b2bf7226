"""`feverfew search`: one query for people, files of claims for programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from feverfew.errors import InputError, NotACorpus
from feverfew.retrieve import Ranked, Titles
from making import feverfew, made

CLAIM = "Fritz Lang directed Metropolis."


def search(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["search", *map(str, arguments)], input=stdin)


def test_json_is_a_line_a_claim_with_titles_as_the_source_wrote_them(tmp_path: Path) -> None:
    corpus = made(tmp_path, {"Metropolis_-LRB-film-RRB-": ["A film ."], "Fritz_Lang": ["A man ."]})
    claims = tmp_path / "claims.jsonl"
    claims.write_text(
        json.dumps({"id": 75397, "label": "SUPPORTS", "claim": "Fritz Lang made Metropolis.",
                    "evidence": [[[1, 2, "Fritz_Lang", 0]]]}) + "\n"
        + json.dumps({"id": 7, "label": "NOT ENOUGH INFO", "claim": "!?", "evidence": []}) + "\n"
    )  # fmt: skip
    done = feverfew("search", "--corpus", corpus, "--claims", claims, "-k", "10", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["id"] == 75397
    assert {page["title"] for page in first["pages"]} == {"Fritz_Lang", "Metropolis_-LRB-film-RRB-"}
    assert [set(page) for page in first["pages"]] == [{"title", "score"}] * 2
    assert first["pages"][0]["score"] >= first["pages"][1]["score"]
    assert second == {"id": 7, "pages": []}


def test_one_query(sample: Corpus) -> None:
    done = search(CLAIM, "-k", "3", "--json")
    found = json.loads(done.stdout)
    assert found["id"] == 1
    expected = Ranked.open(sample).retrieve([CLAIM], 3)[0]
    assert found["pages"] == [{"title": c.title, "score": c.score} for c in expected]
    shown = search(CLAIM, "-k", "3").stdout
    assert len(shown.splitlines()) == 3
    assert "Fritz Lang" in shown


def test_a_file_is_answered_as_its_claims_are(sample_path: Path, tmp_path: Path) -> None:
    (tmp_path / "claims.txt").write_text(f"{CLAIM}\n\nVienna is a city.\n")
    given: list[str | Path] = ["--corpus", sample_path, "-k", "2", "--json"]
    together = search(*given, "--claims", tmp_path / "claims.txt").stdout.splitlines()
    alone = [json.loads(search(*given, claim).stdout) for claim in (CLAIM, "Vienna is a city.")]
    assert [json.loads(line)["pages"] for line in together] == [one["pages"] for one in alone]
    piped = feverfew("search", *given, "--claims", "-", stdin=f"{CLAIM}\n")
    assert json.loads(piped.stdout)["pages"] == alone[0]["pages"]
    plain = search(*given[:-1], "--claims", tmp_path / "claims.txt").stdout
    assert plain.splitlines()[0].split("\t")[1].count(" · ") == 1


def test_nothing_found(sample_path: Path) -> None:
    assert "No page" in search("--corpus", sample_path, "!?").stdout
    assert json.loads(search("--corpus", sample_path, "!?", "--json").stdout)["pages"] == []


def test_the_corpus_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEVERFEW_CORPUS", str(made(tmp_path, {"Linz": ["A city ."]})))
    assert json.loads(search("Linz", "--json").stdout)["pages"][0]["title"] == "Linz"


@pytest.mark.parametrize(
    "arguments", [[], [CLAIM, "--claims", "x"], [CLAIM, "-k", "0"], [CLAIM, "--workers", "0"]]
)
def test_a_slip_in_the_command(arguments: list[str]) -> None:
    done = search(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")


def test_what_cannot_be_read(tmp_path: Path, sample_path: Path) -> None:
    assert isinstance(search("--corpus", tmp_path, CLAIM).exception, NotACorpus)
    missing = search("--corpus", sample_path, "--claims", tmp_path / "nowhere.jsonl")
    assert isinstance(missing.exception, InputError)
    done = feverfew("search", "--corpus", tmp_path, CLAIM)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == f"feverfew: {tmp_path} is not a corpus (it has no manifest.json)\n"


def test_retrievers_by_name_and_how_hops_came_there(sample: Corpus) -> None:
    claim = "The river of the city where the director of Metropolis was born is long."
    pages = json.loads(search(claim, "--max-hops", "4", "--json").stdout)["pages"]
    led = {page["title"]: page["via"] for page in pages if "via" in page}
    assert led["Fritz Lang"]["by"].startswith("Metropolis")
    assert {how["how"] for how in led.values()} <= {"link", "name", "text"}
    assert "Fritz Lang ← Metropolis" in search(claim, "--max-hops", "4").stdout
    titles = json.loads(search(CLAIM, "--retriever", "titles", "--json").stdout)["pages"]
    expected = Titles(sample).retrieve([CLAIM], 10)[0]
    assert [page["title"] for page in titles] == [c.title for c in expected]
    assert search(CLAIM, "--retriever", "none").exit_code == 2
