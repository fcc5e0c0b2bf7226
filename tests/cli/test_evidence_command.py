"""`feverfew evidence`, as people call it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.corpus.build import build

PAGES = {
    "Ada_Quill": ["Ada Quill was a painter .", "She was born in Tartu .", "She never married ."],
    "Tartu": ["Tartu is a city of Estonia .", "It lies on a river ."],
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence")
    source = folder / "pages.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for title, sentences in PAGES.items():
            lines = "\n".join(f"{i}\t{text}" for i, text in enumerate(sentences))
            file.write(json.dumps({"id": title, "text": "", "lines": lines}) + "\n")
    build([source], folder / "made.corpus", workers=0)
    return folder / "made.corpus"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["evidence", *map(str, arguments)])


def test_sentences_with_page_and_id(corpus: Path) -> None:
    done = run("Ada Quill was born in Tartu.", "--corpus", corpus, "-k", "2")
    assert done.exit_code == 0
    first, second, *_ = done.stdout.splitlines()
    assert first == "Ada Quill  Ada_Quill_sentence_1"
    assert second == "  She was born in Tartu."


def test_json_has_the_context(corpus: Path) -> None:
    done = run("Ada Quill was born in Tartu.", "--corpus", corpus, "-k", "3", "--json")
    said = json.loads(done.stdout)
    assert said["claim"] == "Ada Quill was born in Tartu."
    assert len(said["evidence"]) == 3
    first = said["evidence"][0]
    assert first.pop("score") >= said["evidence"][1]["score"]
    assert first == {
        "id": "Ada_Quill_sentence_1",
        "text": "She was born in Tartu.",
        "title": "Ada Quill",
        "section": "",
        "name": "",
        "hop": 0,
        "source": {"path": "pages.jsonl", "page": None},
    }


def test_nothing_found_is_said(corpus: Path) -> None:
    assert "No page" in run("Zzyzx qwfp!", "--corpus", corpus).stdout
    assert json.loads(run("Zzyzx qwfp!", "--corpus", corpus, "--json").stdout)["evidence"] == []


def test_brackets_are_text_and_not_markup(tmp_path: Path) -> None:
    lines = "0\tQuill -LSB- bold -RSB- is a painter ."
    source = tmp_path / "pages.jsonl"
    source.write_text(json.dumps({"id": "Quill", "text": "", "lines": lines}) + "\n")
    build([source], tmp_path / "made.corpus", workers=0)
    done = run("Quill is a painter.", "--corpus", tmp_path / "made.corpus")
    assert "Quill [bold] is a painter." in done.stdout


def test_no_claim_is_a_usage_error() -> None:
    assert run().exit_code == 2
