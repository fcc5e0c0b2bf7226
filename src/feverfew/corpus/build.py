"""Build a corpus: sources stream through the workers into pages, titles and text.

Every few seconds all parts are committed together with how far each source has been read, so
that a build that was cut off goes on from there. Only the finished whole is put into use.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

import msgspec
from msgspec import Struct

from feverfew.corpus import layout
from feverfew.corpus.checksums import digest_parts, seal_store
from feverfew.corpus.linking import link_pages, mentions_when
from feverfew.corpus.names import NameLog, alias_names, keys_of, names_line, title_hash
from feverfew.corpus.packing import train_dictionary
from feverfew.corpus.pages import PageStore, fingerprint, storage_errors
from feverfew.corpus.prepare import Chunk, ChunkResult, Columns, prepare_chunk, worker
from feverfew.corpus.search import TextWriter
from feverfew.corpus.tables import FOLDER, TableWriter
from feverfew.corpus.titles import write_titles
from feverfew.errors import BadRecord, InputError, MissingExtra
from feverfew.readers import PageReader, Source, reader_for, sources
from feverfew.readers.base import Partial, SpanReader
from feverfew.readers.files import bytes_read
from feverfew.types import Page
from feverfew.workers import Workers, cores

__all__ = ["Progress", "build"]

_CHUNK_RECORDS = 512
_CHUNK_BYTES = 1 << 20
_LEAST_BYTES = 1 << 14
_SAMPLE_PAGES = 1_500
_STARTED = "started"
_SMALL = 4 << 20
"""Below this many bytes of sources, starting workers costs more than they save."""

OnBad = Callable[[BadRecord], None]


class Progress(Struct, frozen=True):
    """How far a build is: said after each chunk."""

    pages: int
    fraction: float
    stage: str


class _State(Struct, kw_only=True):
    """What a build must remember to go on after it was cut off."""

    sources: list[str]
    sizes: list[int]
    format: str | None
    done: list[int]
    """Records of each source that are committed."""
    first: list[int]
    """The number of each source's first page: a duplicate of a later one is the source's own."""
    digests: int = 0
    """The sum of the pages' digests."""
    redirects: int = 0
    duplicates: int = 0
    bad: int = 0
    link_mentions: bool | None = None
    linked: bool = False
    """Whether any page has hyperlinks."""


def build(
    paths: Sequence[Path | str],
    directory: Path | str,
    *,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
    resume: bool = False,
    link_mentions: bool | None = None,
    workers: int | None = None,
    on_bad: OnBad | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = 60.0,
) -> layout.Summary:
    """Build a corpus from files and folders, and put it into use when it is whole.

    `link_mentions` says whether to link a page to the titles that it mentions: every page, or none.
    Unless said, those without hyperlinks are, when links are first asked for.
    """
    directory = Path(directory)
    layout.refuse_foreign(directory)
    skipped: list[BadRecord] = []
    found = _sources(paths, directory, skipped.append)
    if not found:
        raise InputError("there is no file to index in " + ", ".join(map(str, paths)))
    if format is not None:
        reader_for(found[0], format)  # a slip in the name is the caller's, not each file's
    with layout.write_lock(directory), closing(_Build(found, directory, format)) as work:
        work.strict, work.checkpoint_seconds = strict, checkpoint_seconds
        work.link_mentions = link_mentions
        work.on_bad = on_bad or (lambda bad: None)
        work.on_progress = on_progress or (lambda progress: None)
        work.start(resume=resume)
        work.report_skipped(skipped)
        return work.run(workers)


def _sources(paths: Sequence[Path | str], directory: Path, on_bad: OnBad) -> list[Source]:
    """List the files to read, without those of a corpus that lies among them."""
    corpus = directory.resolve()
    return [
        source
        for source in sources(paths, on_bad=on_bad)
        if corpus not in source.path.resolve().parents
    ]


