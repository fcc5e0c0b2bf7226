"""Data sets are made whole: the same bytes from the same recipe, sound, and described truly."""

import json
import warnings
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from factory.world import pages
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.factory.check import check
from feverfew.factory.make import Job, make
from feverfew.factory.pairs import make_pairs
from feverfew.factory.recipe import Recipe
from feverfew.lab.train.pairs import read_pairs
from feverfew.readers.claims import read_claims
from making import made

pytest.importorskip("pyarrow", reason="needs the extra: feverfew[croissant]")
RECIPE = b"""
name = "little"
kind = "fever"
claims = 150
[splits]
train = 0.6
dev = 0.2
test = 0.2
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("world"), pages())


@pytest.fixture(scope="module")
def data_set(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("made") / "fever"
    make(job(corpus, output))
    return output


def job(corpus: Path, output: Path, *, workers: int = 1, recipe: bytes = RECIPE) -> Job:
    read = msgspec.toml.decode(recipe, type=Recipe)
    return Job.of(read, Path("little.toml"), output, corpus, workers)


def digests(output: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((output / "manifest.json").read_text())
    return found


def test_the_same_bytes_on_any_number_of_workers(
    corpus: Path, data_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feverfew.factory.sources._CHUNK", 60)
    make(job(corpus, tmp_path / "two", workers=2))
    assert digests(tmp_path / "two") == digests(data_set)


def test_a_second_run_reads_nothing_again(
    corpus: Path, data_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests(data_set)

    def refuse(*_: object) -> None:
        raise AssertionError("pages were read again")

    monkeypatch.setattr("feverfew.factory.sources.Workers", refuse)
    said: list[str] = []
    make(job(corpus, data_set), said.append)
    assert "claims are kept from an earlier run" in said
    assert digests(data_set) == before


def test_what_was_made_is_sound(corpus: Path, data_set: Path) -> None:
    with Corpus.open(corpus) as opened:
        checked = check([data_set], opened)
    assert checked.sound
    assert checked.format == "fever"
    assert [p.name for p in checked.problems] == []
    assert all(not one.groups and not one.claims for one in checked.overlaps)


def test_the_blind_part_is_apart(data_set: Path) -> None:
    rows = [
        json.loads(line) for line in (data_set / "official/test.jsonl").read_text().splitlines()
    ]
    assert rows
    assert all(set(row) == {"id", "claim"} for row in rows)
    gold = list(read_claims(data_set / "blind/test.jsonl"))
    assert [claim.id for claim in gold] == [row["id"] for row in rows]
    assert (data_set / "blind/test.jsonl").stat().st_mode & 0o077 == 0
    hidden = {str(row["id"]) for row in rows}
    for path in ("beir/queries.jsonl", "provenance/train.jsonl", "provenance/dev.jsonl"):
        rows = [json.loads(line) for line in (data_set / path).read_text().splitlines()]
        assert not {str(row.get("_id") or row.get("id")) for row in rows} & hidden


def test_figures_of_the_card_are_those_of_the_files(data_set: Path) -> None:
    card = (data_set / "README.md").read_text()
    for name in ("train", "dev"):
        claims = list(read_claims(data_set / f"official/{name}.jsonl"))
        counts = Counter(str(claim.label.value) for claim in claims if claim.label)
        figures = " | ".join(str(counts[label]) for label in sorted(counts))
        assert f"| {name} | {len(claims)} | {figures} |" in card


def test_croissant_is_valid_and_reads_the_records(data_set: Path) -> None:
    croissant = pytest.importorskip("mlcroissant", reason="needs the extra: feverfew[croissant]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a library that it uses
        described = croissant.Dataset(jsonld=str(data_set / "croissant.json"))
        assert not described.metadata.ctx.issues.errors
        first = next(iter(described.records("dev")))
    assert first["dev/claim"].decode().endswith(".")


def test_parquet_and_beir_hold_the_same_claims(data_set: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(data_set / "data/dev-00000-of-00001.parquet").to_pylist()
    official = list(read_claims(data_set / "official/dev.jsonl"))
    assert [row["claim"] for row in table] == [claim.text for claim in official]
    lines = (data_set / "beir/qrels/dev.tsv").read_text().splitlines()[1:]
    relevant = {(query, page) for query, page, _ in (line.split("\t") for line in lines)}
    assert relevant == {
        (str(claim.id), ref.page) for claim in official for one in claim.evidence for ref in one
    }


@pytest.mark.parametrize("name", ["fever", "feverous", "hover"])
def test_the_shipped_recipes_run_on_the_sample(name: str, tmp_path: Path) -> None:
    recipe = Recipe.read(Path(name))
    with Corpus.sample() as sample:
        path = sample.path
    done = make(Job.of(recipe, Path(name), tmp_path, path, 1))
    assert done.drafted >= 12
    assert check([tmp_path]).format == name


def test_own_pairs_can_be_trained_on(tmp_path: Path) -> None:
    skills = ("bounds", "lifespan", "quantifiers")
    recipe = msgspec.structs.replace(Recipe.read(Path("own")), claims=30, skills=skills)
    with Corpus.sample() as sample:
        path = sample.path
    counts = make_pairs(Job.of(recipe, Path("own"), tmp_path, path, 1))
    assert min(counts.values()) > 0
    train, held_out = (
        list(read_pairs(tmp_path / f"{name}.jsonl")) for name in ("train", "held_out")
    )
    assert train
    assert held_out
    texts = [{pair.evidence for pair in own} for own in (train, held_out)]
    assert not texts[0] & texts[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\nkind = "fever"\nclaims = 10\nclams = 3', "clams"),
        ('name = "x"\nkind = "other"\nclaims = 10', "other"),
        ('name = "x"\nkind = "fever"\nclaims = 10\n[splits]\ntrain = 0.9', "add up to 1"),
        ('name = "a b"\nkind = "fever"\nclaims = 10', "letters"),
    ],
)
def test_a_wrong_recipe_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        Recipe.read(path)


def test_an_unknown_recipe_lists_those_that_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="fever, feverous, hover, own"):
        Recipe.read(tmp_path / "none.toml")
