"""Read the named columns of a CSV or TSV file, and say where when that fails."""

import csv
from collections.abc import Iterator, Mapping
from itertools import chain

from feverfew.errors import BadRecord
from feverfew.readers.base import Source
from feverfew.readers.files import DAMAGE, damage, head, open_bytes

__all__ = ["is_json", "table_rows"]


def is_json(source: Source) -> bool:
    """Say whether a file begins like JSON rather than like a table."""
    return head(source.path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))


def table_rows(source: Source, columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each row's line number and its cells by our names of the columns.

    columns: the headings that are known → our name; each of our names must be there.
    """
    lines = _lines(source)
    first = next(lines, "")
    # The header says which sign parts the columns: no heading holds one.
    sign = max("\t,;", key=first.count)
    rows = csv.reader(chain([first], lines), delimiter=sign)
    try:
        headings = [name.strip().lower() for name in next(rows, [])]
        place = {columns[name]: i for i, name in enumerate(headings) if name in columns}
        if missing := [name for name in dict.fromkeys(columns.values()) if name not in place]:
            wanted = ", ".join(dict.fromkeys(columns.values()))
            raise BadRecord(
                f"no column {missing[0]!r} in the header; expected {wanted}, parted by commas, "
                "semicolons or tabs, or a JSON object a line",
                path=source.name,
                line=1,
            )
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(headings):
                why = f"{len(row)} columns where the header has {len(headings)}"
                raise BadRecord(why, path=source.name, line=rows.line_num)
            yield rows.line_num, {name: row[i].strip() for name, i in place.items()}
    except csv.Error as error:
        raise BadRecord(str(error), path=source.name, line=rows.line_num) from None


def _lines(source: Source) -> Iterator[str]:
    number = 0
    try:
        with open_bytes(source.path) as file:
            for number, line in enumerate(file, 1):
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        why = f"invalid UTF-8: {error.reason}"
        raise BadRecord(why, path=source.name, line=number) from None
    except DAMAGE as error:
        raise BadRecord(damage(error), path=source.name, line=number + 1) from None
