"""FEVER's wiki-pages: `{"id": title, "lines": "0\\tsentence\\tanchor\\ttarget…\\n1\\t…"}`."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.json import Decoder

from feverfew.readers.base import Record, Source, Span
from feverfew.readers.decode import check_title, decode, json_keys
from feverfew.readers.files import lines, span_lines, spans
from feverfew.text import detokenise, display_title
from feverfew.types import Link, Page, Sentence


class _Raw(Struct):
    id: str
    lines: str


_DECODER = Decoder(_Raw)


class Fever:
    """Read FEVER's wiki-pages; the title is the `id`, untouched."""

    name = "fever"

    def recognises(self, head: bytes, source: Source) -> bool:
        return any({b"id", b"lines"} <= keys for keys in json_keys(head))

    def records(self, source: Source) -> Iterator[Record]:
        return lines(source)

    def spans(self, source: Source, size: int) -> Iterator[Span] | None:
        return spans(source, size)

    def span_records(self, source: Source, span: Span) -> tuple[list[Record], int]:
        return span_lines(source, span)

    def parse(self, record: Record, source: Source) -> Page | None:
        raw = decode(_DECODER, record, source)
        if not raw.id and not raw.lines:
            return None  # every official file begins with such a record
        check_title(raw.id, record, source)
        return Page(raw.id, tuple(_sentences(raw.lines)), source=source.name)


_MOST_TABS = 32
"""Where the search for a sentence's end gives up: each step looks at every anchor."""

# A line's end that no number follows stands inside a sentence, as on a few official pages.
_WITHIN_SENTENCE = re.compile(r"\n(?![0-9]{1,6}(?:[\t\n]|$))")


def _sentences(text: str) -> Iterable[Sentence]:
    """Read the numbered lines; those without words are dropped, and their numbers stay free."""
    found: dict[int, Sentence] = {}
    text = _WITHIN_SENTENCE.sub(" ", text)
    originals: list[str] = []
    # No token of the Penn Treebank holds a tab or a line's end: once for the page is enough.
    for at, line in enumerate(detokenise(text).split("\n")):
        number, _, sentence = line.partition("\t")
        links: tuple[Link, ...] = ()
        if "\t" in sentence:
            # A target is a title: it is taken as it was written, not as text.
            originals = originals or text.split("\n")
            sentence, links = _split_links(sentence.split("\t"), originals[at].split("\t")[1:])
        if not at and not (number.isdecimal() and len(number) < 7):
            number, sentence = "0", f"{number} {sentence}"
        if sentence := sentence.strip():
            index = int(number)
            if index in found:
                # Two lines of one number are one sentence: an id has one text.
                sentence = f"{found[index].text} {sentence}"
                links = found[index].links + links
            found[index] = Sentence(index, sentence, links)
    return found.values()


def _split_links(fields: Sequence[str], written: Sequence[str]) -> tuple[str, tuple[Link, ...]]:
    """Part a sentence from the anchor and target pairs behind it.

    A sentence may hold tabs by mistake: it ends where every anchor behind it occurs in it.
    """
    size = len(fields)
    for end in range(1, min(size, _MOST_TABS)):
        text = " ".join(fields[:end])
        complete = (size - end) % 2 == 0 or end == 1  # the last target may be missing
        if complete and all(anchor in text for anchor in fields[end::2]):
            break
    else:
        end = 1 if size % 2 else size
    text = " ".join(" ".join(fields[:end]).split())
    links = tuple(
        Link(display_title(target.strip()), anchor.strip())
        for anchor, target in zip(fields[end::2], written[end + 1 :: 2], strict=False)
        if target.strip()
    )
    return text, links
