"""Every error that feverfew raises on purpose, in one tree.

FeverfewError
├── InputError              something given to us is wrong; says where and what next
│   ├── BadRecord           one record of a file cannot be read (file, line, why)
│   ├── UnknownFormat       no reader recognises the content
│   └── BadReference        an element id that does not parse
├── CorpusError             a corpus directory cannot be used
│   ├── NotACorpus          the directory is foreign, truncated or of another version
│   ├── CorpusBusy          another process is writing to it
│   ├── CorpusChanged       it was changed since it was opened; open it again
│   └── CorpusDamaged       a part disagrees with the manifest
├── Tampered                an audit report is not as it was written
├── NotFound                a page, element or name does not exist; lists near names
├── ScoreError              claims and predictions that cannot be scored together
├── MissingExtra            an optional dependency is needed; says which to install
└── ServerError             a server cannot be reached, or does not answer as it should
    ├── NotAllowed          a key is missing, unknown, or does not allow this
    └── TooBusy             there is too much to do; says when to come back
"""

__all__ = [
    "BadRecord",
    "BadReference",
    "CorpusBusy",
    "CorpusChanged",
    "CorpusDamaged",
    "CorpusError",
    "FeverfewError",
    "InputError",
    "MissingExtra",
    "NotACorpus",
    "NotAllowed",
    "NotFound",
    "ScoreError",
    "ServerError",
    "Tampered",
    "TooBusy",
    "UnknownFormat",
]


class FeverfewError(Exception):
    """The root: catch this to catch every error feverfew raises on purpose."""


class InputError(FeverfewError):
    """Something given to us is wrong."""


class BadRecord(InputError):
    """One record of a file cannot be read.

    >>> str(BadRecord("unknown label 'MAYBE'", path="dev.jsonl", line=417))
    "dev.jsonl:417: unknown label 'MAYBE'"
    """

    def __init__(self, why: str, *, path: str = "", line: int = 0) -> None:
        super().__init__(why, path, line)
        self.reason, self.path, self.line = why, path, line

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments would be lost on the way home from a worker process.
        return _bad_record, (self.reason, self.path, self.line)

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.reason}" if where else self.reason


def _bad_record(why: str, path: str, line: int) -> BadRecord:
    return BadRecord(why, path=path, line=line)


class UnknownFormat(InputError):
    """No reader recognises the content of a file."""


class BadReference(InputError):
    """An element id does not parse."""


class CorpusError(FeverfewError):
    """A corpus directory cannot be used."""


class NotACorpus(CorpusError):
    """The directory is foreign, truncated, or of another version."""


class CorpusBusy(CorpusError):
    """Another process is writing to the corpus."""


class CorpusChanged(CorpusError):
    """The corpus was changed since it was opened, and what it held then is gone."""


class CorpusDamaged(CorpusError):
    """A part of the corpus disagrees with its manifest."""


class Tampered(FeverfewError):
    """An audit report is not as it was written, or not signed by whom it should be."""


class NotFound(FeverfewError):
    """A page, element or name does not exist."""


class ScoreError(FeverfewError):
    """Claims and predictions cannot be scored together."""

    def __init__(self, why: str, *, side: str = "", id: int | str | None = None) -> None:  # noqa: A002
        super().__init__(why)
        self.side, self.id = side, id
        """`claims` or `predictions`, and whose id: whoever knows the files can say the line."""


class MissingExtra(FeverfewError):
    """An optional dependency is needed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'feverfew[{extra}]'")
        self.what, self.extra = what, extra

    def __reduce__(self) -> tuple[object, ...]:
        # Or it could not come home from a worker process.
        return MissingExtra, (self.what, self.extra)


class ServerError(FeverfewError):
    """A server cannot be reached, or does not answer as it should."""


class NotAllowed(ServerError):
    """A key is missing, unknown, or (`known`) does not allow this."""

    def __init__(self, why: str, known: bool = False) -> None:
        super().__init__(why, known)
        self.known = known

    def __str__(self) -> str:
        return str(self.args[0])


class TooBusy(ServerError):
    """There is too much to do; `seconds` says when to come back."""

    def __init__(self, why: str, seconds: int = 1) -> None:
        super().__init__(why, seconds)
        self.seconds = seconds

    def __str__(self) -> str:
        return str(self.args[0])
