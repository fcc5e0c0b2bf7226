"""A corpus on disk: pages by title, names in a text, full text; opened from its path alone."""

import difflib
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from feverfew.corpus import layout
from feverfew.corpus.checksums import STORE, find_damage, store_damaged
from feverfew.corpus.links import LinkGraph, Links
from feverfew.corpus.names import lookup_key, targets_of
from feverfew.corpus.pages import PageStore
from feverfew.corpus.search import TextIndex
from feverfew.corpus.shards import open_store, open_tables, open_text
from feverfew.corpus.titles import TitleIndex, find_number
from feverfew.errors import (
    CorpusBusy,
    CorpusChanged,
    CorpusDamaged,
    CorpusError,
    NotACorpus,
    NotFound,
)
from feverfew.types import Page, Ref

__all__ = ["Corpus"]

_PATIENCE: tuple[float, ...] = (0.0, 0.05, 0.2)
"""Seconds to wait before looking again at what seems damaged."""


class Corpus:
    """An open corpus, as it was when it was opened; `reload` to see later changes."""

    def __init__(
        self,
        path: Path,
        manifest: layout.Manifest,
        store: PageStore,
        titles: TitleIndex,
        text: TextIndex,
        tables: TextIndex | None = None,
        links: LinkGraph | None = None,
    ) -> None:
        self._links = links
        self.path = path
        self.manifest = manifest
        self.store = store
        self.titles = titles
        self.text = text
        self.tables = tables
        """Every table is a text of its own here; None where there is no table."""

    @classmethod
    def open(cls, directory: Path | str) -> "Corpus":
        """Open a corpus directory for reading."""
        directory = Path(directory)
        patience = list(_PATIENCE)
        while True:
            manifest = layout.read_manifest(directory)
            try:
                return cls._open(directory, manifest)
            except NotACorpus:
                raise
            except CorpusError:
                if layout.read_manifest(directory) != manifest:
                    continue  # a writer put other files into place while we looked at the old ones
                if not patience:
                    raise
                time.sleep(patience.pop(0))

    @classmethod
    def _open(cls, directory: Path, manifest: layout.Manifest) -> "Corpus":
        folder = layout.generation_path(directory, manifest)
        with ExitStack() as opened:
            store = _open_store(directory, folder)
            opened.callback(store.close)
            damage = _damage(directory, folder, store)
            if damage and not layout.being_written(directory):
                raise CorpusDamaged(
                    f"{directory} is damaged: {damage}; build it again with 'feverfew index'"
                )
            version = store.meta("titles")
            if not isinstance(version, int):
                raise CorpusDamaged(
                    f"{directory} is incomplete; build it again with 'feverfew index'"
                )
            titles = TitleIndex.open(folder, version, store.new_names())
            text = open_text(folder, store)
            tables = open_tables(folder, store)
            links = None
            if isinstance(linked := store.meta("links"), int):
                links = LinkGraph.open(folder, linked, store.relinked())
            if store.has_changed():
                raise CorpusChanged(f"{directory} was changed while it was opened; open it again")
            opened.pop_all()
        return cls(directory, manifest, store, titles, text, tables, links)

    @classmethod
    def build(
        cls, sources: Sequence[Path | str], directory: Path | str, **options: Any
    ) -> "Corpus":
        """Build a corpus from files and folders, then open it; options as for `build.build`."""
        from feverfew.corpus.build import build

        build(sources, directory, **options)
        return cls.open(directory)

    @classmethod
    def sample(cls) -> "Corpus":
        """Open the small encyclopedia that comes with feverfew, building it on first use."""
        from feverfew.sample import sample_corpus

        try:
            return cls.open(sample_corpus())
        except CorpusDamaged:  # a cache may be cleared or broken by anyone
            return cls.open(sample_corpus(anew=True))

    def reload(self) -> "Corpus":
        """Open the newest state of this corpus; this handle stays as it is."""
        return Corpus.open(self.path)

    def is_newest(self) -> bool:
        """Say whether nothing was built or changed since this handle was opened."""
        used = layout.read_manifest(self.path).generation
        return used == self.manifest.generation and not self.store.has_changed()

    @property
    def generation(self) -> str:
        """The state this handle serves: the build, and how many changes followed it."""
        return f"{self.manifest.generation}.{self.store.meta('change', 0)}"

    def close(self) -> None:
        """Close the files."""
        self.store.close()

    def __enter__(self) -> "Corpus":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        pages = self.store.meta("pages")
        return pages if isinstance(pages, int) else 0

    def __iter__(self) -> Iterator[Page]:
        """Stream every page."""
        return self.store.all_pages()

    def __contains__(self, title: object) -> bool:
        return isinstance(title, str) and self.number(title) is not None

    @property
    def fingerprint(self) -> str:
        """The name of the content: equal for equal pages, in whatever order they came."""
        return str(self.store.meta("fingerprint"))

    def number(self, title: str) -> int | None:
        """Find a page's number by its title in any spelling, or by an alias."""
        return find_number(self.titles, self.store, title)

    def page(self, title: str) -> Page:
        """Return a page by its title in any spelling, or by an alias."""
        number = self.number(title)
        found = None if number is None else self.store.page(number)
        if found is None:
            raise NotFound(f"no page {title!r}{self._near(title)}")
        return found

    @property
    def linked(self) -> bool:
        """Whether the links between pages are stored; else they are found on first use."""
        return self.store.meta_now("links") is not None

    @property
    def links(self) -> LinkGraph:
        """The links between pages, by number; found on first use, where the build did not."""
        if self._links is None:
            from feverfew.corpus.linking import find_links

            folder = self.path / self.manifest.generation
            self._links = find_links(self.path, folder, self.store, self.titles)
        return self._links

    def links_of(self, title: str) -> Links:
        """Return where a page leads to and what leads to it: hyperlinks or, without any, names."""
        page = self.page(title)
        number = self.number(title)
        out = [] if number is None else self.links.out(number)
        into = [] if number is None else self.links.into(number)
        titles = self.store.titles([*out, *into])
        missing = [target for target in targets_of(page) if target not in self]
        return Links(
            tuple(titles[n] for n in out if n in titles),
            tuple(titles[n] for n in into if n in titles),
            tuple(dict.fromkeys(missing)),
        )

    def element(self, ref: Ref) -> str:
        """Return the text of one element."""
        page = self.page(ref.page)
        wanted = Ref(page.title, ref.kind, ref.position)
        for at, text in page.elements():
            if at == wanted:
                return text
        raise NotFound(f"page {page.title!r} has no element '{wanted}'")

    def _near(self, title: str) -> str:
        """Name the pages that a mistyped title may have meant."""
        words = lookup_key(title).split()
        numbers = [n for n, _ in self.text.search(words, 20)]
        for word in words:
            numbers += self.text.similar_titles([word], 0, 10)
        titles = list(dict.fromkeys(self.store.titles(numbers).values()))
        near = difflib.get_close_matches(title, titles, 3, 0.5)
        return f"; near names are {', '.join(map(repr, near))}" if near else ""


