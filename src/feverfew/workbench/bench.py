"""A workbench's directory: its settings, its database, and the corpus that people search."""

import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from feverfew.check import Checker
from feverfew.corpus import Corpus
from feverfew.errors import InputError
from feverfew.judge import Judge
from feverfew.store.database import Database
from feverfew.store.people import invite
from feverfew.types import Report

_FILE = "workbench.toml"


class Bench:
    """An open workbench."""

    def __init__(self, directory: Path, database: Database, corpus: Corpus) -> None:
        self.directory = directory
        self.database = database
        self.corpus = corpus
        self._checker: Checker | None = None
        self._checking = Lock()

    def check(self, claims: Sequence[str]) -> list[Report]:
        """Check claims over the corpus, one request at a time; the model is loaded when needed."""
        with self._checking:
            if self._checker is None:
                self._checker = Checker(self.corpus, Judge.open(threads=1))
            return self._checker.check(claims)

    def close(self) -> None:
        """Close the database and the corpus."""
        self.database.close()
        self.corpus.close()


def init_bench(directory: Path, corpus: Path | None, database: str | None) -> str:
    """Make a workbench, and return the token of the first organiser's invitation."""
    file = directory / _FILE
    if file.exists():
        raise InputError(f"{directory} is a workbench already; serve it, or choose another place")
    with _corpus(corpus) as found:
        fingerprint = found.fingerprint
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{directory}: {error.strerror}") from None
    url = database or "sqlite:///work.sqlite"
    opened = Database.open(_located(url, directory))
    with opened.write() as session:
        token = invite(session, ["organiser"])
    opened.close()
    path = str(corpus.absolute()) if corpus else ""
    file.write_text(
        "# What this workbench consists of. A relative SQLite file lies beside this one.\n"
        f'database = "{url}"\ncorpus = "{path}"  # empty for the sample encyclopedia\n'
        f'fingerprint = "{fingerprint}"\n',
        encoding="utf-8",
    )
    file.chmod(0o600)  # a database's address may hold a password
    return token


def _located(url: str, directory: Path) -> str:
    prefix = "sqlite:///"
    if url.startswith(prefix) and not url.startswith(f"{prefix}/"):
        return f"{prefix}{(directory / url.removeprefix(prefix)).absolute()}"
    return url


@contextmanager
def _corpus(path: Path | None) -> Iterator[Corpus]:
    corpus = Corpus.open(path) if path else Corpus.sample()
    try:
        yield corpus
    finally:
        corpus.close()


@contextmanager
def open_bench(directory: Path) -> Iterator[Bench]:
    """Open a workbench; its corpus must be the one that it was made for."""
    file = directory / _FILE
    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{directory} is no workbench; make one with 'feverfew workbench init {directory}'"
        ) from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}") from None
    path = given.get("corpus") or ""
    corpus = Corpus.open(path) if path else Corpus.sample()
    if corpus.fingerprint != given.get("fingerprint"):
        corpus.close()
        raise InputError(
            f"{file}: the corpus has changed since the workbench was made, so that element ids may "
            "point elsewhere; use the old corpus, or make a new workbench"
        )
    bench = Bench(
        directory,
        Database.open(_located(str(given.get("database")), directory)),
        corpus,
    )
    try:
        yield bench
    finally:
        bench.close()
