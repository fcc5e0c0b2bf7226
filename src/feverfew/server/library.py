"""Corpora that people make of their own files: what they uploaded, and the corpus built from it.

Everything lies in one folder: OWNER/NAME/files/ holds the files as they came, OWNER/NAME/corpus the
corpus, about.json what it is called. An owner is a key; without keys, whoever sits at the machine.
"""

import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus.build import Progress
from feverfew.corpus.folders import refresh
from feverfew.errors import BadRecord, FeverfewError, InputError, NotFound

LARGEST_FILE = 32 << 20
LARGEST_CORPUS = 256 << 20
MOST_FILES = 1_000
MOST_CORPORA = 50
SUFFIXES = frozenset(
    f".{name}"
    for name in (
        *("csv", "docx", "eml", "epub", "htm", "html", "ipynb", "json", "jsonl", "markdown"),
        *("md", "ods", "pdf", "rst", "text", "tsv", "txt", "xlsx"),
    )
)
"""What files may be called; whether one can be read is known when it is."""
_LONGEST_LABEL = 80
_LONGEST_NAME = 120
_NAME = re.compile(r"[0-9a-f]{16}")
_OWNER = re.compile(r"[0-9a-z]{1,64}")


class StoredFile(Struct, frozen=True):
    """A file that someone uploaded."""

    name: str
    size: int


class PrivateCorpus(Struct, frozen=True):
    """A corpus made of someone's own files."""

    name: str
    """In addresses; it cannot be guessed."""
    label: str
    owner: str
    created: str = ""

    @property
    def size_limit(self) -> int:
        """How many bytes its files may have together."""
        return LARGEST_CORPUS


class Indexing(Struct):
    """How far the building of a corpus is, and what could not be read."""

    running: bool = False
    fraction: float = 0.0
    stage: str = ""
    pages: int = 0
    problems: list[str] = []
    failed: str = ""


def default_folder() -> Path:
    """Say where a server keeps what people give it, unless another folder is named."""
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "feverfew"


