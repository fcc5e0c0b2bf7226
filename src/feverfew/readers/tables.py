"""Read lists, and rows of keys and values, as tables.

A list is seen as FEVEROUS sees it, so that its items can be counted, ordered and compared: a row is
an item that has none below it, a column a depth of nesting; a parent item spans its rows, as a row
header does. (The paper writes it transposed: its rows are depths.)

Two columns are an infobox if the first reads like keys: all different, none a number, and either
under an empty header (or "Key", "Value"), or with a third of such as infoboxes use ("Born",
"Directed by"). So is a header above a single row: its columns are the keys.
"""

from collections.abc import Iterator, Mapping, Sequence

from feverfew.types import VIRTUAL_ROW, Cell, ItemList, Kind, ListItem, Ref, Table


class ListTable(Table, frozen=True, gc=False, array_like=True):
    """A table whose cells are a list's items: their rows are the items' numbers."""

    def ref(self, page: str, cell: Cell) -> Ref:
        """Address the item that a cell is."""
        return Ref(page, Kind.ITEM, (self.index, cell.row))


def list_table(listed: ItemList, heading: str = "") -> ListTable:
    """Make a table of a list; the heading above it says what its items are.

    >>> sides = (ListItem(0, "Side one"), ListItem(1, "So What", 1), ListItem(2, "Blues", 1))
    >>> for row in list_table(ItemList(0, sides), "Songs").rows:
    ...     print([(cell.row, cell.text, cell.row_span) for cell in row])
    [(-1, 'Songs', 1), (-1, 'Songs', 1)]
    [(0, 'Side one', 2), (1, 'So What', 1)]
    [(2, 'Blues', 1)]
    """
    items = [item for item in listed.items if item.text]
    depths = sorted({item.level for item in items})
    heads = tuple(Cell(VIRTUAL_ROW, column, heading, True) for column in range(len(depths)))
    return ListTable(listed.index, (heads, *_rows(items, depths)))


def _rows(items: list[ListItem], depths: list[int]) -> Iterator[tuple[Cell, ...]]:
    levels = [depths.index(item.level) for item in items]
    row: list[Cell] = []
    above: list[int] = []
    for at, (item, level) in enumerate(zip(items, levels, strict=True)):
        height = _height(levels, at)
        leaf = height == 0
        above = [other for other in above if other < level]
        # Where depths are left out, the places between are empty.
        between = range(above[-1] + 1 if above else 0, level)
        row += [Cell(VIRTUAL_ROW, column, "", row_span=max(height, 1)) for column in between]
        row.append(Cell(item.index, level, item.text, not leaf, max(height, 1)))
        above.append(level)
        if leaf:
            row += [Cell(VIRTUAL_ROW, column, "") for column in range(level + 1, len(depths))]
            yield tuple(row)
            row = []


def _height(levels: list[int], at: int) -> int:
    """Count the rows that an item covers: the items below it with none below themselves."""
    count, place = 0, at + 1
    while place < len(levels) and levels[place] > levels[at]:
        count += place + 1 == len(levels) or levels[place + 1] <= levels[place]
        place += 1
    return count


TITLE = "title"
"""The key that names what an infobox is about."""
_KEY_HEADS = frozenset(("", "key", "field", "attribute", "property", "parameter"))
_VALUE_HEADS = frozenset(("", "value", "values", "details"))
_LONGEST_KEY = 60
_USUAL_SHARE, _USUAL_LEAST = 1 / 3, 2
_WRITTEN = """
born, birth name, birth date, birth place, died, death date, death place, website, years active,
occupation, occupation(s), country, genre, genres, label, labels, spouse, spouse(s), children,
parents, parent(s), relatives, partner(s), associated acts, type, language, directed by,
produced by, written by, screenplay by, story by, based on, starring, music by, cinematography,
edited by, production company, production companies, distributed by, release date, running time,
budget, box office, length, origin, released, recorded, studio, producer, producer(s), artist,
location, nationality, citizenship, residence, alma mater, education, instruments, known for,
also known as, other names, nickname, nickname(s), dimensions, medium, founded, founder,
founded by, established, headquarters, owner, industry, products, key people,
number of employees, area served, traded as, manufacturer, introduced, coordinates, elevation,
area, population, density, time zone, government, president, prime minister, mayor, capital,
official languages, demonym, demonym(s), currency, region, province, state, city, postal code,
area code(s), motto, legislature, political party, predecessor, successor, preceded by,
succeeded by, in office, resting place, cause of death, awards, fields, institutions,
doctoral advisor, height, weight, colour, color, colors, sex, species, breed, sire, dam, religion,
net worth, country of origin, former names, publisher, publication date, author, isbn, pages,
series, album, students, undergraduates, postgraduates, academic staff, campus, mascot, venue,
dates, status, songwriter(s), format, reign, subsidiaries, parent, full name, position, team,
national team, club, league
"""
_USUAL = frozenset(" ".join(key.split()) for key in _WRITTEN.split(","))


def as_infobox(rows: Sequence[Sequence[str]], caption: str = "") -> Table | None:
    """Read rows as an infobox; None where they are a table like others."""
    if len(rows) >= 2 and all(len(row) == 2 for row in rows):
        first = 1 if _headless(rows[0]) else 0
        keys = [row[0] for row in rows[first:]]
        if _keys(keys) and (first or _usual(keys)):
            return _infobox([(r, 0, r, 1) for r in range(first, len(rows))], rows, caption)
    if len(rows) == 2 and len(rows[0]) == len(rows[1]) >= 2 and _keys(rows[0]):
        return _infobox([(0, c, 1, c) for c in range(len(rows[0]))], rows, caption)
    return None


def infobox_of_keys(keys: Mapping[str, Sequence[str] | str]) -> tuple[Table, str]:
    """Read keys with one value or several each; return the infobox, and its `title`.

    >>> table, title = infobox_of_keys({"title": ["Alva"], "Mouth": ["the sea"]})
    >>> title, [cell.text for cell in table.rows[0]]
    ('Alva', ['Mouth', 'the sea'])
    """
    said = {
        key: [values] if isinstance(values, str) else list(values) for key, values in keys.items()
    }
    title = " ".join(said.pop(TITLE, []))
    rows = tuple(
        (
            Cell(at, 0, key, True),
            Cell(at, 1, ", ".join(" ".join(value.split()) for value in values)),
        )
        for at, (key, values) in enumerate(said.items())
    )
    return Table(0, rows, infobox=True), title


def _infobox(
    places: Sequence[tuple[int, int, int, int]], rows: Sequence[Sequence[str]], caption: str
) -> Table:
    """Make an infobox of the places of keys and of their values; cells keep their own places."""
    made = tuple(
        (Cell(r, c, rows[r][c], True), Cell(row, column, rows[row][column]))
        for r, c, row, column in places
    )
    return Table(0, made, caption, infobox=True)


def _headless(row: Sequence[str]) -> bool:
    return row[0].strip().lower() in _KEY_HEADS and row[1].strip().lower() in _VALUE_HEADS


def _keys(texts: Sequence[str]) -> bool:
    """Say whether texts may be keys: all different, none empty, long, or a number."""
    own = [text.strip().lower() for text in texts]
    return len(set(own)) == len(own) and all(
        0 < len(text) <= _LONGEST_KEY and text[0].isalpha() for text in own
    )


def _usual(keys: Sequence[str]) -> bool:
    known = sum(key.strip().lower().rstrip(":") in _USUAL for key in keys)
    return known >= max(_USUAL_LEAST, _USUAL_SHARE * len(keys))
