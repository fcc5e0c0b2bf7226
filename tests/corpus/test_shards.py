"""A corpus in shards is the same corpus: names, links, search, changes, resuming."""

import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feverfew.corpus import Corpus
from feverfew.corpus.build import Progress, build
from feverfew.corpus.folders import refresh
from feverfew.corpus.fsck import fsck
from feverfew.corpus.update import add, remove, replace
from feverfew.errors import CorpusDamaged, InputError
from feverfew.types import Redirect
from making import fever_file, feverfew, many_pages, page

COUNTS = (1, 2, 5)
WORDS = ["amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heath", "isle", "jade"]
PAGES = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join),
        st.lists(st.sampled_from([*WORDS, "Amber", "Birch Cedar"]), min_size=1, max_size=9),
    ),
    min_size=1,
    max_size=24,
)


def scores(corpus: Corpus, words: list[str], limit: int = 8) -> list[tuple[str, float]]:
    hits = corpus.text.search(words, limit, title_weight=2.0)
    titles = corpus.store.titles(number for number, _ in hits)
    return [(titles[number], round(score, 4)) for number, score in hits]


def same_but_for_ties(one: list[tuple[str, float]], other: list[tuple[str, float]]) -> bool:
    """Compare hits; of several that score as the last one does, either list may have any."""
    if [score for _, score in one] != [score for _, score in other]:
        return False
    last = one[-1][1] if one else 0.0
    return {hit for hit in one if hit[1] > last} == {hit for hit in other if hit[1] > last}


@settings(max_examples=4, deadline=None)
@given(pages=PAGES, chance=st.randoms(use_true_random=False))
def test_any_number_of_shards_is_the_same_corpus(
    tmp_path_factory: pytest.TempPathFactory,
    pages: list[tuple[str, list[str]]],
    chance: random.Random,
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    source = fever_file(folder / "pages.jsonl", {t: [" ".join(w) + " ."] for t, w in pages})
    made = [
        Corpus.build([source], folder / f"{n}.corpus", shards=n, workers=0, link_mentions=True)
        for n in COUNTS
    ]
    one, *others = made
    for other in others:
        assert (len(other), other.fingerprint) == (len(one), one.fingerprint)
        assert [p.title for p in other] == [p.title for p in one]
        assert other.links.counts() == one.links.counts()
        for title, _ in pages:
            assert other.page(title) == one.page(title)
            assert other.links_of(title) == one.links_of(title)
        for _ in range(5):
            words = chance.sample(WORDS, 3)
            limit = chance.choice([1, 3, 30])
            assert same_but_for_ties(scores(other, words, limit), scores(one, words, limit))
    for corpus in made:
        corpus.close()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fever_file(tmp_path_factory.mktemp("sources") / "pages.jsonl", many_pages(40))


def test_changes_are_those_of_one_corpus(sources: Path, tmp_path: Path) -> None:
    """After each change, search, links and fingerprint are what they are without shards."""
    titles = [title.replace("-LRB-", "(").replace("-RRB-", ")") for title in many_pages(40)]
    found = []
    for shards in (1, 3):
        path = tmp_path / f"{shards}.corpus"
        Corpus.build([sources], path, shards=shards, workers=0, link_mentions=True).close()
        states: list[tuple[object, ...]] = []
        add(path, [Redirect("Elsewhere", titles[3]), page("Newcomer", "A quorl own3word .")])
        replace(path, [page(titles[3], "A quorl is new ."), page(titles[4], "Newcomer came .")])
        replace(path, [page(titles[3], "A quorl is newer .")])
        for change in (
            partial(remove, path, [titles[5], titles[3]]),
            partial(add, path, [page(titles[5], "It came back with own7word .")]),
        ):
            with Corpus.open(path) as corpus:
                states.append(
                    (
                        len(corpus),
                        corpus.fingerprint,
                        len(corpus.text),
                        corpus.links.counts(),
                        scores(corpus, ["quorl", "own7word", "own5word", "newer"]),
                        corpus.links_of("Newcomer"),
                        "Elsewhere" in corpus and corpus.page("Elsewhere").blocks,
                        sorted(p.title for p in corpus),
                    )
                )
            change()
            assert fsck(path) == []
        with Corpus.open(path) as corpus:
            states.append((len(corpus), corpus.fingerprint, scores(corpus, ["own7word"])))
        found.append(states)
    assert found[0] == found[1]
    assert found[0][0][6] == (page("", "A quorl is newer .").blocks)


def test_whoever_opened_it_before_sees_what_was_there(sources: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.corpus"
    with Corpus.build([sources], path, shards=2, workers=0) as before:
        titles = [p.title for p in before]
        replace(path, [page(titles[0], "Changed .")])
        remove(path, [titles[1]])
        assert [p.title for p in before] == titles
        assert before.page(titles[0]).blocks != page("", "Changed .").blocks
        assert before.text.search(["own1word"], 5)
        with before.reload() as after:
            assert titles[1] not in after
            assert after.page(titles[0]).blocks == page("", "Changed .").blocks
            assert after.text.search(["own1word"], 5) == []


class Cut(Exception):
    """What stands for a power cut."""


@pytest.mark.parametrize("chunks", [1, 2])
def test_a_build_of_shards_resumes(tmp_path: Path, chunks: int) -> None:
    source = fever_file(tmp_path / "pages.jsonl", many_pages(1_300))
    left = chunks

    def cut(_: Progress) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Cut

    with pytest.raises(Cut):
        build(
            [source],
            tmp_path / "cut.corpus",
            shards=3,
            workers=0,
            checkpoint_seconds=0,
            on_progress=cut,
        )
    with pytest.raises(InputError, match="in another way"):
        build([source], tmp_path / "cut.corpus", workers=0, resume=True)
    build([source], tmp_path / "cut.corpus", shards=3, workers=0, resume=True)
    whole = Corpus.build([source], tmp_path / "whole.corpus", workers=0)
    with whole, Corpus.open(tmp_path / "cut.corpus") as corpus:
        assert (len(corpus), corpus.fingerprint) == (1_300, whole.fingerprint)
        assert scores(corpus, ["own900word"]) == scores(whole, ["own900word"])
    assert fsck(tmp_path / "cut.corpus") == []


def test_a_damaged_shard_is_seen(sources: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.corpus"
    Corpus.build([sources], path, shards=2, workers=0).close()
    (shard,) = path.glob("g-*/shard-1/pages.sqlite")
    data = bytearray(shard.read_bytes())
    data[len(data) // 2] ^= 1
    shard.write_bytes(data)
    with pytest.raises(CorpusDamaged, match=r"shard-1/pages\.sqlite has changed"):
        Corpus.open(path)
    assert "shard-1/pages.sqlite has changed" in fsck(path)


def test_a_corpus_keeps_its_shards_unless_told(sources: Path, tmp_path: Path) -> None:
    path = tmp_path / "kept.corpus"
    shown = feverfew("index", sources, "-o", path, "--shards", "2", "--workers", "0")
    assert shown.returncode == 0, shown.stderr
    assert '"shards":2' in feverfew("info", "--corpus", path, "--json").stdout
    again = refresh([sources], path, workers=0)
    assert again.built is None
    assert again.unchanged == 1
    assert refresh([sources], path, workers=0, rebuild=True).built is not None
    with Corpus.open(path) as corpus:
        assert corpus.manifest.shards == 2
    assert refresh([sources], path, workers=0, shards=1).built is not None
    with Corpus.open(path) as corpus:
        assert (corpus.manifest.shards, corpus.manifest.format) == (1, 2)