def _damage(directory: Path, folder: Path, store: PageStore) -> str:
    """Say what is wrong with a corpus, as far as that shows soon."""
    if store_damaged(folder):
        return f"{STORE} has changed"
    known = store.meta("manifest")  # corpora of the first version have none
    if known is not None and known != layout.manifest_digest(directory):
        return "manifest.json has changed"
    return next(iter(find_damage(folder, store.parts(), thorough=False)), "")


def _open_store(directory: Path, folder: Path) -> PageStore:
    store = open_store(folder)
    try:
        if not store.pending():
            return store
    except CorpusError:
        store.close()
        raise
    store.close()
    _recover(directory)
    return open_store(folder)


_FINISHING = 10.0
"""Seconds that a writer is waited for whose pages are stored, and whose full text is not yet."""


def _wait_for_writer(directory: Path) -> None:
    """Let a writer finish, or full text would lag behind the pages; beyond that, it may."""
    end = time.monotonic() + _FINISHING
    while layout.being_written(directory) and time.monotonic() < end:
        time.sleep(0.02)


def _recover(directory: Path) -> None:
    """Finish what a writer that was cut off had begun, unless it cannot or need not be."""
    from feverfew.corpus.update import recover

    try:
        recover(directory)
    except CorpusBusy:
        _wait_for_writer(directory)
    except CorpusError:
        pass  # nothing may be written here: pages are whole, full text lags behind
