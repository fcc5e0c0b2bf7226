"""References to elements, as in the official ids of FEVER, FEVEROUS and HoVer."""

import re
from enum import StrEnum

from msgspec import Struct

from feverfew.errors import BadReference


class Kind(StrEnum):
    """What a Ref points at; the values are the words of the official element ids."""

    SENTENCE = "sentence"
    CELL = "cell"
    HEADER_CELL = "header_cell"
    CAPTION = "table_caption"
    ITEM = "item"
    SECTION = "section"
    TITLE = "title"


_POSITIONS = {
    Kind.SENTENCE: 1,
    Kind.CELL: 3,
    Kind.HEADER_CELL: 3,
    Kind.CAPTION: 1,
    Kind.ITEM: 2,
    Kind.SECTION: 1,
    Kind.TITLE: 0,
}

# The page may hold underscores, digits and even "_cell_": read greedily, from the right.
_REF = re.compile(
    r"(?P<page>.+)_(?P<kind>sentence|header_cell|cell|table_caption|item|section|title)"
    r"(?P<position>(?:_[0-9]+)*)",
    re.DOTALL,
)


class Ref(Struct, frozen=True, order=True, gc=False, array_like=True):
    """The address of one element; the only parser and printer of element ids.

    >>> Ref.parse("Cell_biology_header_cell_0_2_1")
    Ref(page='Cell_biology', kind=<Kind.HEADER_CELL: 'header_cell'>, position=(0, 2, 1))
    """

    page: str
    kind: Kind = Kind.TITLE
    position: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Ref":
        """Read an official element id."""
        match = _REF.fullmatch(text)
        if match is None:
            raise BadReference(f"{text!r} is not an element id such as 'Page_sentence_3'")
        page, word = match["page"], match["kind"]
        if word == "cell" and page.endswith("_header"):
            page, word = page.removesuffix("_header"), "header_cell"
        return cls.of(page, word, match["position"][1:])

    @classmethod
    def of(cls, page: str, kind: str, position: str) -> "Ref":
        """Make a Ref from the three parts FEVEROUS predictions use: page, "cell", "0_2_1"."""
        try:
            numbers = tuple(int(n) for n in position.split("_")) if position else ()
            made = cls(page, Kind(kind), numbers)
        except ValueError:
            raise BadReference(f"[{page!r}, {kind!r}, {position!r}] is not an element") from None
        if not page or len(numbers) != _POSITIONS[made.kind] or min(numbers, default=0) < 0:
            raise BadReference(f"[{page!r}, {kind!r}, {position!r}] is not an element")
        return made

    @classmethod
    def sentence(cls, page: str, index: int) -> "Ref":
        """Address a sentence, as FEVER and HoVer do."""
        return cls(page, Kind.SENTENCE, (index,))

    @property
    def position_text(self) -> str:
        """The position as official files write it: `0_2_1`."""
        return "_".join(map(str, self.position))

    def __str__(self) -> str:
        return "_".join((self.page, self.kind, *map(str, self.position)))
