"""Backups: every row of a database as a line of JSON, and back into an empty database.

The file is the same from SQLite and from PostgreSQL, so that a workbench can move between them.
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import LargeBinary, Table, func, insert, select, text, update

from feverfew.errors import BadRecord, InputError
from feverfew.store import arena_tables, claim_tables, people_tables, team_tables, work_tables
from feverfew.store.database import Base, Database, UtcTime

_DECLARED = (
    people_tables.Person,
    claim_tables.Claim,
    work_tables.Slot,
    team_tables.Team,
    arena_tables.ArenaTask,
)
"""Imported so that all tables are known here."""
_FORMAT = 1
_BATCH = 500
_LEFT_OUT = ("login",)
"""Who is logged in is no part of a backup."""
TABLES: dict[str, Table] = {
    str(table.name): table for table in Base.metadata.tables.values() if table.name not in _LEFT_OUT
}
_ITSELF = {"person": "trained_by", "claim": "parent_id"}
"""Columns that point at rows of their own table, which are filled in last."""


def dump(database: Database) -> Iterator[bytes]:
    """Yield all rows as lines of JSON, each `[table, row]`, from one snapshot."""
    yield msgspec.json.encode(["feverfew workbench", {"format": _FORMAT}]) + b"\n"
    with database.engine.connect() as connection:
        if database.locks_rows:  # SQLite's transactions see one snapshot anyway
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        for table in _in_order():
            keys = list(table.primary_key.columns)
            for row in connection.execute(select(table).order_by(*keys)).mappings():
                yield (
                    msgspec.json.encode([str(table.name), {str(k): v for k, v in row.items()}])
                    + b"\n"
                )


def _in_order() -> list[Table]:
    """Return the tables, each after those that it points at."""
    return [table for table in Base.metadata.sorted_tables if table.name in TABLES]


def load(database: Database, lines: Iterable[bytes], name: str = "backup") -> int:
    """Fill an empty database from a backup, all or nothing; return how many rows there were."""
    count = 0
    later: list[tuple[Table, Any, str, Any]] = []
    with database.write() as session:
        people = session.scalar(select(func.count()).select_from(TABLES["person"]))
        campaigns = session.scalar(select(func.count()).select_from(TABLES["campaign"]))
        if people or campaigns:
            raise InputError("a backup is restored into an empty workbench only; make a new one")
        for table in reversed(_in_order()):
            session.execute(table.delete())  # an invitation that nobody has used
        batch: list[dict[str, Any]] = []
        at: Table | None = None
        for number, line in enumerate(lines, 1):
            table, row = _read(line, name, number)
            if table is None:
                continue
            if at is not None and (table is not at or len(batch) >= _BATCH):
                session.execute(insert(at), batch)
                batch = []
            at = table
            if (column := _ITSELF.get(table.name)) and row.get(column) is not None:
                later.append((table, row["id"], column, row[column]))
                row[column] = None
            batch.append(row)
            count += 1
        if at is not None and batch:
            session.execute(insert(at), batch)
        for table, key, column, value in later:
            session.execute(update(table).where(table.c.id == key).values({column: value}))
        if database.locks_rows:
            _set_sequences(session)
    return count


def _read(line: bytes, name: str, number: int) -> tuple[Table | None, dict[str, Any]]:
    try:
        kind, row = msgspec.json.decode(line, type=tuple[str, dict[str, Any]])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"not a line of a backup: {error}", path=name, line=number) from None
    if number == 1:
        if kind != "feverfew workbench" or row.get("format") != _FORMAT:
            raise BadRecord("not a backup that this version reads", path=name, line=1)
        return None, {}
    table = TABLES.get(kind)
    if table is None or not row.keys() <= set(table.columns.keys()):
        raise BadRecord(f"unknown table or column in {kind!r}", path=name, line=number)
    for column in table.columns:
        if isinstance(column.type, UtcTime) and isinstance(row.get(column.key), str):
            row[column.key] = datetime.fromisoformat(row[column.key])
        elif isinstance(column.type, LargeBinary):
            row[column.key] = b64decode(row[column.key])
    return table, row


def _set_sequences(session: Any) -> None:
    """Let PostgreSQL number new rows after those that were restored."""
    for table in TABLES.values():
        if "id" in table.columns:
            session.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                    f"GREATEST((SELECT MAX(id) FROM {table.name}), 1))"
                )
            )
