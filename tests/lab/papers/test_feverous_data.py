"""FEVEROUS's claims and pages from the files at hand: made, indexed, split, left out."""

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from feverfew.cli.main import cli
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.lab.papers.cache import Cache
from feverfew.lab.papers.dataset import PaperDataset
from feverfew.lab.papers.feverous_data import EXTRA, main, page_of, real_claims, sentence_rows
from feverfew.lab.train.datasets import is_feverous_test
from feverfew.types import Kind, Ref, Verdict

TITLES = [f"Town {n}" for n in range(150)]


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pack = lzma.open if path.suffix == ".xz" else gzip.open
    with pack(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


def sentence_claim(number: int, title: str) -> dict[str, Any]:
    return {
        "id": number,
        "claim": f"{title} lies on a river and has {number} mills.",
        "label": "supports" if number % 2 else "refutes",
        "evidence": f"{title}\tIt lies on a [[Rivers|river]].\n{title}\tIt has {number} mills.",
        "gold_ids_last_set": [f"{title}_sentence_2", f"{title}_sentence_7"],
    }


def answer(number: int, title: str) -> dict[str, Any]:
    rows = [["Year", "Mayor"], ["1901", f"Anne {number}"], ["1902", f"Bert {number}"]]
    return {
        "table_page_title": title,
        "table_section_title": "Mayors",
        "table_array": rows,
        "highlighted_cell_ids": [[1, 0], [1, 1]],
        "question": "Who?",
        "answer": f"In 1901 the mayor of {title} was Anne {number}.",
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    claims = [sentence_claim(n, title) for n, title in enumerate(TITLES)]
    claims.append({**claims[0], "id": 99, "gold_ids_last_set": ["Town 0_sentence_2"]})
    write(folder / "feverous/sentence_claims.jsonl.gz", claims)
    labels = [
        {"claim": "A.", "label": "SUPPORTS", "gold_content_last_set": ["P_sentence_0"]},
        {"claim": "B.", "label": "NOT ENOUGH INFO", "gold_content_last_set": ["P_cell_0_0_1"]},
        {"claim": "C.", "label": "REFUTES", "gold_content_last_set": ["nothing"]},
    ]
    write(folder / "feverous/claim_ids.jsonl.gz", labels)
    write(folder / "tables/fetaqa.jsonl.gz", [answer(n, t) for n, t in enumerate(TITLES)])
    write(folder / "tables/tabfact_tables.jsonl.gz", [])
    table = {"title": TITLES[0], "uid": "t", "section_title": "Mills", "header": [["Mill", []]]}
    write(folder / "wiki/tables.jsonl.gz", [{**table, "data": [[["Upper mill", []]]]}])
    lines = "0\tTown 1 is a town .\n1\tIt has 1 mills .\n2\t"
    intro = {"id": "Town_1", "text": "", "lines": lines}
    write(folder / "wiki/intros.jsonl.xz", [intro, {"id": "Other", "text": "", "lines": "0\tNo ."}])
    return folder


@pytest.fixture(scope="module")
def corpus(data: Path) -> Corpus:
    source = data / "feverous.jsonl"
    done = CliRunner().invoke(main, ["--data", str(data), "-o", str(source)])
    assert done.exit_code == 0, done.output
    return Corpus.build([source], data / "feverous.corpus")


def test_pages_hold_gold_sentences_at_their_numbers_and_tables(corpus: Corpus) -> None:
    assert len(corpus) == len(TITLES)
    assert corpus.element(Ref.sentence("Town 1", 2)) == "It lies on a river."
    assert corpus.element(Ref.parse("Town 1_cell_0_1_1")) == "Anne 1"
    page = corpus.page("Town 1")
    # The introduction comes first; what it says again is left out.
    assert [s.index for s in page.sentences] == [EXTRA, 2, 7]
    assert page.sentences[0].text == "Town 1 is a town."
    assert corpus.element(Ref.parse("Town 0_cell_0_1_0")) == "Upper mill"
    assert corpus.element(Ref.parse("Town 0_cell_1_1_1")) == "Anne 0"


def test_a_first_sentence_that_is_gold_stays_first() -> None:
    page = page_of("T", {0: "It is one.", 5: "It is five."}, ["Something else entirely here."], [])
    assert page["order"] == ["sentence_0", f"sentence_{EXTRA}", "sentence_5"]


def test_sentences_without_a_number_each_are_left_out(data: Path) -> None:
    rows = list(sentence_rows(data))
    assert len(rows) == len(TITLES)
    assert rows[3].gold[1] == (Ref.sentence("Town 3", 7), "It has 3 mills.")
    assert rows[3].supported


def test_parts_share_no_page_and_reported_ones_are_aside(data: Path, corpus: Corpus) -> None:
    parts = {
        name: real_claims(name, data, corpus)
        for name in ("feverous", "feverous-training", "feverous-tuning")
    }
    said = {
        name: {c.group for c in own if c.evidence[0][0].kind is Kind.SENTENCE}
        for name, own in parts.items()
    }
    assert said["feverous"] == {title for title in TITLES if is_feverous_test(title)}
    assert set().union(*said.values()) == set(TITLES)
    assert sum(map(len, said.values())) == len(TITLES)
    shown = [[c for c in own if c.evidence[0][0].kind is Kind.CELL] for own in parts.values()]
    groups = [{c.group for c in own} for own in shown]
    assert groups[0].isdisjoint(groups[1] | groups[2])
    assert groups[1].isdisjoint(groups[2])
    labels = [c.label for own in shown for c in own]
    assert {Verdict.SUPPORTED, Verdict.REFUTED} == set(labels)
    for claim in (c for own in shown for c in own):
        mayor = corpus.element(claim.evidence[0][1])
        assert (mayor in claim.text and "1901" in claim.text) == (claim.label is Verdict.SUPPORTED)


def test_open_claims_are_made_of_supported_ones(data: Path, corpus: Corpus) -> None:
    before = {str(c.id): c for c in real_claims("feverous", data, corpus)}
    after = real_claims("feverous-verdicts", data, corpus)
    assert len(after) == len(before)
    changed = [c for c in after if c.label is Verdict.NOT_ENOUGH_INFO]
    assert changed
    for claim in changed:
        old = before[str(claim.id).removesuffix("-open")]
        assert claim.id != old.id
        assert old.label is Verdict.SUPPORTED
        assert len(claim.evidence[0]) < len(old.evidence[0])


def test_labels_need_no_page(data: Path, corpus: Corpus, tmp_path: Path) -> None:
    world = PaperDataset(data, corpus, Cache(tmp_path, lambda _: None))
    found = world.claims("feverous-labels")
    assert [c.label for c in found.claims] == [Verdict.SUPPORTED, Verdict.NOT_ENOUGH_INFO]
    assert found.task == "feverous"
    assert not found.whole


def test_a_corpus_without_the_pages_is_told(
    data: Path, corpus: Corpus, sample: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="feverous_data"):
        real_claims("feverous", data, sample)
    lacking, whole = (
        PaperDataset(data, c, Cache(tmp_path, lambda _: None)) for c in (sample, corpus)
    )
    assert "feverous_data" in lacking.lacks("feverous")
    assert lacking.lacks("feverous-labels") == lacking.lacks("hover") == ""
    assert whole.lacks("feverous-verdicts") == ""


def test_claims_whose_sentences_say_something_else_are_left_out(
    data: Path, corpus: Corpus, tmp_path: Path
) -> None:
    first = next(c for c in real_claims("feverous", data, corpus) if isinstance(c.id, int))
    lines = (data / "feverous.jsonl").read_text("utf-8").splitlines()
    pages = [json.loads(line) for line in lines]
    for page in pages:
        if page["title"] == first.group:
            page["sentence_7"] = "It says something else."
    source = tmp_path / "other.jsonl"
    source.write_text("\n".join(map(json.dumps, pages)), "utf-8")
    with Corpus.build([source], tmp_path / "other.corpus") as other:
        left = {c.id for c in real_claims("feverous", data, other)}
    assert first.id not in left
    assert left


def test_of_all_experiments_those_without_their_pages_are_left_out(
    data: Path, sample: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["feverous/table-3"]
    monkeypatch.setattr("feverfew.lab.papers.experiment.experiment_names", lambda: names)
    asked = ["reproduce", "--data", data, "--corpus", sample.path, "--cache", tmp_path]
    done = CliRunner().invoke(cli, [*map(str, asked), "--all"], catch_exceptions=False)
    assert "feverous/table-3: left out" in " ".join(done.stderr.split())
    with pytest.raises(InputError, match="feverous_data"):
        CliRunner().invoke(cli, [*map(str, asked), *names], catch_exceptions=False)
