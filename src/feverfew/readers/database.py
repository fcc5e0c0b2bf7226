"""The rows of FEVEROUS's SQLite database, `wiki(id, data)`, one page each."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from feverfew.readers.base import Record, Source
from feverfew.readers.files import DAMAGE, LONGEST_LINE, damage, open_bytes

__all__ = ["SQLITE", "rows"]

SQLITE = b"SQLite format 3\x00"
"""How every SQLite file begins."""


def rows(source: Source) -> Iterator[Record]:
    """Stream the database's rows, numbered from 1; a compressed one is unpacked aside first."""
    with source.path.open("rb") as file:
        packed = not file.read(len(SQLITE)).startswith(SQLITE)
    if not packed:
        yield from _rows(source.path)
        return
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as unpacked:
        try:
            with open_bytes(source.path) as file:
                shutil.copyfileobj(file, unpacked)
        except DAMAGE as error:
            yield Record(b"", 1, damage(error))
            return
        unpacked.flush()
        yield from _rows(Path(unpacked.name))


def _rows(path: Path) -> Iterator[Record]:
    # Immutable: nothing is locked or written beside the file, so a read-only place will do.
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    number = 1
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.text_factory = bytes  # invalid UTF-8 is the record's fault, not the table's
            for (data,) in database.execute("SELECT data FROM wiki"):
                if not isinstance(data, bytes):
                    yield Record(b"", number, "the row's data is not text")
                elif len(data) > LONGEST_LINE:
                    limit = LONGEST_LINE >> 20
                    yield Record(b"", number, f"the row is longer than {limit} MB")
                else:
                    yield Record(data, number)
                number += 1
    except sqlite3.OperationalError as error:
        yield Record(b"", number, f"not a FEVEROUS database, which has wiki(id, data): {error}")
    except sqlite3.DatabaseError as error:
        yield Record(b"", number, damage(error))
