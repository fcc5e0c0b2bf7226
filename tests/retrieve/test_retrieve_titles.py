"""Titles: which of the mentioned pages come first."""

from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.retrieve import Titles
from making import made


def test_long_and_capitalised_names_come_first(tmp_path: Path) -> None:
    pages = ["Dog", "The Dog Days of Summer", "Summer", "Vienna"]
    directory = made(tmp_path, {title: ["A page ."] for title in pages})
    with Corpus.open(directory) as corpus:
        claim = "The Dog Days of Summer tells of summer in Vienna, not of a dog."
        found = [c.title for c in Titles(corpus).retrieve([claim], 10)[0]]
    assert found[0] == "The Dog Days of Summer"
    assert set(found) == set(pages)


def test_a_capital_tells_a_name_from_a_word(tmp_path: Path) -> None:
    with Corpus.open(made(tmp_path, {"Dog": ["A page ."], "Vienna": ["A page ."]})) as corpus:
        found = [c.title for c in Titles(corpus).retrieve(["a dog in Vienna"], 10)[0]]
    assert found == ["Vienna", "Dog"]