class Library:
    """The private corpora below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._indexing: dict[str, Indexing] = {}

    def of(self, owner: str) -> list[PrivateCorpus]:
        """List someone's corpora, the oldest first."""
        folder = self._owned(owner)
        found = [self._about(path) for path in folder.iterdir()] if folder.is_dir() else []
        return sorted((one for one in found if one), key=lambda one: one.created)

    def find(self, owner: str, name: str) -> PrivateCorpus:
        """Return one of someone's corpora; nobody else's is ever found."""
        found = self._about(self._owned(owner) / name) if _NAME.fullmatch(name) else None
        if found is None:
            raise NotFound("there is no such corpus, or it belongs to someone else")
        return found

    def create(self, owner: str, label: str) -> PrivateCorpus:
        """Make an empty corpus."""
        label = " ".join(label.split())[:_LONGEST_LABEL] or "My documents"
        if len(self.of(owner)) >= MOST_CORPORA:
            raise InputError(f"there are {MOST_CORPORA} corpora already; delete one first")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        made = PrivateCorpus(secrets.token_hex(8), label, owner, now)
        folder = self._owned(owner) / made.name
        (folder / "files").mkdir(parents=True)
        (folder / "about.json").write_bytes(msgspec.json.encode(made))
        return made

    def delete(self, corpus: PrivateCorpus) -> None:
        """Remove a corpus with all its files."""
        shutil.rmtree(self._folder_of(corpus))
        self._indexing.pop(corpus.name, None)

    def files(self, corpus: PrivateCorpus) -> list[StoredFile]:
        """List the files of a corpus by name."""
        folder = self._folder_of(corpus) / "files"
        found = [path for path in folder.iterdir() if not path.name.startswith(".")]
        return [StoredFile(path.name, path.stat().st_size) for path in sorted(found)]

    def file(self, corpus: PrivateCorpus, name: str) -> Path:
        """Return where a file lies."""
        path = self._folder_of(corpus) / "files" / file_name(name)
        if not path.is_file():
            raise NotFound(f"there is no file {name!r}")
        return path

    def receiving(self, corpus: PrivateCorpus, name: str) -> tuple[Path, int]:
        """Say where to write a new file, and how long it may be; refuse what has no room."""
        name = file_name(name)
        if Path(name).suffix.lower() not in SUFFIXES:
            known = ", ".join(sorted(suffix[1:] for suffix in SUFFIXES))
            raise InputError(f"{name}: files of this type cannot be read; known are {known}")
        others = [file for file in self.files(corpus) if file.name != name]
        if len(others) >= MOST_FILES:
            raise InputError(f"a corpus holds up to {MOST_FILES:,} files; delete some first")
        room = LARGEST_CORPUS - sum(file.size for file in others)
        if room <= 0:
            raise InputError(f"a corpus holds up to {LARGEST_CORPUS >> 20} MB; delete some files")
        # Written beside, and renamed when whole: a file that was cut off never counts.
        return self._folder_of(corpus) / "files" / f".{name}.part", min(room, LARGEST_FILE)

    def received(self, part: Path) -> StoredFile:
        """Take a file in that has arrived whole."""
        whole = part.with_name(part.name.removeprefix(".").removesuffix(".part"))
        part.replace(whole)
        return StoredFile(whole.name, whole.stat().st_size)

    def remove(self, corpus: PrivateCorpus, name: str) -> None:
        """Delete a file."""
        self.file(corpus, name).unlink()

    def path(self, corpus: PrivateCorpus) -> Path:
        """Return the directory of the built corpus, which may not be there yet."""
        return self._folder_of(corpus) / "corpus"

    def is_built(self, corpus: PrivateCorpus) -> bool:
        """Say whether anything can be checked against it."""
        return self.path(corpus).is_dir()

    def indexing(self, corpus: PrivateCorpus) -> Indexing:
        """Say how far the last build is."""
        return self._indexing.setdefault(corpus.name, Indexing())

    def index(self, corpus: PrivateCorpus, on_done: Callable[[], None] = lambda: None) -> None:
        """Build a corpus from its files; `indexing` tells how far it is, from any thread."""
        status = self._indexing[corpus.name] = Indexing(running=True, stage="reading")

        def moved(progress: Progress) -> None:
            status.fraction, status.stage = progress.fraction, progress.stage
            status.pages = progress.pages

        def bad(record: BadRecord) -> None:
            if len(status.problems) < 50:
                status.problems.append(_without_folder(str(record), files))

        files, path = self._folder_of(corpus) / "files", self.path(corpus)
        try:
            if self.files(corpus):
                # Only what is new or changed is read.
                done = refresh([files], path, workers=1, on_bad=bad, on_progress=moved)
                status.pages = done.pages
            else:
                shutil.rmtree(path, ignore_errors=True)
                status.pages = 0
        except FeverfewError as error:
            status.failed = _without_folder(str(error), files)
        finally:
            status.running, status.fraction = False, 1.0

    def _owned(self, owner: str) -> Path:
        if not _OWNER.fullmatch(owner):
            raise NotFound("there is no such corpus, or it belongs to someone else")
        return self._folder / owner

    def _folder_of(self, corpus: PrivateCorpus) -> Path:
        return self._owned(corpus.owner) / corpus.name

    def _about(self, folder: Path) -> PrivateCorpus | None:
        try:
            return msgspec.json.decode((folder / "about.json").read_bytes(), type=PrivateCorpus)
        except (OSError, msgspec.MsgspecError):
            return None


def file_name(given: str) -> str:
    r"""Return a name that stays within its folder.

    >>> file_name("C:\\notes\\Plan 2024.docx"), file_name("../../.ssh/key.txt")
    ('Plan 2024.docx', 'key.txt')
    """
    name = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    name = "".join(letter for letter in name if letter.isprintable() and letter not in '<>:"|?*')
    name = name.strip(" .")
    stem, suffix = Path(name).stem[:_LONGEST_NAME], Path(name).suffix[:12]
    if not stem:
        raise InputError("a file needs a name")
    return stem + suffix


def _without_folder(said: str, folder: Path) -> str:
    """Leave out where files lie on the server, which is nobody's business."""
    return said.replace(f"{folder}/", "").replace(str(folder), "the files")
