"""Full text: a tantivy index of titles and bodies, asked for the rarest words first.

The cost of a question follows the length of its words' posting lists, and frequent words
decide little. So the words are taken from the rarest on until a budget of postings is spent:
a question costs about the same in a corpus of any size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import tantivy

from feverfew.corpus.layout import sync_file
from feverfew.errors import CorpusDamaged, CorpusError
from feverfew.temporary import temporary_folder

__all__ = ["TextIndex", "TextWriter"]

_HEAP = 96 << 20
"""Smaller, and merging many segments costs more than indexing them."""
_TOKENIZER = "words"
_LONGEST_WORD = 64
_MOST_TERMS = 20_000


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", indexed=True, fast=True)
    builder.add_text_field("title", tokenizer_name=_TOKENIZER, index_option="freq")
    builder.add_text_field("body", tokenizer_name=_TOKENIZER, index_option="freq")
    return builder.build()


def _tokenizer() -> tantivy.TextAnalyzer:
    # The text comes folded and without signs: splitting at blanks gives the words of text.words.
    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return blanks.filter(tantivy.Filter.remove_long(_LONGEST_WORD)).build()


class TextWriter:
    """Adds to and deletes from a text index; nothing counts before `commit`."""

    def __init__(self, folder: Path, heap: int = _HEAP, *, new: bool = True) -> None:
        """Open an index; one that is not there is made, unless that would hide its loss."""
        if not new and not (folder / "meta.json").is_file():
            raise CorpusDamaged(f"{folder} is missing or incomplete; build the corpus again")
        try:
            if not tantivy.Index.exists(str(folder)) if folder.exists() else True:
                folder.mkdir(exist_ok=True)
                index = tantivy.Index(_schema(), path=str(folder))
            else:
                _clear_deletes(folder)
                index = tantivy.Index.open(str(folder))
            index.register_tokenizer(_TOKENIZER, _tokenizer())
            self._schema = index.schema
            self._open: tantivy.IndexWriter | None = index.writer(heap_size=heap, num_threads=1)
        except (ValueError, OSError, LookupError, TypeError, msgspec.MsgspecError) as error:
            raise CorpusError(f"{folder}: {error}") from error
        self._folder = folder

    def add(self, pages: Iterable[tuple[int, str, str]]) -> None:
        """Add pages: their numbers, and titles and bodies as `text.spaced` folds them."""
        put = self._writer().add_json
        with _writing(self._folder):
            for number, title, body in pages:
                # One call instead of five. Folded text has no sign that JSON would escape.
                put(f'{{"id":{number},"title":"{title}","body":"{body}"}}')

    def delete(self, number: int) -> None:
        """Delete a page."""
        # By query: deleting by term takes a plain int for a signed one, and finds nothing.
        self._delete(tantivy.Query.term_query(self._schema, "id", number))

    def delete_after(self, number: int) -> None:
        """Delete every page with a higher number."""
        beyond = tantivy.Query.range_query(
            self._schema, "id", tantivy.FieldType.Unsigned, lower_bound=number, include_lower=False
        )
        self._delete(beyond)

    def delete_between(self, first: int, end: int) -> None:
        """Delete every page from the first number up to, but not including, the last."""
        between = tantivy.Query.range_query(
            self._schema, "id", tantivy.FieldType.Unsigned, first, end, include_upper=False
        )
        self._delete(between)

    def commit(self) -> None:
        """Make all changes durable."""
        with _writing(self._folder):
            self._writer().commit()
            # The store is committed next, and must not know of more than is here after a power cut.
            for path in (*self._folder.iterdir(), self._folder):
                sync_file(path)

    def close(self) -> None:
        """Wait for merges under way; the writer cannot be used afterwards."""
        with _writing(self._folder):
            self._writer().wait_merging_threads()
            # Some files are made for their owner alone: let the folder's other files decide.
            mode = (self._folder / ".tantivy-writer.lock").stat().st_mode
            for name in ("meta.json", ".managed.json"):
                (self._folder / name).chmod(mode)
        self.abandon()

    def abandon(self) -> None:
        """Give up what is not committed, and let go of the index; closing twice does no harm."""
        self._open = None

    def _writer(self) -> tantivy.IndexWriter:
        if self._open is None:
            raise CorpusError(f"{self._folder} is no longer open for writing")
        return self._open

    def _delete(self, query: tantivy.Query) -> None:
        with _writing(self._folder):
            self._writer().delete_documents_by_query(query)


def _clear_deletes(folder: Path) -> None:
    """Remove the lists of deleted pages that belong to no commit.

    They are named by their segment and a count, so that the next commit would give the same name
    to its own, and fail. tantivy removes them, unless the power was cut before it had noted them.
    """
    segments = msgspec.json.decode((folder / "meta.json").read_bytes())["segments"]
    used = {
        f"{one['segment_id'].replace('-', '')}.{one['deletes']['opstamp']}.del"
        for one in segments
        if one.get("deletes")
    }
    for path in folder.glob("*.del"):
        if path.name not in used:
            path.unlink()


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn what tantivy and the file system say into one of our errors."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise CorpusError(f"{folder}: {error} (is the disk full?)") from error


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """Turn what tantivy says of a damaged index into one of our errors."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise CorpusDamaged(f"{folder} is damaged ({error}); build the corpus again") from None
    except BaseException as error:
        # A Rust panic, whose class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise CorpusDamaged(f"{folder} is damaged ({error}); build the corpus again") from None


