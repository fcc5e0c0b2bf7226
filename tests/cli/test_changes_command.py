"""`feverfew add`, `replace` and `remove`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from feverfew.cli.main import cli
from feverfew.errors import BadRecord, InputError, NotACorpus, NotFound
from making import fever_file, fever_line, feverfew, made, titles_in


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, {"Vienna": ["On the Danube ."], "Linz": ["A city ."]})


def run(command: str, directory: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [command, "--corpus", str(directory), *map(str, arguments)])


def test_add_replace_remove(directory: Path, tmp_path: Path) -> None:
    source = fever_file(tmp_path / "new.jsonl", {"Graz": ["On the Mur ."], "Wels": ["A town ."]})
    done = run("add", directory, source, "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (0, {"added": 2})
    changed = fever_file(tmp_path / "changed.jsonl", {"graz": ["Changed ."]})
    done = run("replace", directory, changed)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.replace("\n", "").endswith("replaced 1 page")
    assert titles_in(directory) == {"Vienna", "Linz", "graz", "Wels"}
    done = run("remove", directory, "Graz", "Wels", "--json")
    assert json.loads(done.stdout) == {"removed": 2}
    assert titles_in(directory) == {"Vienna", "Linz"}


def test_documents_are_added_by_the_folder(directory: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.md").write_text("# Graz\n\nGraz lies on the Mur.\n")
    (folder / "more.txt").write_text("Wels is a town.\n")
    assert run("add", directory, folder).exit_code == 0
    assert len(titles_in(directory)) == 4


def test_a_file_of_an_indexed_folder_keeps_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/notes.md").write_text("Graz lies on the Mur.\n")
    corpus = tmp_path / "c"
    CliRunner().invoke(cli, ["index", str(folder), "-o", str(corpus)])
    (folder / "sub/notes.md").write_text("Graz lies on the river Mur.\n")
    assert run("replace", corpus, folder / "sub/notes.md").exit_code == 0
    assert titles_in(corpus) == {"sub/notes.md"}


def test_all_or_nothing(directory: Path, tmp_path: Path) -> None:
    source = tmp_path / "new.jsonl"
    source.write_text(fever_line("Graz") + "broken\n")
    assert isinstance(run("add", directory, source).exception, BadRecord)
    twice = fever_file(tmp_path / "twice.jsonl", {"Wels": ["A town ."], "Linz": ["A city ."]})
    assert isinstance(run("add", directory, twice).exception, InputError)
    assert isinstance(run("remove", directory, "Linz", "Atlantis").exception, NotFound)
    assert titles_in(directory) == {"Vienna", "Linz"}


def test_codes(directory: Path, tmp_path: Path) -> None:
    source = fever_file(tmp_path / "new.jsonl", {"Linz": ["A city ."]})
    already = feverfew("add", "--corpus", directory, source)
    assert already.returncode == 2
    assert "use 'feverfew replace'" in already.stderr
    assert feverfew("remove", "--corpus", directory, "Atlantis").returncode == 4
    assert feverfew("add", "--corpus", tmp_path / "nowhere", source).returncode == 3
    assert isinstance(run("add", tmp_path / "nowhere", source).exception, NotACorpus)
    assert feverfew("add", source).returncode == 2  # the sample cannot be changed
