"""FEVER's wiki-pages: `{"id": title, "lines": "0\\tsentence\\tanchor\\ttarget…\\n1\\t…"}`."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.model import Link, Page, Sentence
from feverfew.readers.base import Record, Source
from feverfew.readers.decode import check_title, decode, json_keys
from feverfew.readers.files import lines
from feverfew.text import detokenise, display_title

__all__ = ["Fever"]


class _Raw(Struct):
    id: str
    lines: str


class Fever:
    """Read FEVER's wiki-pages; the title is the `id`, untouched."""

    name = "fever"

    def __init__(self) -> None:
        self._decoder = Decoder(_Raw)

    def recognises(self, head: bytes, source: Source) -> bool:
        return any({b"id", b"lines"} <= keys for keys in json_keys(head))

    def records(self, source: Source) -> Iterator[Record]:
        return lines(source)

    def parse(self, record: Record, source: Source) -> Page | None:
        raw = decode(self._decoder, record, source)
        if not raw.id and not raw.lines:
            return None  # every official file begins with such a record
        check_title(raw.id, record, source)
        return Page(raw.id, tuple(_sentences(raw.lines)), source=source.name)


def _sentences(text: str) -> list[Sentence]:
    """Read the numbered lines; those without words are dropped, and their numbers stay free."""
    found: list[Sentence] = []
    # No token of the Penn Treebank holds a tab or a line's end: once for the page is enough.
    readable = detokenise(text)
    for line, written in zip(readable.split("\n"), text.split("\n"), strict=True):
        number, tab, rest = line.partition("\t")
        if not tab or not (number.isascii() and number.isdigit()):
            # A line's end inside a sentence, as a few official pages have it.
            if found and (more := line.strip()):
                last = found.pop()
                found.append(Sentence(last.index, f"{last.text} {more}", last.links))
            continue
        if "\t" not in rest:
            if rest := rest.strip():
                found.append(Sentence(int(number), rest))
            continue
        # A target is a title: it is taken as it was written, not as text.
        sentence, links = _split_links(rest.split("\t"), written.split("\t")[1:])
        if sentence:
            found.append(Sentence(int(number), sentence, links))
    return found


def _split_links(fields: Sequence[str], written: Sequence[str]) -> tuple[str, tuple[Link, ...]]:
    """Part a sentence from the anchor and target pairs behind it.

    A sentence may hold tabs by mistake. It then ends at the first field behind which
    every anchor occurs in what stands before it.
    """
    end, size = 1, len(fields)
    if size % 2 == 0:
        # The last target is missing, or the sentence holds a tab.
        for end in range(1, size + 1):
            text = " ".join(fields[:end])
            if all(anchor in text for anchor in fields[end::2]):
                break
    text = " ".join(" ".join(fields[:end]).split())
    pairs = zip(fields[end::2], written[end + 1 :: 2], strict=False)
    links = tuple(
        Link(display_title(target.strip()), anchor.strip())
        for anchor, target in pairs
        if target.strip()
    )
    return text, links
