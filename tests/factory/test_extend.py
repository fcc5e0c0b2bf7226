"""Claims of several pages, made by HoVer's two methods."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from feverfew.corpus import Corpus
from feverfew.factory.extend import Chain, Extender, extend_corpus, main, shape
from feverfew.factory.relations import called, clauses
from feverfew.lab.train.rankers import gold_pages
from feverfew.types import Ref, Verdict
from making import made

PAGES = {
    "Alpha_Song": ["Alpha Song is a film directed by Berta Quill ."],
    "Berta_Quill": ["Berta Quill was born in Corvan in 1901 ."],
    "Gamma_Show": ["Gamma Show is a film starring Berta Quill ."],
    "Dresh": ["Dresh is a town in Corvan ."],
    "Echo_Opera": ["Echo Opera is an opera based on the novel Alpha Song ."],
    "Corvan": ["Corvan is a land ."],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with Corpus.open(made(tmp_path, PAGES)) as opened:
        yield opened


def begun(corpus: Corpus, label: Verdict = Verdict.SUPPORTED) -> tuple[Extender, Chain]:
    extender = Extender(corpus, random.Random(1), ())
    claim = "Berta Quill was born in Corvan."
    chain = extender.start(claim, label, Ref.sentence("Berta_Quill", 0))
    assert chain is not None
    return extender, chain


def test_the_names_that_may_be_replaced_are_known_by_their_method(corpus: Corpus) -> None:
    _, chain = begun(corpus)
    assert [(name.text, name.method) for name in chain.names] == [
        ("Berta Quill", 1),
        ("Corvan", 2),
    ]


def test_a_name_becomes_what_another_page_says_of_it(corpus: Corpus) -> None:
    extender, chain = begun(corpus, Verdict.REFUTED)
    found = list(extender.longer(chain, 4))
    assert [len(longer.pages) for longer in found] == [2, 3, 4]
    assert found[-1].claim == (
        "The director of the work that Echo Opera is based on was born in the place in which "
        "Dresh lies."
    )
    assert {ref.page for ref in found[-1].facts} == {
        "Alpha_Song",
        "Berta_Quill",
        "Dresh",
        "Echo_Opera",
    }
    assert shape(found[-1]) == "chain"
    assert sorted(found[-1].methods) == [1, 1, 2]


def test_what_fits_others_too_is_said_of_supported_claims_only(corpus: Corpus) -> None:
    for label, actor in ((Verdict.SUPPORTED, True), (Verdict.REFUTED, False)):
        said = set()
        for seed in range(12):
            extender = Extender(corpus, random.Random(seed), ())
            _, chain = begun(corpus, label)
            said |= {longer.claim for longer in extender.longer(chain, 2)}
        assert ("An actor in Gamma Show was born in Corvan." in said) is actor


def test_pages_that_the_claims_own_name_and_those_kept_apart_are_left_out(tmp_path: Path) -> None:
    named = {**PAGES, "Berta_Quill": ["Berta Quill of Alpha Song was born in Corvan in 1901 ."]}
    with Corpus.open(made(tmp_path, named)) as corpus:
        extender = Extender(corpus, random.Random(1), {"Dresh", "Gamma Show"})
        _, chain = begun(corpus)
        assert extender.extend(chain) is None


def test_three_pages_around_one_are_a_star(corpus: Corpus) -> None:
    _, chain = begun(corpus)
    around = Chain(
        claim="", label=chain.label, facts=(), pages=(1, 2, 3, 4), names=(),
        edges=((0, 1), (0, 2), (0, 3)),
    )  # fmt: skip
    assert shape(around) == "star"
    assert shape(chain) == "single"


@pytest.mark.parametrize(
    ("sentence", "title", "name", "said"),
    [
        ("M is a film directed by Fritz Lang.", "M_-LRB-film-RRB-", "Fritz Lang", "the film M"),
        ("M is a film directed by Fritz Lang and Thea.", "M", "Fritz Lang", None),
        ("M is a novel adapted into a film directed by Fritz Lang.", "M", "Fritz Lang", None),
        ("Another film was directed by Fritz Lang.", "M", "Fritz Lang", None),
        ("He descended from Max, who was born in Linz.", "Ada", "Linz", None),
        ("She was born in Rome and lived in Linz.", "Ada", "Linz", None),
        ("She was born in Linz, Austria.", "Ada", "Linz", "Ada"),
    ],
)
def test_only_a_safe_sentence_describes(
    sentence: str, title: str, name: str, said: str | None
) -> None:
    found = [clause.text for clause in clauses(sentence, title, [name])]
    assert bool(found) is (said is not None)
    assert all(text.endswith(str(said)) for text in found)


def test_a_page_is_named_with_what_its_parenthesis_says() -> None:
    assert called("Savages_-LRB-2012_film-RRB-") == "the 2012 film Savages"
    assert called("Vienna") == "Vienna"


def test_the_sample_gives_claims_whose_sentences_are_there(sample: Corpus) -> None:
    found = list(extend_corpus(sample, 3, seed=1))
    assert found
    for chain in found:
        assert len(chain.pages) == len({ref.page for ref in chain.facts}) >= 2
        assert all(sample.element(ref) for ref in chain.facts)
        assert len(chain.edges) == len(chain.methods) == len(chain.pages) - 1


def test_claims_are_written_as_hover_and_training_read_them(corpus: Corpus, tmp_path: Path) -> None:
    output = tmp_path / "chains.jsonl"
    asked = ["--corpus", corpus.path, "-o", output, "--count", 2, "--hops", 2, "--hops", 3]
    done = CliRunner().invoke(main, list(map(str, asked)))
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert rows
    assert all(row["label"] in ("SUPPORTED", "NOT_SUPPORTED") for row in rows)
    assert all(row["num_hops"] == len(row["pages"]) in (2, 3) for row in rows)
    assert {pages for _, pages in gold_pages([output])} == {frozenset(r["pages"]) for r in rows}


def test_pages_of_claims_to_measure_on_are_left_out(corpus: Corpus, tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    asked = ["--corpus", str(corpus.path), "--count", "2", "--hops", "2"]
    assert CliRunner().invoke(main, [*asked, "-o", str(first)]).exit_code == 0
    used = {page for line in first.read_text().splitlines() for page in json.loads(line)["pages"]}
    assert used
    done = CliRunner().invoke(main, [*asked, "-o", str(second), "--apart-from", str(first)])
    assert done.exit_code == 0, done.output
    for line in second.read_text().splitlines():
        assert used.isdisjoint(json.loads(line)["pages"])


def test_no_team_stands_where_a_place_must(tmp_path: Path) -> None:
    pages = {
        "Berta_Quill": ["Berta Quill was born in Corvan in 1901 ."],
        "Fenn_Oak": ["Fenn Oak played for Corvan ."],
        "Corvan": ["Corvan is a land ."],
    }
    with Corpus.open(made(tmp_path, pages)) as corpus:
        extender, chain = begun(corpus)
        assert extender.extend(chain) is None
        other = Extender(corpus, random.Random(1), {"Berta Quill"})
        beaten = other.start("Corvan was beaten.", chain.label, Ref.sentence("Corvan", 0))
        assert beaten is not None
        longer = other.extend(beaten)
    assert longer is not None
    assert longer.claim == "A team that Fenn Oak played for was beaten."
