"""Record what a program writes, by strace, and say what a disk may hold after the power fails.

The disk is unkind, but not wicked. What was synced is there. Of other writes to a file, any may be
lost, or half of one. Names that were made, moved or removed are there once their directory was
synced; of those since, the first few may be, in their order.
"""

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_CALLS = (
    "openat,write,pwrite64,ftruncate,lseek,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,"
    "rmdir,fsync,fdatasync,close"
)
_LINE = re.compile(r"^(\d+) +(.*)$")
_CALL = re.compile(r"^(\w+)\((.*)\) += (-?\d+)(?:<(.*?)>)?")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FILE = re.compile(r"^(?:AT_FDCWD|\d+)<([^>]*)>")
_SECTOR = 512


@dataclass
class Event:
    """One system call that succeeded: its name, the files it names, data and place."""

    call: str
    paths: list[str]
    data: bytes = b""
    at: int = 0
    text: str = ""


def record(command: Sequence[str], log: Path, cwd: Path) -> list[Event]:
    """Run a program to its end, and list what it did to files."""
    strace = ["strace", "-f", "-y", "-xx", "-s", "99999999", "-e", f"trace={_CALLS}"]
    subprocess.run(
        [*strace, "-o", str(log), *command], check=True, capture_output=True, cwd=cwd, timeout=300
    )
    return list(_events(log))


def _events(log: Path) -> Iterator[Event]:
    begun: dict[str, str] = {}
    places: dict[str, int] = {}
    with log.open(encoding="latin-1") as lines:
        for line in lines:
            found = _LINE.match(line.rstrip("\n"))
            if not found:
                continue
            thread, text = found.groups()
            if text.endswith("<unfinished ...>"):
                begun[thread] = text.removesuffix("<unfinished ...>").rstrip()
                continue
            if text.startswith("<... "):
                text = begun.pop(thread) + text.partition("resumed>")[2]
            if (event := _event(text, places)) is not None:
                yield event


def _event(text: str, places: dict[str, int]) -> Event | None:
    call = _CALL.match(text)
    if call is None or int(call[3]) < 0:
        return None
    name, arguments, result = call[1], call[2], int(call[3])
    texts = [_plain(one) for one in _TEXT.findall(arguments)]
    file = _FILE.match(arguments)
    path = _plain(file[1]).decode() if file else ""
    number = arguments.partition("<")[0]
    match name:
        case "openat":
            opened = _plain(call[4] or "").decode()
            places[str(result)] = 0
            return Event("open", [opened], text=arguments)
        case "lseek":
            places[number] = result
            return None
        case "write":
            at = places.get(number, 0)
            places[number] = at + result
            return Event("write", [path], texts[0][:result] if texts else b"", at)
        case "pwrite64":
            return Event("write", [path], texts[0][:result], int(arguments.rsplit(",", 1)[1]))
        case "ftruncate":
            return Event("truncate", [path], at=int(arguments.rsplit(",", 1)[1]))
        case "fsync" | "fdatasync":
            return Event("sync", [path])
        case "rename" | "renameat" | "renameat2":
            return Event("rename", [texts[-2].decode(), texts[-1].decode()])
        case "unlink" | "unlinkat" | "rmdir":
            return Event("remove", [texts[-1].decode()])
        case "mkdir" | "mkdirat":
            return Event("mkdir", [texts[-1].decode()])
    return None


def _plain(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


@dataclass
class _File:
    synced: bytearray = field(default_factory=bytearray)
    pending: list[Event] = field(default_factory=list)

    def sync(self) -> None:
        for event in self.pending:
            _apply(self.synced, event)
        self.pending = []

    def after_a_cut(self, chance: random.Random) -> bytes:
        data = bytearray(self.synced)
        kept = chance.choice((0.0, 0.5, 0.9, 1.0))
        for event in self.pending:
            if chance.random() >= kept:
                continue
            torn = len(event.data) // _SECTOR
            if event.call == "write" and torn and chance.random() < 0.1:
                size = chance.randrange(torn + 1) * _SECTOR
                event = Event("write", event.paths, event.data[:size], event.at)
            _apply(data, event)
        return bytes(data)


def _apply(data: bytearray, event: Event) -> None:
    if event.call == "truncate":
        data[event.at :] = bytes(max(0, event.at - len(data)))
        return
    if len(data) < event.at:
        data.extend(bytes(event.at - len(data)))
    data[event.at : event.at + len(event.data)] = event.data


@dataclass
class _Name:
    """A change of names, in a directory: what now stands where, None for nothing."""

    folder: str
    changes: dict[str, "_File | str | None"]
    synced: bool = False


_FOLDER = "a directory"


class Disk:
    """What a directory holds, and what of it is safe."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._now: dict[str, _File | str] = {}
        self._names: list[_Name] = []

    def do(self, event: Event) -> None:
        """Carry out what a program did."""
        paths = [str(Path(path)) for path in event.paths]
        if not any(path.startswith(self._root + "/") or path == self._root for path in paths):
            return
        path = paths[0]
        match event.call:
            case "open":
                if "O_CREAT" in event.text and path not in self._now:
                    self._change({path: _File()})
                elif "O_TRUNC" in event.text:
                    self._file(path).pending.append(Event("truncate", [path]))
            case "write" | "truncate":
                self._file(path).pending.append(event)
            case "sync":
                self._sync(path)
            case "rename":
                inner = {p: f for p, f in self._now.items() if p.startswith(f"{path}/")}
                moved: dict[str, _File | str | None] = {
                    paths[1] + p.removeprefix(path): f for p, f in inner.items()
                }
                moved[paths[1]] = self._now[path]
                self._change({path: None, **dict.fromkeys(inner), **moved})
            case "remove":
                self._change({path: None})
            case "mkdir":
                self._change({path: _FOLDER})

    def _file(self, path: str) -> _File:
        found = self._now.get(path)
        # A file that is written after its name was removed concerns nobody.
        return found if isinstance(found, _File) else _File()

    def _change(self, changes: "dict[str, _File | str | None]") -> None:
        self._names.append(_Name(str(Path(next(iter(changes))).parent), changes))
        self._put(self._now, changes)

    @staticmethod
    def _put(state: "dict[str, _File | str]", changes: "dict[str, _File | str | None]") -> None:
        for path, what in changes.items():
            if what is None:
                state.pop(path, None)
            else:
                state[path] = what

    def _sync(self, path: str) -> None:
        if self._now.get(path) == _FOLDER or path == self._root:
            for name in self._names:
                name.synced = name.synced or name.folder == path
        else:
            self._file(path).sync()

    def cut_the_power(self, into: Path, chance: random.Random) -> None:
        """Write what may be found afterwards."""
        lost: set[str] = set()
        state: dict[str, _File | str] = {}
        for name in self._names:
            # Of what was not synced, each directory keeps the first few changes, in their order.
            if not name.synced and (name.folder in lost or chance.random() < 0.3):
                lost.add(name.folder)
                continue
            self._put(state, name.changes)
        into.mkdir(parents=True)
        for path, what in sorted(state.items()):
            place = into / Path(path).relative_to(self._root)
            if not place.parent.is_dir():
                continue  # its directory is lost
            if isinstance(what, _File):
                place.write_bytes(what.after_a_cut(chance))
            else:
                place.mkdir(exist_ok=True)
