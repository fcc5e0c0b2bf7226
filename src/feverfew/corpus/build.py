"""Build a corpus: sources stream through the workers into pages, titles and text.

Every few seconds all parts are committed together with how far each source has been read, so
that a build that was cut off goes on from there. Only the finished whole is put into use.
"""

import time
from collections.abc import Callable, Iterator, Sequence
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
from feverfew.corpus.pages import fingerprint, storage_errors
from feverfew.corpus.prepare import ChunkResult, Columns
from feverfew.corpus.reading import SourceReading
from feverfew.corpus.shards import create_store, resume_store, table_writer, text_writer
from feverfew.corpus.titles import write_titles
from feverfew.errors import BadRecord, InputError
from feverfew.pools import Where
from feverfew.readers import Source, reader_for, sources
from feverfew.workers import Budget, cores

__all__ = ["Progress", "build"]

_STARTED = "started"
_SMALL = 4 << 20
"""Below this many bytes of sources, starting more than one worker costs more than it saves."""
_MOST_BARREN = 2_000
"""Records in a row that may be unreadable; the rest of their source is skipped then."""

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
    shards: int = 1
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
    shards: int = 1,
    link_mentions: bool | None = None,
    workers: Where | None = None,
    on_bad: OnBad | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = 60.0,
    budget: Budget | None = None,
) -> layout.Summary:
    """Build a corpus from files and folders, and put it into use when it is whole.

    A record that takes more than its `budget` of time or memory is skipped, and goes to `on_bad`.
    With no `workers`, records are read in this process, and not bounded. On a cluster, records are
    parsed by its machines; links are found on this one.

    `link_mentions` says whether to link a page to the titles that it mentions: every page, or none.
    Unless said, those without hyperlinks are, when links are first asked for. `shards` are parts
    of about equal size, each of which could lie on another disk or be copied by itself.
    """
    directory = Path(directory)
    layout.refuse_foreign(directory)
    skipped: list[BadRecord] = []
    found = list_sources(paths, directory, skipped.append)
    if not found:
        raise InputError("there is no file to index in " + ", ".join(map(str, paths)))
    if format is not None:
        reader_for(found[0], format)  # a slip in the name is the caller's, not each file's
    with layout.write_lock(directory), closing(_Build(found, directory, format)) as work:
        work.strict, work.checkpoint_seconds = strict, checkpoint_seconds
        work.link_mentions, work.shards = link_mentions, shards
        work.on_bad = on_bad or (lambda bad: None)
        work.on_progress = on_progress or (lambda progress: None)
        work.workers, work.budget = workers, budget or Budget()
        work.start(resume=resume)
        work.report_skipped(skipped)
        return work.run()


