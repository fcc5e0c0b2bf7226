"""Training the ranking: loss falls, weights change the output, the seed decides."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from feverfew.corpus import Corpus
from feverfew.errors import FeverfewError, InputError
from feverfew.lab.train.network import Group, Groups, fit, held_out, train_network
from feverfew.lab.train.related import learn_related
from feverfew.lab.train.selector import main, read_gold
from feverfew.models.network import Network
from feverfew.types import Ref


def groups(count: int, seed: int = 0) -> list[Group]:
    """Make claims whose gold row is the one with the highest difference of two features."""
    rng = np.random.default_rng(seed)
    made: list[Group] = []
    for _ in range(count):
        rows = rng.normal(size=(8, 3)).astype(np.float32)
        made.append((rows, np.arange(8) == np.argmax(rows[:, 0] - rows[:, 1])))
    return made


NAMES = ("a", "b", "noise")


def test_loss_falls_and_gold_comes_first() -> None:
    network, losses = train_network(Groups(groups(300), 3), Groups(groups(50, 1), 3), NAMES)
    assert losses[-1] < losses[0] / 2
    ranker = network.expect(NAMES)
    tests = groups(100, 2)
    right = [bool(gold[np.argmax(ranker.score_array(rows))]) for rows, gold in tests]
    assert np.mean(right) > 0.9


def test_the_seed_decides() -> None:
    sets = Groups(groups(80), 3), Groups(groups(20, 1), 3)
    once, _ = train_network(*sets, NAMES, epochs=2, seed=3)
    again, _ = train_network(*sets, NAMES, epochs=2, seed=3)
    other, _ = train_network(*sets, NAMES, epochs=2, seed=4)
    assert once == again != other


def test_lists_and_arrays_are_scored_alike() -> None:
    network, _ = train_network(Groups(groups(80), 3), Groups(groups(20, 1), 3), NAMES, epochs=2)
    ranker = network.expect(NAMES)
    rows, _ = groups(1, 5)[0]
    np.testing.assert_allclose(ranker.scores(rows.tolist()), ranker.score_array(rows), rtol=1e-5)
    assert ranker.scores([]) == []


def test_weights_of_other_features_are_refused() -> None:
    network, _ = train_network(Groups(groups(80), 3), Groups(groups(20, 1), 3), NAMES, epochs=1)
    with pytest.raises(FeverfewError, match="another version"):
        network.expect(("a", "b", "more"))


def test_claims_without_choice_teach_nothing() -> None:
    rows = np.zeros((2, 3), np.float32)
    empty = (np.zeros((0, 3), np.float32), np.zeros(0, bool))
    made = Groups([(rows, np.array([True, True])), empty, (rows, np.array([True, False]))], 3)
    assert [b.tolist() for b in made.batches(np.random.default_rng(0), 9)] == [[2]]


def test_the_split_is_by_page() -> None:
    held = [held_out(frozenset({f"Page {i}"})) for i in range(2_000)]
    assert 0.07 < np.mean(held) < 0.13
    assert held_out(frozenset({"A", "B"})) == held_out(frozenset({"A"}))


def test_gold_in_three_forms(small_corpus: Corpus, tmp_path: Path) -> None:
    rows = [
        {"claim": "one", "page": "Tartu", "line": 1},
        {"claim": "two", "evidence": [[[1, 2, "Tartu", 0], [1, 2, "Ada_Quill", 1]]]},
        {"claim": "three", "pages": ["Tartu"], "evidence_text": ["It lies on the river Emajõgi ."]},
        {"claim": "four", "pages": ["Nowhere"], "evidence_text": ["It lies ."]},
        {"claim": "five", "evidence": [[[1, None, None, None]]]},
        {"claim": "one", "page": "Tartu", "line": 0},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_gold(small_corpus, [path]) == {
        "one": {Ref.sentence("Tartu", 0), Ref.sentence("Tartu", 1)},
        "two": {Ref.sentence("Tartu", 0), Ref.sentence("Ada_Quill", 1)},
        "three": {Ref.sentence("Tartu", 1)},
    }


def test_the_command_writes_both_networks(small_corpus: Corpus, tmp_path: Path) -> None:
    gold = [
        ("Ada Quill was born in Tartu.", "Ada_Quill", 1),
        ("Tartu is a city.", "Tartu", 0),
        ("Harbour Lights stars Rosa Tamm.", "Harbour_Lights_-LRB-film-RRB-", 1),
        ("Peter Nolan is an actor.", "Peter_Nolan", 0),
        ("Actors mime in silent films.", "Silent_film", 1),
    ]
    assert held_out(frozenset({"Silent_film"}))
    rows = [{"claim": f"{c[:-1]} {i}.", "page": p, "line": n} for i in range(4) for c, p, n in gold]
    path, output = tmp_path / "gold.jsonl", tmp_path / "selector.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["--corpus", str(small_corpus.path), "--claims", str(path), "-o", str(output)]
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert set(json.loads(output.read_text())) == {"first", "second"}


def test_too_few_claims_are_refused() -> None:
    with pytest.raises(InputError, match="more pages"):
        fit(groups(5), [False] * 5, NAMES, seed=1)


def test_words_that_keep_company_are_related() -> None:
    people = [f"Person{chr(97 + i)}{chr(97 + j)}" for i in range(10) for j in range(10)]
    pairs = []
    for i, person in enumerate(people):
        if i % 2:
            pairs.append((f"{person} wrote much", f"In fact {person} is a novelist here {i}"))
        else:
            pairs.append((f"{person} sang much", f"In fact {person} is a vocalist here {i}"))
    table = learn_related(pairs * 2, common=0.6)
    assert max(table["wrote"], key=lambda word: table["wrote"][word]) == "novelist"
    assert max(table["sang"], key=lambda word: table["sang"][word]) == "vocalist"
    assert "vocalist" not in table["wrote"]
