"""The index of tables: every table is a text of its own, whatever becomes of its page."""

from pathlib import Path

from feverfew.corpus import Corpus
from feverfew.corpus.build import build
from feverfew.corpus.fsck import fsck
from feverfew.corpus.tables import FOLDER, TableWriter, entries_of, place_of, table_texts
from feverfew.corpus.update import add, remove, replace
from feverfew.types import Cell, Page, Section, Sentence, Table
from making import made, page


def table(index: int, *rows: tuple[str, ...], caption: str = "") -> Table:
    cells = tuple(
        tuple(Cell(r, c, text, r == 0) for c, text in enumerate(row)) for r, row in enumerate(rows)
    )
    return Table(index, cells, caption)


def rivers(*names: str) -> Page:
    rows = table(0, ("River", "Length"), *((name, "12 km") for name in names), caption="Waters")
    return Page("Tarn_-LRB-land-RRB-", (Section(0, "Nature"), rows))


def found(directory: Path, *words: str) -> list[tuple[int, int]]:
    with Corpus.open(directory) as corpus:
        if corpus.tables is None:
            return []
        weights = dict.fromkeys(words, 1.0)
        return [place_of(n) for n, _ in corpus.tables.weighed(weights, 10, budget=1000)]


def test_a_table_is_written_with_all_that_it_is_searched_by() -> None:
    (text,) = table_texts(rivers("Alva", "Alva", "Bergas"))
    assert sorted(text.split()) == sorted(
        ["tarn", "land", "nature", "water", "river", "length", "alva", "12", "km", "berga"]
    )


def test_a_corpus_without_tables_has_no_such_index(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Oslo": ["Oslo is a city."]})
    with Corpus.open(directory) as corpus:
        assert corpus.tables is None
    assert not list(directory.glob(f"g-*/{FOLDER}"))


def test_changes_reach_the_index(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Oslo": ["Oslo is a city."]})
    add(directory, [rivers("Alva")])
    assert found(directory, "alva") == [(2, 0)]
    two = Page("Tarn_-LRB-land-RRB-", (*rivers("Berga").blocks, table(1, ("Hill",), ("Corra",))))
    replace(directory, [two])
    assert found(directory, "alva") == []
    assert found(directory, "berga") == [(2, 0)]
    assert found(directory, "corra") == [(2, 1)]
    assert fsck(directory) == []
    remove(directory, ["Tarn (land)"])
    assert found(directory, "berga", "corra") == []
    assert fsck(directory) == []


def test_a_neighbour_keeps_its_tables(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Oslo": ["Oslo is a city."]})
    other = Page("Other", (table(0, ("Hill",), ("Dora",)),))
    add(directory, [rivers("Alva"), other, page("Bergen", "A city.")])
    remove(directory, ["Tarn (land)"])
    assert found(directory, "dora") == [(3, 0)]
    assert found(directory, "alva") == []


def test_a_lost_table_is_seen(tmp_path: Path) -> None:
    directory = made(tmp_path, {"Oslo": ["Oslo is a city."]})
    add(directory, [rivers("Alva")])
    (folder,) = directory.glob(f"g-*/{FOLDER}")
    writer = TableWriter(folder)
    writer.delete(2)
    writer.commit()
    writer.close()
    assert fsck(directory)


def test_what_an_interrupted_build_left_is_deleted(tmp_path: Path) -> None:
    writer = TableWriter(tmp_path / FOLDER)
    writer.delete_after(1)
    assert not (tmp_path / FOLDER).exists()
    writer.add([(1, ["alva"]), (2, []), (3, ["berga", "corra"])])
    writer.commit()
    writer.delete_after(1)
    writer.commit()
    writer.close()
    from feverfew.corpus.search import TextIndex

    index = TextIndex.open(tmp_path / FOLDER)
    assert [index.weighed({word: 1.0}, 5, budget=9) != [] for word in ("alva", "berga")] == [
        True,
        False,
    ]


def test_tables_of_a_built_corpus_are_found(tmp_path: Path) -> None:
    source = tmp_path / "prices.csv"
    source.write_text("Fruit,Price\nQuince,4\nMedlar,7\n")
    build([source], tmp_path / "made.corpus", workers=0)
    assert found(tmp_path / "made.corpus", "medlar") == [(1, 0)]
    assert fsck(tmp_path / "made.corpus") == []


def test_the_order_of_entries_is_that_of_the_tables() -> None:
    blocks = (Sentence(0, "A land."), table(4, ("a",)), Section(0, "B"), table(9, ("b",)))
    given = Page("Tarn", blocks)
    assert [entry.key for entry in entries_of(given)] == ["Tarn_table_4", "Tarn_table_9"]
