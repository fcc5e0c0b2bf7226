"""Keep a corpus in step with the folders it was made from.

A corpus remembers its sources: where each lies, its size, its time and a digest of its content. So
`refresh` reads only what is new or changed, and takes out the pages of what is gone; and whoever
names a file knows by which name it was indexed.
"""

import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feverfew.corpus import layout
from feverfew.corpus.build import build, list_sources
from feverfew.corpus.pages import PageStore
from feverfew.corpus.reading import SourceReading
from feverfew.corpus.update import put_and_remove
from feverfew.errors import BadRecord, CorpusError, InputError
from feverfew.readers import Source
from feverfew.readers.files import LARGEST_FILE
from feverfew.types import Page, Redirect
from feverfew.workers import Budget

OnBad = Callable[[BadRecord], None]

_META = "sources"
_MOST_CHANGED = 0.5
"""The share of all bytes that must have changed for a build from scratch to be cheaper."""


class KnownSource(Struct, frozen=True, array_like=True):
    """A file as it was when it was read."""

    name: str
    path: str
    size: int
    time: int
    """Of its last change, in nanoseconds."""
    digest: str = ""
    """Of its content; empty for files that are too large for it."""
    problems: tuple[str, ...] = ()
    """What could not be read of it."""


class Registry(Struct, frozen=True):
    """What a corpus was made from."""

    roots: tuple[str, ...]
    """The files and folders that were named."""
    format: str | None
    link_mentions: bool | None
    feverfew: str
    sources: tuple[KnownSource, ...]

    def path_of(self, name: str) -> Path | None:
        """Return where a source lies on this machine; None if it is not there any more."""
        found = next((Path(one.path) for one in self.sources if one.name == name), None)
        return found if found is not None and found.is_file() else None

    def root_of(self, path: Path) -> Path | None:
        """Return the folder that was indexed and that holds a file; None if none does."""
        whole = path.resolve()
        roots = [Path(root) for root in self.roots]
        holding = [root for root in roots if whole.is_relative_to(root) and root != whole]
        return max(holding, key=lambda root: len(root.parts), default=None)


class Refreshed(Struct, frozen=True):
    """What a refresh did."""

    pages: int
    """In the corpus, now."""
    added: int = 0
    changed: int = 0
    removed: int = 0
    """Files."""
    unchanged: int = 0
    bad: int = 0
    """Records and files that could not be read, then or now."""
    built: layout.Summary | None = None
    """Where everything was read anew."""
    seconds: float = 0.0


def read_registry(directory: Path | str) -> Registry | None:
    """Return what a corpus was made from; None if it does not know, as older ones do not."""
    directory = Path(directory)
    folder = layout.generation_path(directory, layout.read_manifest(directory))
    store = PageStore.open(folder / "pages.sqlite")
    try:
        return _decoded(store.meta_now(_META))
    finally:
        store.close()


def source_links(directory: Path | str) -> dict[str, str]:
    """Return the address of each source that still lies where it was indexed."""
    known = read_registry(directory)
    found = {one.name: Path(one.path) for one in known.sources} if known else {}
    return {name: path.as_uri() for name, path in found.items() if path.is_file()}


def _decoded(stored: object) -> Registry | None:
    try:
        return msgspec.msgpack.decode(stored, type=Registry) if isinstance(stored, bytes) else None
    except msgspec.MsgspecError:
        return None


def refresh(
    paths: Sequence[Path | str],
    directory: Path | str,
    *,
    format: str | None = None,  # noqa: A002
    rebuild: bool = False,
    shards: int | None = None,
    on_bad: OnBad | None = None,
    **options: Any,
) -> Refreshed:
    """Bring a corpus up to date with files and folders, or build it; options as for `build`.

    Unless said, it keeps the number of its shards.
    """
    started = time.monotonic()
    directory, report = Path(directory), on_bad or (lambda bad: None)
    known = None if rebuild or options.get("resume") else _known(directory)
    roots = tuple(str(Path(path).resolve()) for path in paths)
    now_sharded = _shards_now(directory)
    options["shards"] = shards or now_sharded
    asked = (roots, format, options.get("link_mentions"), version("feverfew"))
    made = known and (known.roots, known.format, known.link_mentions, known.feverfew)
    if known is None or made != asked or options["shards"] != now_sharded:
        return _built(paths, directory, roots, format, report, options)
    skipped: list[BadRecord] = []
    found = list_sources(paths, directory, skipped.append)
    if not found:
        raise InputError("there is no file to index in " + ", ".join(map(str, paths)))
    before = {one.name: one for one in known.sources}
    now = _unique(found)
    states = {name: _state(source, before.get(name)) for name, source in now.items()}
    renewed = [name for name, state in states.items() if _differs(state, before.get(name))]
    gone = before.keys() - now.keys()
    total = sum(state.size for state in states.values())
    if sum(states[name].size for name in renewed) > max(_MOST_CHANGED * total, 1):
        return _built(paths, directory, roots, format, report, options)
    for bad in skipped:
        report(bad)
    if options.get("strict") and skipped:
        raise skipped[0]
    count = _pages_now(directory)
    if renewed or gone or states != before:
        count = _update(directory, known, now, states, renewed, gone, options)
    states = {one.name: one for one in (read_registry(directory) or known).sources}
    problems = [(name, why) for name, state in states.items() for why in state.problems]
    for name, why in problems:
        report(BadRecord(why, path=name))
    added = len(renewed) - len(before.keys() & set(renewed))
    return Refreshed(
        pages=count,
        added=added,
        changed=len(renewed) - added,
        removed=len(gone),
        unchanged=len(now) - len(renewed),
        bad=len(problems) + len(skipped),
        seconds=round(time.monotonic() - started, 3),
    )