class _Build:
    """One build under way: the open parts and the running counts."""

    strict: bool
    checkpoint_seconds: float
    link_mentions: bool | None
    on_bad: OnBad
    on_progress: Callable[[Progress], None]

    def __init__(self, found: list[Source], directory: Path, format: str | None) -> None:  # noqa: A002
        self.started = time.monotonic()
        self.directory, self.sources, self.format = directory, found, format
        self.sizes = [_size(source) for source in found]
        self.before = list(accumulate(self.sizes, initial=0))
        self.position = 0
        self.lines = [0] * len(found)
        """How many lines of each source have been taken, where workers read it in parts."""
        self.opened = ExitStack()

    def close(self) -> None:
        """Let go of all files, whatever has happened."""
        self.opened.close()

    def start(self, *, resume: bool) -> None:
        """Make an empty generation, or open the one that an interrupted build left."""
        with storage_errors(self.directory):
            left = self._left() if resume else None
            self.folder = left or layout.new_generation(self.directory)
            database = self.folder / "pages.sqlite"
            if left:
                self.store = PageStore.open(database, writable=True)
                self.opened.callback(self.store.close)
                self.state = self._remembered()
            else:
                self.store = PageStore.create(database)
                self.opened.callback(self.store.close)
                self.state = self._fresh_state()
                self.store.set_meta("dictionary", train_dictionary(self._sample()))
                self._remember()
                (self.folder / _STARTED).touch()
        self.number = self.store.last_number()
        self.names = NameLog()
        for number, page in self.store.numbered_heads():
            self.names.add(number, [names_line(keys_of(page.title, page.aliases))])
        self.text = TextWriter(self.folder / "text")
        self.opened.callback(self.text.abandon)
        self.text.delete_after(self.number)
        self.tables = TableWriter(self.folder / FOLDER)
        self.opened.callback(self.tables.abandon)
        self.tables.delete_after(self.number)
        self.seen = {title_hash(title): number for number, title in self.store.all_titles()}

    def report_skipped(self, skipped: Sequence[BadRecord]) -> None:
        """Report and count folders and links that are not read."""
        self.skipped = len(skipped)
        for bad in skipped:
            self._report(bad)

    def _left(self) -> Path | None:
        """Find the newest generation that an interrupted build had begun to fill."""
        marks = [path / _STARTED for path in layout.unfinished_generations(self.directory)]
        begun = [mark for mark in marks if mark.exists()]
        return max(begun, key=lambda mark: mark.stat().st_mtime).parent if begun else None

    def _fresh_state(self) -> _State:
        return _State(
            sources=[source.name for source in self.sources],
            sizes=self.sizes,
            format=self.format,
            done=[0] * len(self.sources),
            first=[0] * len(self.sources),
            link_mentions=self.link_mentions,
        )

    def _remembered(self) -> _State:
        state = msgspec.json.decode(str(self.store.meta("build")), type=_State)
        names = [source.name for source in self.sources]
        asked = (names, self.sizes, self.format, self.link_mentions)
        if (state.sources, state.sizes, state.format, state.link_mentions) != asked:
            raise InputError(
                f"{self.directory} holds an unfinished build of other sources or in another way "
                f"({', '.join(state.sources[:3])} …); name the same ones, or leave out --resume"
            )
        return state

    def _remember(self) -> None:
        self.store.set_meta("build", msgspec.json.encode(self.state).decode())
        self.store.commit()

    def run(self, workers: int | None) -> layout.Summary:
        """Read everything, then finish the parts and put the corpus into use."""
        self.workers = workers
        if workers is None:
            workers = cores() if self.before[-1] > _SMALL else 0
        last = time.monotonic()
        with closing(self._prepared(workers)) as chunks:
            for prepared in chunks:
                self._take(prepared)
                if time.monotonic() - last > self.checkpoint_seconds:
                    self._checkpoint()
                    last = time.monotonic()
        if not self.number:
            raise InputError(f"no page found; {self.state.bad} records could not be read")
        return self._finish()

    def _prepared(self, workers: int) -> Generator[ChunkResult]:
        packer = self.store.packer
        if not workers:
            for chunk in self._chunks():
                yield prepare_chunk(chunk, packer)
            return
        dictionary = self.store.meta("dictionary")
        encode = msgspec.msgpack.Encoder().encode
        decode = msgspec.msgpack.Decoder(ChunkResult).decode
        factory = f"{worker.__module__}:{worker.__name__}"
        with Workers(factory, dictionary, workers) as pool:
            for answer in pool.map(encode(chunk) for chunk in self._chunks()):
                yield decode(answer)

    def _readers(self) -> Iterator[tuple[int, Source, PageReader]]:
        for number, source in enumerate(self.sources):
            try:
                yield number, source, reader_for(source, self.format)
            except InputError as error:
                self._unreadable(number, error)

    def _unreadable(self, number: int, error: InputError) -> None:
        """Report a source that cannot be read at all; the only one must not be passed over."""
        if len(self.sources) == 1:
            raise error
        if not self.state.done[number]:  # else it was reported before an interruption
            name = self.sources[number].name
            self.state.bad += 1
            self.state.done[number] = 1
            self._report(BadRecord(str(error).removeprefix(f"{name}: "), path=name))

    def _chunks(self) -> Iterator[Chunk]:
        for number, source, reader in self._readers():
            start = (number, str(source.path), source.name, reader.name)
            records, size = [], 0
            try:
                # Of records that an interrupted build has done, only reading them knows the place.
                if isinstance(reader, SpanReader) and not self.state.done[number]:
                    # Smaller parts of a small file, so that every worker gets some.
                    size = min(max(self.sizes[number] // 32, _LEAST_BYTES), _CHUNK_BYTES)
                    spans = reader.spans(source, size)
                    if spans is not None:
                        yield from (Chunk(*start, [], span.end, span) for span in spans)
                        continue
                for position, record in enumerate(reader.records(source)):
                    if position < self.state.done[number]:
                        continue
                    records.append(record)
                    size += len(record.data)
                    if len(records) == _CHUNK_RECORDS or size > _CHUNK_BYTES:
                        yield Chunk(*start, records, bytes_read(source.path))
                        records, size = [], 0
            except InputError as error:
                self._unreadable(number, error)
            if records:
                yield Chunk(*start, records, self.sizes[number])

    def _sample(self) -> Iterator[Page]:
        """Yield the first pages, to learn the dictionary from."""
        count = 0
        for source in self.sources:
            try:
                reader = reader_for(source, self.format)
                for record in reader.records(source):
                    try:
                        parsed = None if record.problem else reader.parse(record, source)
                    except (BadRecord, MissingExtra):
                        continue
                    if isinstance(parsed, Partial):
                        parsed = parsed.page
                    if isinstance(parsed, Page):
                        yield parsed
                        count += 1
                        if count == _SAMPLE_PAGES:
                            return
            except InputError:
                continue  # it is reported when the source is read in earnest

    def _take(self, prepared: ChunkResult) -> None:
        """Put a chunk's pages into all parts."""
        source, before = prepared.source, self.lines[prepared.source]
        self.lines[source] += prepared.lines
        problems = [
            BadRecord(why, path=path, line=before + line) for why, path, line in prepared.bad
        ]
        self.state.bad += len(problems)
        first = self.number + 1
        if not self.state.first[source]:
            self.state.first[source] = first
        pages = prepared.pages
        last = self.number + len(pages.titles)
        hashes = dict(zip(pages.hashes, range(first, last + 1), strict=True))
        if len(hashes) < len(pages.titles) or not self.seen.keys().isdisjoint(hashes):
            pages = self._without_duplicates(source, before, pages, problems)
        else:
            self.seen.update(hashes)
            self.number = last
        numbers = range(first, self.number + 1)
        self.text.add(zip(numbers, pages.folded_titles, pages.folded_bodies, strict=True))
        self.tables.add(zip(numbers, pages.tables, strict=True))
        columns = (pages.titles, pages.heads, pages.tails, pages.digests)
        self.store.insert(zip(numbers, *columns, strict=True))
        self.store.add_redirects((r.alias, r.target) for r in prepared.redirects)
        self.names.add(first, pages.names)
        self.state.linked |= any(pages.linked)
        self.state.digests = (self.state.digests + sum(pages.digests)) % (1 << 64)
        for problem in sorted(problems, key=lambda problem: problem.line):
            self._report(problem)
        self.state.redirects += len(prepared.redirects)
        self.state.done[source] += prepared.records
        self.position = max(self.position, self.before[source] + prepared.position)
        fraction = min(self.position / (self.before[-1] or 1), 1.0)
        self.on_progress(Progress(self.number, fraction, "reading"))

    def _without_duplicates(
        self, source: int, before: int, pages: Columns, problems: list[BadRecord]
    ) -> Columns:
        """Number the pages whose title is new, and return them; list what a source repeats."""
        new: list[bool] = []
        for title, known_as, line in zip(pages.titles, pages.hashes, pages.lines, strict=True):
            earlier = self.seen.setdefault(known_as, self.number + 1)
            new.append(earlier > self.number)
            if new[-1]:
                self.number += 1
                continue
            self.state.duplicates += 1
            if earlier >= self.state.first[source]:
                why = f"duplicate title {title!r}"
                where = self.sources[source].name
                problems.append(BadRecord(why, path=where, line=before + line))
        return pages.only(new)

    def _report(self, bad: BadRecord) -> None:
        if self.strict:
            raise bad
        self.on_bad(bad)

    def _checkpoint(self) -> None:
        """Commit all parts; the store last, because it decides what counts."""
        self.text.commit()
        self.tables.commit()
        self._remember()

    def _finish(self) -> layout.Summary:
        self.on_progress(Progress(self.number, 1.0, "finishing"))
        links_now = self.state.linked or bool(self.link_mentions)
        if links_now:
            self._checkpoint()  # whoever links the pages reads what is committed
        with ThreadPoolExecutor(1) as beside:
            written = beside.submit(self._finish_text)
            dangling = self._write_titles()
            self.store.set_meta("titles", 1)
            self.store.set_meta("mentions", mentions_when(self.link_mentions).value)
            if links_now:
                self._link()
            written.result()
        summary = layout.Summary(
            pages=self.number,
            redirects=self.state.redirects,
            dangling_redirects=dangling,
            duplicates=self.state.duplicates,
            bad=self.state.bad + self.skipped,
            seconds=round(time.monotonic() - self.started, 3),
        )
        manifest = layout.Manifest(
            format=layout.FORMAT,
            generation=self.folder.name,
            feverfew=version("feverfew"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=self.state.sources,
            built=summary,
        )
        manifest_bytes = layout.manifest_bytes(manifest)
        self.store.set_meta("pages", self.number)
        self.store.set_meta("fingerprint", fingerprint(self.state.digests))
        self.store.set_meta("manifest", layout.digest_bytes(manifest_bytes))
        with storage_errors(self.directory):
            self.store.set_parts(digest_parts(self.folder, {}))
            self.store.commit()
            seal_store(self.folder)
            layout.publish(self.directory, manifest_bytes, self.folder)
            (self.folder / _STARTED).unlink()
        return summary

    def _link(self) -> None:
        self.on_progress(Progress(self.number, 1.0, "linking"))
        link_pages(self.folder, self.store, 1, workers=self.workers)
        self.store.forget_links()
        self.store.set_meta("links", 1)

    def _finish_text(self) -> None:
        for part in (self.text, self.tables):
            part.commit()
            part.close()

    def _write_titles(self) -> int:
        """Write the trie; return how many redirects lead nowhere."""
        dangling = 0

        def names() -> Iterator[tuple[str, int, int]]:
            nonlocal dangling
            yield from self.names.drain()
            for name in alias_names(self.store.redirects(), self.seen):
                if name is None:
                    dangling += 1
                else:
                    yield name

        with storage_errors(self.folder):
            write_titles(self.folder, 1, names())
        return dangling


def _size(source: Source) -> int:
    try:
        return source.path.stat().st_size
    except OSError:
        return 0  # it is reported when it is read
