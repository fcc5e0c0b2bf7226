"""A database: opened from a URL, brought to the newest schema, used in short transactions.

SQLite serves a team on one machine, PostgreSQL any. A transaction that writes takes SQLite's only
write lock at once (`BEGIN IMMEDIATE`), so that it never fails half-way; on PostgreSQL rows are
locked one by one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import DateTime, Engine, create_engine, event
from sqlalchemy.engine import Dialect, make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.types import TypeDecorator

from feverfew.errors import InputError

try:
    import fcntl
except ModuleNotFoundError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

_PATIENCE = 30
"""Seconds to wait for SQLite's write lock."""
_MIGRATIONS = Path(__file__).parent / "migrations"


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class UtcTime(TypeDecorator[datetime]):
    """A time in UTC, which SQLite would give back without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone")
        return value if value is None else value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if not isinstance(value, datetime):
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The root of all tables."""


class Database:
    """An open database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.locks_rows = engine.dialect.name == "postgresql"
        name = engine.url.database
        is_file = engine.dialect.name == "sqlite" and bool(name) and name != ":memory:"
        self._queue = Path(f"{name}-queue") if is_file else None

    @classmethod
    def open(cls, url: str, *, pool: int = 10) -> "Database":
        """Open a database, and bring its schema up to date."""
        try:
            parsed = make_url(url)
            if parsed.drivername == "postgresql":
                parsed = parsed.set(drivername="postgresql+psycopg")
            if parsed.get_backend_name() == "sqlite":
                engine = create_engine(parsed, connect_args={"timeout": _PATIENCE})
                _prepare_sqlite(engine)
            else:
                engine = create_engine(parsed, pool_size=pool, max_overflow=pool)
            made = cls(engine)
            made.migrate()
        except ArgumentError:
            raise InputError(
                f"{url!r} is no database; give sqlite:///file or postgresql://user@host/name"
            ) from None
        except ModuleNotFoundError as error:
            raise InputError(
                f"{error.name} is missing; install it with: pip install 'feverfew[postgres]'"
            ) from None
        except OperationalError as error:
            raise InputError(f"the database cannot be opened: {error.orig}") from None
        return made

    def migrate(self) -> None:
        """Bring the schema to the newest version."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self.engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Begin a transaction that writes; it is committed at the end, or leaves no trace."""
        with self._turn(), Session(self.engine, expire_on_commit=False) as session:
            session.connection(execution_options={"feverfew_write": True})
            yield session
            session.commit()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for one's turn to write to SQLite.

        SQLite itself lets writers try again and again, and an unlucky one may starve; the system
        wakes those who wait for a file lock in turn.
        """
        if self._queue is None or fcntl is None:
            yield
            return
        with self._queue.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Begin a transaction that only reads."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _prepare_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("feverfew_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