def _shards_now(directory: Path) -> int:
    try:
        return layout.read_manifest(directory).shards
    except CorpusError:
        return 1


def _known(directory: Path) -> Registry | None:
    if not (directory / "manifest.json").exists():
        return None
    try:
        return read_registry(directory)
    except CorpusError:
        return None  # a build makes it anew, or says what is wrong


def _built(
    paths: Sequence[Path | str],
    directory: Path,
    roots: tuple[str, ...],
    format: str | None,  # noqa: A002
    report: OnBad,
    options: dict[str, Any],
) -> Refreshed:
    """Build from scratch, and remember the sources as they were before they were read."""
    problems: dict[str, list[str]] = defaultdict(list)

    def noted(bad: BadRecord) -> None:
        problems[bad.path].append(_reason(bad))
        report(bad)

    found = _unique(list_sources(paths, directory, lambda bad: None))
    states = {name: _state(source, None, lazy=True) for name, source in found.items()}
    summary = build(paths, directory, format=format, on_bad=noted, **options)
    states = {
        name: msgspec.structs.replace(
            state,
            digest=_digest(found[name], state),
            problems=tuple(problems.get(name, ())[:20]),
        )
        for name, state in states.items()
    }
    _remember(
        directory,
        Registry(roots, format, options.get("link_mentions"), version("feverfew"),
                 tuple(states.values())),
    )  # fmt: skip
    return Refreshed(
        pages=summary.pages,
        added=len(states),
        bad=summary.bad,
        built=summary,
        seconds=summary.seconds,
    )


def _remember(directory: Path, registry: Registry) -> None:
    with layout.write_lock(directory):
        folder = layout.generation_path(directory, layout.read_manifest(directory))
        store = PageStore.open(folder / "pages.sqlite", writable=True)
        try:
            store.set_meta(_META, msgspec.msgpack.encode(registry))
            store.commit()
        finally:
            store.close()


def _update(
    directory: Path,
    known: Registry,
    now: dict[str, Source],
    states: dict[str, KnownSource],
    renewed: Sequence[str],
    gone: Iterable[str],
    options: dict[str, Any],
) -> int:
    """Put the pages of what is new, take out those of what is gone; return how many there are."""
    problems: dict[str, list[str]] = defaultdict(list)

    def noted(bad: BadRecord) -> None:
        if options.get("strict"):
            raise bad
        problems[bad.path].append(_reason(bad))

    def unreadable(number: int, error: InputError) -> None:
        name = renewed[number]
        why = str(error).removeprefix(f"{name}: ")
        noted(error if isinstance(error, BadRecord) else BadRecord(why, path=name))

    def pages() -> Iterator[Page | Redirect]:
        workers, budget = options.get("workers"), options.get("budget") or Budget()
        reading = SourceReading(
            [now[name] for name in renewed],
            [max(states[name].size, 0) for name in renewed],
            known.format,
            workers=1 if workers is None else workers,
            budget=budget,
            on_unreadable=unreadable,
        )
        lines = [0] * len(renewed)
        with closing(reading.pages()) as chunks:
            for chunk in chunks:
                for why, path, line in chunk.bad:
                    at = lines[chunk.source] + line if line else 0
                    noted(BadRecord(why, path=path, line=at))
                lines[chunk.source] += chunk.lines
                yield from chunk.pages
                yield from chunk.redirects

    def registry() -> bytes:
        last = {
            name: msgspec.structs.replace(state, problems=tuple(problems[name][:20]))
            if name in set(renewed)
            else state
            for name, state in states.items()
        }
        return msgspec.msgpack.encode(msgspec.structs.replace(known, sources=tuple(last.values())))

    stale = {*gone, *renewed}
    return put_and_remove(directory, pages(), lambda page: page.source in stale, _META, registry)


def _pages_now(directory: Path) -> int:
    folder = layout.generation_path(directory, layout.read_manifest(directory))
    store = PageStore.open(folder / "pages.sqlite")
    try:
        pages = store.meta_now("pages")
        return pages if isinstance(pages, int) else 0
    finally:
        store.close()


def _unique(found: Iterable[Source]) -> dict[str, Source]:
    """Keep the first source of each name, as a build does."""
    made: dict[str, Source] = {}
    for source in found:
        made.setdefault(source.name, source)
    return made


def _state(source: Source, before: KnownSource | None, *, lazy: bool = False) -> KnownSource:
    """Say how a source is now; its content is looked at only if its size or time is another."""
    try:
        stat = source.path.stat()
        size, changed = stat.st_size, stat.st_mtime_ns
    except OSError:
        size, changed = -1, -1
    path = str(source.path.resolve())
    if before is not None and (before.size, before.time, before.path) == (size, changed, path):
        return before
    state = KnownSource(source.name, path, size, changed)
    if lazy:
        return state
    digest = _digest(source, state)
    problems = before.problems if before is not None and before.digest == digest else ()
    return msgspec.structs.replace(state, digest=digest, problems=problems)


def _differs(state: KnownSource, before: KnownSource | None) -> bool:
    if before is None or not state.digest or not before.digest:
        return state != before
    return state.digest != before.digest


def _digest(source: Source, state: KnownSource) -> str:
    """Name a file's content; nothing if it was changed meanwhile, or is too large."""
    if not 0 <= state.size <= LARGEST_FILE:
        return ""
    try:
        with source.path.open("rb") as file:
            digest = hashlib.file_digest(file, "blake2b").hexdigest()[:32]
        return digest if source.path.stat().st_mtime_ns == state.time else ""
    except OSError:
        return ""


def _reason(bad: BadRecord) -> str:
    return f"line {bad.line}: {bad.reason}" if bad.line else bad.reason
