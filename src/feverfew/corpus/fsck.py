"""Check a corpus thoroughly: every file, every page, every count."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec import MsgspecError
from zstandard import ZstdError

from feverfew.corpus import layout
from feverfew.corpus.checksums import find_damage, store_damaged
from feverfew.corpus.links import LinkGraph, link_files
from feverfew.corpus.pages import PageStore, fingerprint, storage_errors
from feverfew.corpus.shards import open_store, open_tables, open_text
from feverfew.corpus.titles import TitleIndex, title_files
from feverfew.errors import CorpusBusy, CorpusError

__all__ = ["fsck"]

_ENOUGH = 20


Progress = Callable[[int], None]
Note = Callable[[str], None]


def fsck(
    directory: Path | str, on_progress: Progress | None = None, on_note: Note | None = None
) -> list[str]:
    """Return what is wrong with a corpus; an empty list is a clean bill of health.

    `on_note` is told what is not wrong, but worth knowing.
    """
    directory = Path(directory)
    layout.read_manifest(directory)
    try:
        with layout.write_lock(directory):
            return _fsck(directory, on_progress or _ignore, on_note or _ignore)
    except CorpusBusy:
        raise
    except CorpusError:  # nothing may be written here, so no one is writing
        return _fsck(directory, on_progress or _ignore, on_note or _ignore)


def _ignore(_: object) -> None:
    pass


def _fsck(directory: Path, on_progress: Progress, on_note: Note) -> list[str]:
    try:
        folder = layout.generation_path(directory, layout.read_manifest(directory))
        with closing(open_store(folder)) as store, storage_errors(folder):
            problems = _check(folder, store, on_progress, on_note)
            if store.meta("manifest") != layout.manifest_digest(directory):
                problems.insert(0, "manifest.json has changed")
            return problems
    except CorpusError as error:
        return [str(error)]


def _check(folder: Path, store: PageStore, on_progress: Progress, on_note: Note) -> list[str]:
    problems = [f"pages.sqlite: {what}" for what in store.damage()]
    if store_damaged(folder):
        problems.append("pages.sqlite has changed")
    parts = store.parts()
    problems += find_damage(folder, parts, thorough=True)
    version = store.meta("titles")
    files = title_files(version if isinstance(version, int) else 0).values()
    links = store.meta("links")
    linked = link_files(links).values() if isinstance(links, int) else ()
    needed = {*files, *linked, "text/meta.json"}
    problems += [f"{name} is not in the books" for name in sorted(needed - parts.keys())]
    if pending := store.pending():
        problems.append(f"full text has yet to hear of {len(pending)} pages; opening mends this")
    if problems:
        return problems
    indexed = open_tables(folder, store)
    pages = total = tables = unchecked = 0
    numbers: set[int] = set()
    for number, title, head, tail, digest in store.rows():
        try:
            same = store.packer.digest(head, tail) == digest
            unchecked += not store.packer.has_checksum(head)
            if not same or store.packer.head(head).title != title:
                problems.append(f"page {number} ({title}) has changed")
            elif indexed is not None:
                tables += len(store.packer.page(head, tail).tables)
        except (ZstdError, MsgspecError, ValueError, MemoryError):
            problems.append(f"page {number} ({title}) cannot be read")
        if len(problems) == _ENOUGH:
            return [*problems, "and perhaps more"]
        pages += 1
        numbers.add(number)
        total += digest
        if pages % 1_000 == 0:
            on_progress(pages)
    if unchecked:
        on_note(
            f"{unchecked:,} pages were stored without a checksum by an older feverfew: damage to "
            "them is found by fsck, not when they are read; build the corpus again to add it"
        )
    counted = {"pages": store.meta("pages"), "text": len(open_text(folder, store))}
    for part, count in counted.items():
        if count != pages:
            problems.append(f"{part} counts {count} pages, the store holds {pages}")
    if indexed is not None and len(indexed) != tables:
        problems.append(f"the index has {len(indexed)} tables, the pages hold {tables}")
    if fingerprint(total) != store.meta("fingerprint"):
        problems.append("the fingerprint does not fit the pages")
    if isinstance(links, int):
        problems += LinkGraph.open(folder, links, store.relinked()).damage(numbers)
    TitleIndex.open(folder, version if isinstance(version, int) else 0, store.new_names())
    return problems
