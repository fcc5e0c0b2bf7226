"""Build a corpus: sources stream through the workers into pages, titles and text.

Every few seconds all parts are committed together with how far each source has been read, so
that a build that was cut off goes on from there. Only the finished whole is put into use.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from threading import Thread

import msgspec
from msgspec import Struct

from feverfew.corpus import layout
from feverfew.corpus.names import NameKind, lookup_key
from feverfew.corpus.packing import Packed, train_dictionary
from feverfew.corpus.pages import PageStore, storage_errors
from feverfew.corpus.parts import digest_parts
from feverfew.corpus.prepare import Chunk, Prepared, identity, prepare_chunk, worker
from feverfew.corpus.search import TextWriter
from feverfew.corpus.titles import write_titles
from feverfew.errors import BadRecord, InputError, UnknownFormat
from feverfew.model import Page
from feverfew.parallel import Workers, cores
from feverfew.readers import PageReader, Source, reader_for, sources

__all__ = ["Progress", "build"]

_CHUNK_RECORDS = 512
_CHUNK_BYTES = 1 << 20
_SAMPLE_PAGES = 1_500
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
    format: str | None
    done: list[int]
    """Records of each source that are committed."""
    names_size: int = 0
    redirects: int = 0
    duplicates: int = 0
    bad: int = 0


def build(
    paths: Sequence[Path | str],
    directory: Path | str,
    *,
    format: str | None = None,  # noqa: A002
    strict: bool = False,
    resume: bool = False,
    workers: int | None = None,
    on_bad: OnBad | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    checkpoint_seconds: float = 20.0,
) -> layout.Summary:
    """Build a corpus from files and folders, and put it into use when it is whole."""
    directory = Path(directory)
    found = list(sources(paths))
    if not found:
        raise InputError("there is no file to index in " + ", ".join(map(str, paths)))
    with layout.write_lock(directory):
        work = _Build(found, directory, format, resume=resume)
        work.strict, work.checkpoint_seconds = strict, checkpoint_seconds
        work.on_bad = on_bad or (lambda bad: None)
        work.on_progress = on_progress or (lambda progress: None)
        return work.run(workers)


class _Build:
    """One build under way: the open parts and the running counts."""

    strict: bool
    checkpoint_seconds: float
    on_bad: OnBad
    on_progress: Callable[[Progress], None]

    def __init__(
        self,
        found: list[Source],
        directory: Path,
        format: str | None,  # noqa: A002
        *,
        resume: bool,
    ) -> None:
        self.started = time.monotonic()
        self.directory, self.sources, self.format = directory, found, format
        self.sizes = [source.path.stat().st_size for source in found]
        self.folder = (layout.unfinished_generation(directory) if resume else None) or (
            layout.new_generation(directory)
        )
        database, names = self.folder / "pages.sqlite", self.folder / "names.tmp"
        with storage_errors(self.folder):
            if (self.folder / "started").exists():
                self.store = PageStore.open(database, writable=True)
                self.state = self._remembered()
            else:
                database.unlink(missing_ok=True)
                self.store = PageStore.create(database)
                self.state = _State(
                    sources=[source.name for source in found],
                    format=format,
                    done=[0] * len(found),
                )
                self.store.set_fact("dictionary", train_dictionary(self._sample()))
                self._remember()
                (self.folder / "started").touch()
            self.names = names.open("a+", encoding="utf-8", newline="\n")
            self.names.truncate(self.state.names_size)
        self.number = self.store.last_number()
        self.text = TextWriter(self.folder / "text")
        self.text.delete_after(self.number)
        self.seen = {identity(title): number for number, title in self.store.all_titles()}
        self.digests = 0
        self.first_number = [0] * len(found)

    def _remembered(self) -> _State:
        state = msgspec.json.decode(str(self.store.fact("build")), type=_State)
        if state.sources != [source.name for source in self.sources] or state.format != self.format:
            raise InputError(
                f"{self.directory} holds an unfinished build of other sources "
                f"({', '.join(state.sources[:3])} …); name the same ones, or leave out --resume"
            )
        return state

    def _remember(self) -> None:
        self.store.set_fact("build", msgspec.json.encode(self.state).decode())
        self.store.commit()

    def run(self, workers: int | None) -> layout.Summary:
        """Read everything, then finish the parts and put the corpus into use."""
        if workers is None:
            workers = cores() if sum(self.sizes) > _SMALL else 0
        last = time.monotonic()
        for prepared in self._prepared(workers):
            self._take(prepared)
            if time.monotonic() - last > self.checkpoint_seconds:
                self._checkpoint()
                last = time.monotonic()
        if not self.number:
            raise InputError(f"no page found; {self.state.bad} records could not be read")
        self._checkpoint()
        return self._finish()

    def _prepared(self, workers: int) -> Iterator[Prepared]:
        packer = self.store.packer
        if not workers:
            for chunk in self._chunks():
                yield prepare_chunk(chunk, packer)
            return
        dictionary = self.store.fact("dictionary")
        encode = msgspec.msgpack.Encoder().encode
        decode = msgspec.msgpack.Decoder(Prepared).decode
        factory = f"{worker.__module__}:{worker.__name__}"
        with Workers(factory, dictionary, workers) as pool:
            for answer in pool.map(encode(chunk) for chunk in self._chunks()):
                yield decode(answer)

    def _readers(self) -> Iterator[tuple[int, Source, PageReader]]:
        for number, source in enumerate(self.sources):
            try:
                yield number, source, reader_for(source, self.format)
            except UnknownFormat as error:
                if len(self.sources) == 1:
                    raise
                self._bad(BadRecord(str(error).removeprefix(f"{source.name}: "), path=source.name))

    def _chunks(self) -> Iterator[Chunk]:
        for number, source, reader in self._readers():
            start = (number, str(source.path), source.name, reader.name)
            records, size = [], 0
            for position, record in enumerate(reader.records(source)):
                if position < self.state.done[number]:
                    continue
                records.append(record)
                size += len(record.data)
                if len(records) == _CHUNK_RECORDS or size > _CHUNK_BYTES:
                    yield Chunk(*start, records)
                    records, size = [], 0
            if records:
                yield Chunk(*start, records)

    def _sample(self) -> Iterator[Page]:
        """Yield the first pages, to learn the dictionary from."""
        count = 0
        for source in self.sources:
            try:
                reader = reader_for(source, self.format)
                for record in reader.records(source):
                    try:
                        parsed = None if record.problem else reader.parse(record, source)
                    except BadRecord:
                        continue
                    if isinstance(parsed, Page):
                        yield parsed
                        count += 1
                        if count == _SAMPLE_PAGES:
                            return
            except InputError:
                continue  # it is reported when the source is read in earnest

    def _take(self, prepared: Prepared) -> None:
        """Put a chunk's pages into all parts."""
        source = prepared.source
        rows: list[tuple[int, str, Packed]] = []
        names: list[str] = []
        if not self.first_number[source]:
            self.first_number[source] = self.number + 1
        for ready in prepared.pages:
            earlier = self.seen.setdefault(ready.identity, self.number + 1)
            if earlier <= self.number:
                self._duplicate(ready.title, ready.line, source, earlier)
                continue
            self.number += 1
            rows.append((self.number, ready.title, ready.packed))
            names.extend(f"{key}\t{kind}\t{self.number}\n" for key, kind in ready.keys)
            self.text.add(self.number, ready.folded_title, ready.folded_body)
        self.store.insert(rows)
        self.store.add_redirects((r.alias, r.target) for r in prepared.redirects)
        with storage_errors(self.folder):
            self.names.writelines(names)
        for why, path, line in prepared.bad:
            self._bad(BadRecord(why, path=path, line=line))
        self.state.redirects += len(prepared.redirects)
        self.state.done[source] += prepared.records
        finished = sum(self.sizes[:source]) / (sum(self.sizes) or 1)
        self.on_progress(Progress(self.number, finished, "reading"))

    def _duplicate(self, title: str, line: int, source: int, earlier: int) -> None:
        self.state.duplicates += 1
        if earlier >= self.first_number[source]:
            bad = BadRecord(f"duplicate title {title!r}", path=self.sources[source].name, line=line)
            if self.strict:
                raise bad
            self.on_bad(bad)

    def _bad(self, bad: BadRecord) -> None:
        if self.strict:
            raise bad
        self.state.bad += 1
        self.on_bad(bad)

    def _checkpoint(self) -> None:
        """Commit all parts; the store last, because it decides what counts."""
        self.text.commit()
        with storage_errors(self.folder):
            self.names.flush()
            self.state.names_size = self.names.tell()
        self._remember()

    def _finish(self) -> layout.Summary:
        self.on_progress(Progress(self.number, 1.0, "finishing"))
        merging = Thread(target=self.text.close)
        merging.start()
        dangling = self._write_titles()
        merging.join()
        self.names.close()
        (self.folder / "names.tmp").unlink()
        (self.folder / "started").unlink()
        self.store.set_fact("titles", 1)
        self.store.set_fact("pages", self.number)
        self.store.set_fact("fingerprint", self.store.fingerprint())
        self.store.set_parts(digest_parts(self.folder, {}))
        self.store.commit()
        self.store.close()
        summary = layout.Summary(
            pages=self.number,
            redirects=self.state.redirects,
            dangling_redirects=dangling,
            duplicates=self.state.duplicates,
            bad=self.state.bad,
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
        with storage_errors(self.directory):
            layout.publish(self.directory, manifest)
        return summary

    def _write_titles(self) -> int:
        """Write the trie; return how many redirects lead nowhere."""
        dangling = 0

        def names() -> Iterator[tuple[str, int, int]]:
            nonlocal dangling
            self.names.seek(0)
            for line in self.names:
                key, kind, page = line.rsplit("\t", 2)
                yield key, int(kind), int(page)
            targets = {identity(alias): target for alias, target in self.store.redirects()}
            for alias, target in self.store.redirects():
                page_number = self._follow(target, targets)
                if page_number is None:
                    dangling += 1
                elif identity(alias) not in self.seen and (key := lookup_key(alias)):
                    yield key, NameKind.ALIAS, page_number

        with storage_errors(self.folder):
            write_titles(self.folder, 1, names())
        return dangling

    def _follow(self, target: str, targets: dict[int, str]) -> int | None:
        """Find the page at the end of a chain of redirects."""
        for _ in range(8):
            number = identity(target)
            if number in self.seen:
                return self.seen[number]
            if number not in targets:
                return None
            target = targets[number]
        return None
