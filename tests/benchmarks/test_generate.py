import io
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from feverfew.readers import Source, reader_for
from feverfew.text import display_title
from feverfew.types import Page

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import generate
import vocabulary
from shape import shape

sys.path.pop(0)

PAGES = generate.BLOCK  # of a whole block, every link leads somewhere


def made(pages: int, seed: int = 0) -> tuple[bytes, list[dict[str, Any]]]:
    out, claims = io.BytesIO(), io.BytesIO()
    generate.write(pages, out, claims, claims=60, seed=seed)
    return out.getvalue(), [json.loads(line) for line in claims.getvalue().splitlines()]


@pytest.fixture(scope="module")
def encyclopedia() -> tuple[bytes, list[dict[str, Any]]]:
    return made(PAGES)


def test_the_seed_decides_every_byte() -> None:
    assert made(300) == made(300)
    assert made(300)[0] != made(300, seed=1)[0]


def test_a_larger_one_begins_like_a_smaller_one() -> None:
    small, _ = made(200)
    large, _ = made(generate.BLOCK + 10)
    assert large.startswith(small)
    assert large.count(b"\n") == generate.BLOCK + 10


def test_our_reader_reads_every_page_as_fever(
    tmp_path: Path, encyclopedia: tuple[bytes, list[dict[str, Any]]]
) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_bytes(encyclopedia[0])
    source = Source(path, path.name)
    reader = reader_for(source)
    assert reader.name == "fever"
    pages = [reader.parse(record, source) for record in reader.records(source)]
    whole = [page for page in pages if isinstance(page, Page)]
    titles = {page.title for page in whole}
    assert len(titles) == len(whole) == len(pages) == PAGES
    links = [link for page in whole for _, link in page.links()]
    assert len(links) > PAGES
    assert {link.target for link in links} <= set(map(display_title, titles))


def test_titles_look_like_an_encyclopedia(
    encyclopedia: tuple[bytes, list[dict[str, Any]]],
) -> None:
    titles = [json.loads(line)["id"] for line in encyclopedia[0].splitlines()]
    lengths = Counter(title.count("_") + 1 for title in titles)
    assert set(lengths) >= {1, 2, 3, 4, 5}
    assert lengths.most_common(1)[0][0] == 2
    assert 0.05 < sum("-LRB-" in title for title in titles) / PAGES < 0.2
    assert any(not title.isascii() for title in titles)


def test_claims_speak_of_their_page(encyclopedia: tuple[bytes, list[dict[str, Any]]]) -> None:
    pages = {row["id"]: row for row in map(json.loads, encyclopedia[0].splitlines())}
    assert len(encyclopedia[1]) > 50
    for claim in encyclopedia[1]:
        ((_, _, title, line),) = claim["evidence"][0]
        sentence = pages[title]["lines"].split("\n")[line].split("\t")[1]
        name = title.partition("_-LRB-")[0].replace("_", " ")
        assert claim["claim"].startswith(name)
        said = claim["claim"].removeprefix(name).rstrip(".").split()[1:]
        assert len(set(said) & set(sentence.replace("-LRB- ", "(").split())) >= len(set(said)) / 2


def test_the_shape_is_that_of_real_text(
    encyclopedia: tuple[bytes, list[dict[str, Any]]],
) -> None:
    found = shape(encyclopedia[0].splitlines(keepends=True))
    assert 90 < found["words a page"] < 120
    assert 4.5 < found["sentences a page"] < 5.5
    assert 0.38 < found["share of the top 100 words"] < 0.48
    assert 0.45 < found["growth of distinct words, exponent"] < 0.75


def test_frequencies_fall_as_zipf_says() -> None:
    ranks = vocabulary.Words().draw(np.random.default_rng(0), 400_000)
    counts = np.bincount(np.minimum(ranks, 20_000), minlength=20_001)
    assert counts[1] > 1.5 * counts[2] > 2 * counts[5]
    decade = counts[100:200].sum() / counts[1_000:1_100].sum()
    assert 4 < decade < 9
    assert ranks.max() > 1_000_000


def test_no_two_numbers_are_spelled_alike() -> None:
    for syllables in (2, 3):
        numbers = np.arange(16_000, dtype=np.int64)
        assert len(set(vocabulary.spell(numbers, syllables))) == 16_000
