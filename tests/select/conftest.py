"""A corpus of a few pages that tell two-page claims, pronouns and distractors apart."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from feverfew.corpus import Corpus
from feverfew.corpus.build import build

PAGES = {
    "Harbour_Lights_-LRB-film-RRB-": [
        "Harbour Lights is a 1931 drama film directed by Ada Quill .",
        "It stars Peter Nolan and Rosa Tamm .",
        "The film was shot in Tallinn in eleven weeks .",
    ],
    "Ada_Quill": [
        "Ada Quill was an Estonian director and painter .",
        "She was born in Tartu on 4 May 1899 .",
        "Her last film was never shown .",
    ],
    "Tartu": ["Tartu is the second largest city of Estonia .", "It lies on the river Emajõgi ."],
    "Harbour": ["A harbour is a sheltered body of water .", "Ships are moored in it ."],
    "Silent_film": ["A silent film has no recorded sound .", "Actors mime in it ."],
    "Peter_Nolan": ["Peter Nolan is an Irish actor .", "He was born in Cork in 1902 ."],
}


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder: Path = tmp_path_factory.mktemp("select")
    source = folder / "pages.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for title, sentences in PAGES.items():
            lines = "\n".join(f"{number}\t{text}" for number, text in enumerate(sentences))
            row = {"id": title, "text": " ".join(sentences), "lines": lines}
            file.write(json.dumps(row) + "\n")
    build([source], folder / "small.corpus", workers=0)
    with Corpus.open(folder / "small.corpus") as corpus:
        yield corpus