class _Term(NamedTuple):
    """A word as the index knows it; the queries are None where it does not occur."""

    pages: int
    body: tantivy.Query | None
    title: tantivy.Query | None


class TextIndex:
    """Searches a text index; made by `open`."""

    def __init__(
        self,
        index: tantivy.Index,
        folder: Path,
        gone: Mapping[int, int] | None = None,
        per_page: int = 1,
    ) -> None:
        self._folder = folder
        self._gone, self._per_page = gone or {}, per_page
        self._schema = index.schema
        self._searcher = index.searcher()
        self._terms: dict[str, _Term] = {}

    @classmethod
    def open(cls, folder: Path) -> "TextIndex":
        """Open the index in a folder."""
        try:
            with _reading(folder):
                return cls(tantivy.Index.open(str(folder)), folder)
        except CorpusDamaged as error:
            if "Lockfile" not in str(error):
                raise
        with _reading(folder):
            return cls(_open_linked([folder]), folder)

    @classmethod
    def open_all(
        cls, folders: Sequence[Path], gone: Mapping[int, int], per_page: int = 1
    ) -> "TextIndex":
        """Open several indexes as one: a score is what it would be if all lay in one folder.

        Pages that are gone are not found; how many texts each has is subtracted. A page has the
        numbers from `per_page` times its own on.
        """
        with _reading(folders[0].parent):
            return cls(_open_linked(folders), folders[0].parent, gone, per_page)

    def __len__(self) -> int:
        return self._searcher.num_docs - sum(self._gone.values())

    def frequency(self, word: str) -> int:
        """Count the pages whose body has a word."""
        return self._term(word).pages

    def search(
        self,
        words: Sequence[str],
        limit: int,
        *,
        title_weight: float = 1.0,
        budget: int = 100_000,
    ) -> list[tuple[int, float]]:
        """Return the numbers and scores of the pages that match folded words best."""
        should, boost = tantivy.Occur.Should, tantivy.Query.boost_query
        clauses: list[tuple[tantivy.Occur, tantivy.Query]] = []
        terms = {word: self._term(word) for word in words}
        spent = 0
        for term in sorted(terms.values(), key=lambda term: term.pages):
            spent += term.pages
            if spent > budget and clauses:
                break
            if term.body is not None:
                clauses.append((should, term.body))
            if term.title is not None and title_weight:
                title = term.title if title_weight == 1 else boost(term.title, title_weight)
                clauses.append((should, title))
        return self._hits(clauses, limit)

    def _hits(
        self, clauses: list[tuple[tantivy.Occur, tantivy.Query]], limit: int
    ) -> list[tuple[int, float]]:
        if not clauses or limit < 1:
            return []
        query = tantivy.Query.boolean_query(clauses)
        asked = limit
        while True:
            with _reading(self._folder):
                hits = self._searcher.search(query, asked, count=False).hits
                numbers = self._searcher.fast_field_values("id", [address for _, address in hits])
            found = [
                (int(n), score)
                for n, (score, _) in zip(numbers, hits, strict=True)
                if n is not None and n // self._per_page not in self._gone
            ]
            if len(found) >= limit or len(hits) < asked:
                # tantivy lists equals by segment, and segments depend on how the index was made.
                return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]
            asked *= 2

    def having(self, words: Sequence[str]) -> list[int]:
        """List every page whose body has all of some folded words."""
        terms = [self._term(word).body for word in dict.fromkeys(words)]
        if not terms or None in terms:
            return []
        must = [(tantivy.Occur.Must, term) for term in terms if term is not None]
        return [number for number, _ in self._hits(must, max(len(self), 1))]

    def weighed(
        self, weights: dict[str, float], limit: int, *, budget: int
    ) -> list[tuple[int, float]]:
        """Return the pages with the highest sums of weights of the words in their bodies.

        Words are asked for from the rarest on, until a budget of postings is spent.
        """
        clauses: list[tuple[tantivy.Occur, tantivy.Query]] = []
        spent = 0
        for word in sorted(weights, key=self.frequency):
            term = self._term(word)
            spent += term.pages
            if term.body is None:
                continue
            if spent > budget and clauses:
                break
            fixed = tantivy.Query.const_score_query(term.body, weights[word])
            clauses.append((tantivy.Occur.Should, fixed))
        return self._hits(clauses, limit)

    def _term(self, word: str) -> "_Term":
        """Look a word up, or remember it: every claim has some words of the last one."""
        known = self._terms.get(word)
        if known is None:
            if len(self._terms) >= _MOST_TERMS:
                self._terms.clear()
            with _reading(self._folder):
                pages = self._searcher.doc_freq("body", word)
                in_titles = self._searcher.doc_freq("title", word)
            known = self._terms[word] = _Term(
                pages,
                tantivy.Query.term_query(self._schema, "body", word, "freq") if pages else None,
                tantivy.Query.term_query(self._schema, "title", word, "freq")
                if in_titles
                else None,
            )
        return known

    def similar_titles(self, words: Sequence[str], slip: int, limit: int = 20) -> list[int]:
        """List pages whose title has these words, the one at `slip` but for a slip of the pen."""
        query, must = tantivy.Query, tantivy.Occur.Must
        if any(self._term(w).title is None for i, w in enumerate(words) if i != slip):
            return []
        clauses = [
            query.fuzzy_term_query(self._schema, "title", word, distance=1)
            if position == slip
            else query.term_query(self._schema, "title", word, "freq")
            for position, word in enumerate(words)
        ]
        return [number for number, _ in self._hits([(must, c) for c in clauses], limit)]


def _open_linked(folders: Sequence[Path]) -> tantivy.Index:
    """Open indexes as one, or one where not even the lock that tantivy asks for may be written.

    They are opened in a folder of links to their files, with one list of all segments. The files
    are mapped at once, so that neither the links nor the folder are needed any longer.
    """
    with temporary_folder() as links:
        metas = [msgspec.json.decode((folder / "meta.json").read_bytes()) for folder in folders]
        segments = [segment for meta in metas for segment in meta["segments"]]
        (links / "meta.json").write_bytes(msgspec.json.encode({**metas[0], "segments": segments}))
        for path in (path for folder in folders for path in folder.iterdir()):
            if path.suffix not in (".lock", ".json"):
                (links / path.name).symlink_to(path.absolute())
        index = tantivy.Index.open(str(links))
        index.searcher()
        return index
