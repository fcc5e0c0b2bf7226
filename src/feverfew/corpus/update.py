"""Change a corpus in place: add, replace and remove pages, durable on return.

The store's transaction decides. It also notes which pages the text index has yet to hear of,
so that whoever opens the corpus after a crash can finish the work.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from feverfew.corpus import layout
from feverfew.corpus.checksums import break_seal, digest_parts, seal_store
from feverfew.corpus.linking import relink, renew_if_many
from feverfew.corpus.names import NameKind, alias_names, keys_of, lookup_key, title_hash
from feverfew.corpus.pages import PageStore, fingerprint, storage_errors
from feverfew.corpus.prepare import check_page, prepare_page
from feverfew.corpus.search import TextWriter
from feverfew.corpus.shards import open_store
from feverfew.corpus.tables import FOLDER, TableWriter
from feverfew.corpus.titles import TitleIndex, title_files, write_titles
from feverfew.errors import CorpusError, InputError, NotFound
from feverfew.types import Page, Redirect

__all__ = ["add", "recover", "remove", "replace"]

_MOST_NEW_NAMES = 20_000
"""Beyond this, or a tenth of the trie, the trie is written anew: opening must stay fast."""


def add(directory: Path | str, pages: Iterable[Page | Redirect]) -> int:
    """Add pages; a title that is already there is an error, and then nothing is added."""
    return _put(Path(directory), pages, replacing=False)


def replace(directory: Path | str, pages: Iterable[Page | Redirect]) -> int:
    """Put new versions of pages; those whose title is new are added."""
    return _put(Path(directory), pages, replacing=True)


def remove(directory: Path | str, titles: Iterable[str]) -> int:
    """Take pages out; an unknown title is an error, and then nothing is removed."""
    with _changing(Path(directory)) as change:
        count = 0
        for title in titles:
            number = change.find(title)
            if number is None:
                raise NotFound(f"no page {title!r}; nothing was removed")
            change.delete(number)
            count += 1
    return count


def recover(directory: Path) -> None:
    """Tell the text index what a writer that was cut off could not."""
    with _changing(directory):
        pass


def _put(directory: Path, pages: Iterable[Page | Redirect], *, replacing: bool) -> int:
    with _changing(directory) as change:
        count = 0
        redirects: list[Redirect] = []
        for page in pages:
            if isinstance(page, Redirect):
                redirects.append(page)
                continue
            number = change.find(page.title)
            if number is not None and not replacing:
                raise InputError(
                    f"page {page.title!r} is already there; nothing was added "
                    "(use 'feverfew replace' for a new version)"
                )
            change.put(page, number)
            count += 1
        # Last, because a redirect may come before its page.
        change.redirect(redirects)
    return count


def put_and_remove(
    directory: Path,
    pages: Iterable[Page | Redirect],
    stale: Callable[[Page], bool],
    note: str,
    noted: Callable[[], bytes],
) -> int:
    """Put new versions of stale pages, take out those without one; return how many pages are left.

    A page whose title another source has is left out. `noted`, called last, is kept as `note`.
    """
    with _changing(directory) as change:
        old = {number for number, page in change.store.numbered_heads() if stale(page)}
        redirects: list[Redirect] = []
        for page in pages:
            if isinstance(page, Redirect):
                redirects.append(page)
                continue
            number = change.find(page.title)
            if number is None or number in old:
                change.put(page, number)
                old.discard(number or 0)
        for number in old:
            change.delete(number)
        for redirect in redirects:
            with suppress(NotFound):  # as a build, which only counts those that lead nowhere
                change.redirect([redirect])
        change.store.set_meta(note, noted())
    return change.pages


class _Change:
    """One transaction over the store, with the names that it has added so far."""

    def __init__(self, folder: Path, store: PageStore, titles: TitleIndex) -> None:
        self.folder, self.store, self.titles = folder, store, titles
        self.fresh: dict[int, int] = {}
        self.removed: set[int] = set()
        self.names: set[str] = set()
        """Names that pages came to bear, or no longer do."""
        self.next = max(store.last_number(), _number(store.meta("last_number"))) + 1
        self.total = int(str(store.meta("fingerprint")), 16)
        self.pages = _number(store.meta("pages"))

    def find(self, title: str) -> int | None:
        """Find a page by its exact title, in the corpus or in this change."""
        wanted = title_hash(title)
        if wanted in self.fresh:
            return self.fresh[wanted]
        pages_named = [n for n, _ in self.titles.pages_named(lookup_key(title))]
        for number, written in self.store.titles(pages_named).items():
            if title_hash(written) == wanted:
                return number
        return None

    def put(self, page: Page, number: int | None) -> None:
        """Write a page under its number, or under a new one."""
        check_page(page)
        kept: list[tuple[str, NameKind]] = []
        if number is not None and self.store.is_sealed(number):
            # A shard does not change: the new version gets a number, and the old one's names.
            kept = self.titles.names_of(number)
            self.delete(number)
            number = None
        if number is None:
            number, self.next = self.next, self.next + 1
            self.pages += 1
        else:
            self.total -= self.store.digest(number)
        ready = prepare_page(page, self.store.packer)
        self.store.replace(number, page.title, ready.packed)
        self.total += ready.packed.digest
        self.fresh[ready.title_hash] = number
        for key, kind in dict.fromkeys([*ready.keys.items(), *kept]):
            if (number, kind) not in self.titles.pages_named(key):
                self.store.add_names([(key, kind, number)])
                self.names.add(key)

    def delete(self, number: int) -> None:
        """Take a page out."""
        for page in self.store.heads([number]).values():
            self.names.update(keys_of(page.title, page.aliases))
        self.removed.add(number)
        self.total -= self.store.digest(number)
        self.pages -= 1
        self.store.delete(number)

    def redirect(self, redirects: list[Redirect]) -> None:
        """Note other names of pages, which may lead there by way of each other."""
        targets = {title_hash(r.alias): r.target for r in redirects}
        for redirect in redirects:
            target = redirect.target
            for _ in range(len(redirects)):
                if (number := self.find(target)) or title_hash(target) not in targets:
                    break
                target = targets[title_hash(target)]
            if number is None:
                raise NotFound(
                    f"{redirect.alias!r} redirects to {redirect.target!r}, which is no page; "
                    "nothing was changed"
                )
            self.store.add_redirects([(redirect.alias, redirect.target)])
            self.store.add_names([(lookup_key(redirect.alias), NameKind.ALIAS, number)])
            self.names.add(lookup_key(redirect.alias))

    def commit(self) -> None:
        """Make the change durable, with the links that follow from it."""
        put = set(self.fresh.values()) - self.removed
        relink(self.folder, self.store, self.titles, put, self.removed, self.names)
        self.store.set_meta("last_number", self.next - 1)
        self.store.set_meta("pages", self.pages)
        self.store.set_meta("fingerprint", fingerprint(self.total))
        if self.fresh or self.removed or self.names:
            self.store.end_change()
        self.store.commit()


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


@contextmanager
def _changing(directory: Path) -> Iterator[_Change]:
    """Hold the lock, change the store, then let text and titles follow."""
    layout.read_manifest(directory)  # or taking the lock would make the directory
    with layout.write_lock(directory):
        folder = layout.generation_path(directory, layout.read_manifest(directory))
        with storage_errors(folder):
            break_seal(folder)
        store = open_store(folder, writable=True)
        try:
            _follow(folder, store)
            titles = TitleIndex.open(folder, _number(store.meta("titles")), store.new_names())
            change = _Change(folder, store, titles)
            yield change
            change.commit()
            try:
                _follow(folder, store)
                _renew_titles(folder, store, len(titles))
                renew_if_many(folder, store)
            except CorpusError as error:
                raise CorpusError(
                    f"the change is stored, but search has yet to hear of it: {error}; "
                    "it will when the corpus is next opened"
                ) from error
        finally:
            store.rollback()
            store.close()
            with suppress(OSError):  # on a full disk, it is left unsealed
                seal_store(folder)


def _follow(folder: Path, store: PageStore) -> None:
    """Bring text and tables up to date with the store, then strike the note that it is not."""
    pending = store.pending()
    if not pending:
        return
    text, tables = TextWriter(folder / "text", new=False), TableWriter(folder / FOLDER)
    try:
        for number in pending:
            text.delete(number)
            tables.delete(number)
            page = store.page(number)
            if page is not None:
                ready = prepare_page(page, store.packer)
                text.add([(number, ready.folded_title, ready.folded_body)])
                tables.add([(number, ready.tables)])
        for part in (text, tables):
            part.commit()
            part.close()
    finally:
        text.abandon()
        tables.abandon()
    store.clear_pending()
    with storage_errors(folder):
        store.set_parts(digest_parts(folder, store.parts()))
    store.commit()


def _renew_titles(folder: Path, store: PageStore, size: int) -> None:
    """Write the trie anew when too many names lie beside it."""
    if len(store.new_names()) <= max(_MOST_NEW_NAMES, size // 10):
        return
    old = _number(store.meta("titles"))
    pages = {title_hash(title): number for number, title in store.all_titles()}

    def names() -> Iterator[tuple[str, int, int]]:
        for number, page in store.numbered_heads():
            for key, kind in keys_of(page.title, page.aliases).items():
                yield key, kind, number
        yield from filter(None, alias_names(store.redirects(), pages))

    with storage_errors(folder):
        write_titles(folder, old + 1, names())
    store.set_meta("titles", old + 1)
    store.clear_names()
    # What is known of files of these names is of a version that was cut off, or is going.
    titles = {*title_files(old).values(), *title_files(old + 1).values()}
    known = {name: part for name, part in store.parts().items() if name not in titles}
    with storage_errors(folder):
        found = digest_parts(folder, known)
    for name in title_files(old).values():
        del found[name]
    store.set_parts(found)
    store.commit()
    for name in title_files(old).values():
        (folder / name).unlink(missing_ok=True)
