"""A handle serves the state that it opened, whatever others do to the corpus meanwhile."""

import sqlite3
from pathlib import Path

import pytest

from feverfew.corpus import Corpus, pages, update
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.errors import CorpusChanged
from making import fever_file, made, page

PAGES = {
    "Alpha": ["Alpha is the first letter ."],
    "Beta": ["Beta is the second letter ."],
    "Gamma": ["Gamma is the third letter ."],
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return made(tmp_path, PAGES)


def everything(corpus: Corpus) -> dict[str, object]:
    """What a handle says, by every way to ask it."""
    store, numbers = corpus.store, range(1, 10)
    return {
        "pages": [(p.title, tuple(s.text for s in p.sentences)) for p in corpus],
        "count": len(corpus),
        "fingerprint": corpus.fingerprint,
        "generation": corpus.generation,
        "titles": store.titles(numbers),
        "all titles": list(store.all_titles()),
        "heads": store.heads(numbers),
        "one by one": [store.page(number) for number in numbers],
        "rows": list(store.rows()),
        "last": store.last_number(),
        "found": [n for n, _ in corpus.text.search(["letter"], 9)],
        "there": [title in corpus for title in ("Alpha", "Beta", "Delta")],
    }


def test_a_handle_keeps_what_it_opened(directory: Path) -> None:
    with Corpus.open(directory) as corpus:
        before = everything(corpus)
        update.replace(directory, [page("Alpha", "Alpha is a wolf.")])
        assert everything(corpus) == before
        update.replace(directory, [page("Alpha", "Alpha is a star.")])
        update.remove(directory, ["Beta"])
        update.add(directory, [page("Delta", "Delta is a letter.")])
        update.remove(directory, ["Gamma"])
        update.add(directory, [page("Gamma", "Gamma is back.")])
        assert everything(corpus) == before
        with corpus.reload() as newest:
            assert [p.title for p in newest] == ["Alpha", "Delta", "Gamma"]
            assert newest.page("Alpha").sentences[0].text == "Alpha is a star."
            assert newest.generation.endswith(".6")
            after = everything(newest)
            update.remove(directory, ["Delta"])
            assert everything(newest) == after
        assert everything(corpus) == before
    assert fsck(directory) == []


def test_a_build_leaves_open_handles_alone(directory: Path, tmp_path: Path) -> None:
    with Corpus.open(directory) as corpus:
        before = everything(corpus)
        source = fever_file(tmp_path / "other.jsonl", {"Omega": ["Omega is the last ."]})
        build([source], directory, workers=0)
        assert everything(corpus) == before
        with corpus.reload() as newest:
            assert [p.title for p in newest] == ["Omega"]
            assert newest.generation != corpus.generation


def test_links_stay_as_they_were(directory: Path) -> None:
    update.add(directory, [page("Delta", "It is unlike Alpha or Beta .")])
    with Corpus.open(directory) as first:
        assert first.links_of("Delta").out == ("Alpha", "Beta")
    with Corpus.open(directory) as corpus:
        update.replace(directory, [page("Delta", "It is unlike Gamma .")])
        assert corpus.links_of("Delta").out == ("Alpha", "Beta")
        with corpus.reload() as newest:
            assert newest.links_of("Delta").out == ("Gamma",)


def test_links_that_nobody_knew_are_found_as_they_were(directory: Path, tmp_path: Path) -> None:
    update.add(directory, [page("Delta", "It is unlike Alpha or Beta .")])
    with Corpus.open(directory) as corpus, Corpus.open(directory) as other:
        update.replace(directory, [page("Delta", "It is unlike Gamma .")])
        update.remove(directory, ["Beta"])
        assert corpus.links_of("Delta").out == ("Alpha", "Beta")
        source = fever_file(tmp_path / "other.jsonl", {"Omega": ["Omega is the last ."]})
        build([source], directory, workers=0)
        assert other.links_of("Delta").out == ("Alpha", "Beta")


def test_a_handle_knows_whether_it_is_the_newest(directory: Path, tmp_path: Path) -> None:
    with Corpus.open(directory) as corpus:
        assert corpus.is_newest()
        update.remove(directory, ["Beta"])
        assert not corpus.is_newest()
        with corpus.reload() as newest:
            assert newest.is_newest()
            build([tmp_path / "made.corpus.jsonl"], directory, workers=0)
            assert not newest.is_newest()


def test_what_was_replaced_long_ago_is_dropped_and_missed(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Corpus.open(directory) as old:
        update.remove(directory, ["Beta"])
        with Corpus.open(directory) as newer:
            monkeypatch.setattr(pages, "_KEPT_SECONDS", -1)
            update.remove(directory, ["Gamma"])
            monkeypatch.undo()
            with pytest.raises(CorpusChanged, match="reload"):
                old.page("Beta")
            with pytest.raises(CorpusChanged, match="reload"):
                newer.page("Gamma")
    (store,) = directory.glob("g-*/pages.sqlite")
    with sqlite3.connect(store) as sql:
        assert sql.execute("SELECT count(*) FROM retired").fetchone() == (0,)
    sql.close()