def list_sources(paths: Sequence[Path | str], directory: Path, on_bad: OnBad) -> list[Source]:
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
    shards: int
    on_bad: OnBad
    on_progress: Callable[[Progress], None]
    workers: Where | None
    budget: Budget

    def __init__(self, found: list[Source], directory: Path, format: str | None) -> None:  # noqa: A002
        self.started = time.monotonic()
        self.directory, self.sources, self.format = directory, found, format
        self.sizes = [_size(source) for source in found]
        self.before = list(accumulate(self.sizes, initial=0))
        self.position = 0
        self.lines = [0] * len(found)
        """How many lines of each source have been taken, where workers read it in parts."""
        self.barren = [0] * len(found)
        """How many records of each source in a row could not be read."""
        self.opened = ExitStack()

    def close(self) -> None:
        """Let go of all files, whatever has happened."""
        self.opened.close()

    def start(self, *, resume: bool) -> None:
        """Make an empty generation, or open the one that an interrupted build left."""
        small = self.before[-1] <= _SMALL
        self.reading = SourceReading(
            self.sources,
            self.sizes,
            self.format,
            workers=self.workers if self.workers is not None else 1 if small else cores(),
            budget=self.budget,
            on_unreadable=self._unreadable,
        )
        with storage_errors(self.directory):
            left = self._left() if resume else None
            self.folder = left or layout.new_generation(self.directory)
            if left:
                self.store = resume_store(self.folder)
                self.opened.callback(self.store.close)
                self.state = self._remembered()
            else:
                self.store = create_store(self.folder, self.shards)
                self.opened.callback(self.store.close)
                self.state = self._fresh_state()
                self.store.set_meta("dictionary", self.reading.dictionary())
                self._remember()
                (self.folder / _STARTED).touch()
        self.number = self.store.last_number()
        self.names = NameLog()
        for number, page in self.store.numbered_heads():
            self.names.add(number, [names_line(keys_of(page.title, page.aliases))])
        self.text = text_writer(self.folder)
        self.opened.callback(self.text.abandon)
        self.text.delete_after(self.number)
        self.tables = table_writer(self.folder)
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
            shards=self.shards,
            done=[0] * len(self.sources),
            first=[0] * len(self.sources),
            link_mentions=self.link_mentions,
        )

    def _remembered(self) -> _State:
        state = msgspec.json.decode(str(self.store.meta("build")), type=_State)
        names = [source.name for source in self.sources]
        asked = (names, self.sizes, self.format, self.link_mentions, self.shards)
        begun = (state.sources, state.sizes, state.format, state.link_mentions, state.shards)
        if begun != asked:
            raise InputError(
                f"{self.directory} holds an unfinished build of other sources or in another way "
                f"({', '.join(state.sources[:3])} …); name the same ones, or leave out --resume"
            )
        return state

    def _remember(self) -> None:
        self.store.set_meta("build", msgspec.json.encode(self.state).decode())
        self.store.commit()

    def run(self) -> layout.Summary:
        """Read everything, then finish the parts and put the corpus into use."""
        last = time.monotonic()
        dictionary = self.store.meta("dictionary")
        known = dictionary if isinstance(dictionary, bytes) else b""
        with closing(self.reading.results(known, list(self.state.done))) as chunks:
            for prepared in chunks:
                self._take(prepared)
                if time.monotonic() - last > self.checkpoint_seconds:
                    self._checkpoint()
                    last = time.monotonic()
        if not self.number:
            raise InputError(f"no page found; {self.state.bad} records could not be read")
        return self._finish()

    def _unreadable(self, number: int, error: InputError) -> None:
        """Report a source that cannot be read, or not to its end."""
        if isinstance(error, BadRecord):  # from some place on
            self.state.bad += 1
            self._report(error)
            return
        if len(self.sources) == 1:
            raise error  # the only one must not be passed over
        if not self.state.done[number]:  # else it was reported before an interruption
            name = self.sources[number].name
            self.state.bad += 1
            self.state.done[number] = 1
            self._report(BadRecord(str(error).removeprefix(f"{name}: "), path=name))

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
        self._watch_barren(source, len(problems), len(numbers) + len(prepared.redirects))
        self.state.redirects += len(prepared.redirects)
        self.state.done[source] += prepared.records
        self.position = max(self.position, self.before[source] + prepared.position)
        fraction = min(self.position / (self.before[-1] or 1), 1.0)
        self.on_progress(Progress(self.number, fraction, "reading"))

    def _watch_barren(self, source: int, bad: int, found: int) -> None:
        """Leave a source that has long given nothing but records that cannot be read."""
        before = self.barren[source]
        self.barren[source] = 0 if found else before + bad
        if before <= _MOST_BARREN < self.barren[source]:
            self.reading.leave(source)
            self.state.bad += 1
            why = f"{_MOST_BARREN:,} records in a row cannot be read; the rest of it is skipped"
            self._report(BadRecord(why, path=self.sources[source].name))

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
            format=layout.format_of(self.shards),
            shards=self.shards,
            generation=self.folder.name,
            feverfew=version("feverfew"),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=self.state.sources,
            built=summary,
        )
        manifest_bytes = layout.manifest_bytes(manifest)
        self._remember()  # with the last pages: a build cut off before publishing goes on here
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
        beside = None if isinstance(self.workers, str) else self.workers
        link_pages(self.folder, self.store, 1, workers=beside)
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
